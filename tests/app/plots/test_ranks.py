from dataclasses import replace

from app.plots.ranks import rank_bars, ranks_alt


def test_the_bars_are_the_expected_shares_in_both_directions(audit_result):
    bars = {bar.name: list(bar.x) for bar in rank_bars(audit_result).data}
    for name, reading in (("raw", audit_result.raw), ("centred", audit_result.centred)):
        assert bars[name] == [reading.a_to_b.expected, reading.b_to_a.expected]


def test_chance_is_a_line_at_one_in_n(audit_result):
    (line,) = rank_bars(audit_result).layout.shapes
    assert line.x0 == line.x1 == 1 / audit_result.n


def test_without_a_centred_reading_the_raw_bars_stand_alone(audit_result):
    audit = replace(audit_result, centred=None)
    assert [bar.name for bar in rank_bars(audit).data] == ["raw"]
    assert "centred" not in ranks_alt(audit)


def test_the_bars_in_words_name_every_share(audit_result):
    assert f"{audit_result.centred.b_to_a.expected:.4f}" in ranks_alt(audit_result)
