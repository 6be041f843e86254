"""The panel sizes of the design rest on a simulation: our own classes give the same figures."""

from benchmarks.panel_simulation import PANELS, simulate


def test_larger_panels_find_the_class_without_noise_as_often_as_the_design_says():
    found = simulate(arguments=1_500, resampled=0, tell=lambda _: None)
    assert found["largest_difference_points"] < 4


def test_a_resampled_panel_that_decides_is_mostly_right():
    told: list[str] = []
    simulate(arguments=150, resampled=150, tell=told.append)
    three_by_two = next(line for line in told if line.startswith("3x2")).split()
    assert float(three_by_two[-1]) > 85
    assert len(told) == 2 + len(PANELS)
