"""Each owner sees their own costs, panels and questions alone. It needs a worker to itself, so a file of its own."""

from tests.rig.waiting import until

from .rig import MOTION, fresh, served
from .test_own_pages import PANEL


def test_owners_see_their_own_costs_panels_and_questions_alone(tmp_path):
    with fresh("sqlite", tmp_path) as url, served(url, works=True) as site:
        ann, bob = site.caller("ann"), site.caller("bob")
        run_id = site.begin(ann, seats={"con": "human"}, model="improviser")
        ann.post("/api/panels", json=PANEL)
        until(lambda: ann.get("/api/awaited").json()["debates"], 60)  # a busy machine takes a while to begin
        (waits,) = ann.get("/api/awaited").json()["debates"]
        assert (waits["run_id"], waits["topic"], waits["seats"]) == (run_id, MOTION, ["con"])
        assert ann.get("/api/costs").json()["total"]["runs"] == 1
        assert ann.get("/api/costs").json()["owners"] == []
        assert bob.get("/api/costs").json()["total"]["runs"] == 0
        assert bob.get("/api/awaited").json()["debates"] == []
        assert bob.get("/api/panels").json()["panels"] == []
        assert bob.delete("/api/panels", params={"name": PANEL["name"]}).status_code == 404
        assert [one["name"] for one in ann.get("/api/panels").json()["panels"]] == [PANEL["name"]]
        ann.post(f"/api/debates/{run_id}/cancel")
        site.ended(run_id, ann)
        assert ann.get("/api/awaited").json()["debates"] == []
