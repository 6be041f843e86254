"""What tests cost is added up by folder, the dearest first."""

import json

from tools.durations import main

REPORT = """<testsuites><testsuite>
<testcase classname="tests.runs.test_service" name="test_a[sqlite]" time="2.5">
  <properties><property name="cpu" value="1.5"/></properties>
</testcase>
<testcase classname="tests.runs.test_service" name="test_b" time="1.0"/>
<testcase classname="tests.transcript.rules.test_fuzz" name="test_c" time="9.0"/>
</testsuite></testsuites>"""


def test_the_sum_of_each_folder_is_on_the_last_line(tmp_path, capsys):
    (tmp_path / "engine.xml").write_text(REPORT)
    main(str(tmp_path))
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    folders = {"tests/transcript": [1, 9.0, 0.0], "tests/runs": [2, 3.5, 1.5]}
    assert told == {"tests": 3, "seconds": 12.5, "folders": folders}
    assert [*told["folders"]] == [*folders]


def test_the_longest_tests_come_first(tmp_path, capsys):
    (tmp_path / "engine.xml").write_text(REPORT)
    main(str(tmp_path))
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in lines[1:4]] == [
        "tests.transcript.rules.test_fuzz.test_c",
        "tests.runs.test_service.test_a[sqlite]",
        "tests.runs.test_service.test_b",
    ]
