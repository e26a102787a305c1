"""The figures of two models: after the map, and within each model. Worded here, for all renderers."""

from __future__ import annotations

from core.report.audit_figures import DIRECTIONS, readings_over_floor
from core.report.figures import Bar, BarChart, BarGroup, Figure, Histogram
from core.report.numbers import fixed
from core.spaces import TwoModels

__all__ = ["agreement_bars", "mapped_over_floor", "two_models_figures"]


def two_models_figures(found: TwoModels) -> tuple[Figure, ...]:
    """All of them, in the order to look at them."""
    return mapped_over_floor(found), agreement_bars(found)


def mapped_over_floor(found: TwoModels) -> Histogram:
    """Matched cosines over the unrelated ones, after the map."""
    return readings_over_floor(
        [("After the map", found.mapped)],
        name="mapped_over_floor",
        title="Matched pairs over their floor, after the map",
    )


def agreement_bars(found: TwoModels) -> BarChart:
    """Each measure of agreement beside what luck gives: partners after the map, then within each model."""
    near, mapped = found.neighbours, found.mapped
    figures: list[tuple[str, float | None, float]] = [
        (f"{direction}, mapped", ranks.expected, ranks.chance)
        for direction, ranks in zip(DIRECTIONS, (mapped.a_to_b, mapped.b_to_a), strict=True)
    ]
    figures.append((f"{near.k} nearest shared", near.overlap, near.chance))
    figures.append(("debiased CKA", found.cka, 0.0))
    said = "; ".join(f"{label} {fixed(value)}, by chance {fixed(chance)}" for label, value, chance in figures)
    return BarChart(
        name="agreement",
        title="Do the models agree?",
        description=f"Bars against chance. {said}.",
        low=min(0.0, *(value for _, value, _ in figures if value is not None)),
        legend=(("matched", "agreement"), ("floor", "by chance")),
        groups=tuple(
            BarGroup(
                label=label,
                bars=(
                    Bar(role="matched", value=value, text=fixed(value)),
                    Bar(role="floor", value=chance, text=fixed(chance)),
                ),
            )
            for label, value, chance in figures
        ),
        mark=None,
    )
