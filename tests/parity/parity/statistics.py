"""How likely counts are under shares: a G-test with exact zeros."""

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TypeVar

Cell = TypeVar("Cell", bound=Hashable)

# The G statistic follows its distribution only where a cell expects a few; thinner ones are added up.
LEAST_EXPECTED = 5.0
# A share below this is none: doubles add up to 1 no closer.
NO_SHARE = 1e-12


@dataclass(frozen=True)
class Fit:
    """How counts and shares agree. `impossible`: a cell of share 0 that got something."""

    p_value: float
    impossible: str | None = None


def g_test(counts: Mapping[Cell, int], shares: Mapping[Cell, float]) -> Fit:
    """The probability of counts at least that far from the shares, which must sum to 1."""
    for cell, count in counts.items():
        if count > 0 and shares.get(cell, 0.0) <= NO_SHARE:
            return Fit(0.0, f"{cell}: {count} of an exact share of 0")
    total = sum(counts.values())
    cells = [(counts.get(cell, 0), share * total) for cell, share in shares.items() if share > NO_SHARE]
    pooled = _pool_thin(cells)
    statistic = 2.0 * sum(count * math.log(count / expected) for count, expected in pooled if count > 0)
    return Fit(chi_squared_survival(max(statistic, 0.0), len(pooled) - 1))


def two_sample_g_test(first: Mapping[Cell, int], second: Mapping[Cell, int]) -> Fit:
    """The probability of two counts at least that far from each other if both have the same shares."""
    totals = (sum(first.values()), sum(second.values()))
    if 0 in totals:
        return Fit(1.0) if totals == (0, 0) else Fit(0.0, "one of them is empty")
    least = LEAST_EXPECTED * sum(totals) / min(totals)
    cells: list[tuple[int, int]] = []
    left = right = 0
    for cell in sorted({*first, *second}, key=lambda cell: first.get(cell, 0) + second.get(cell, 0)):
        left, right = left + first.get(cell, 0), right + second.get(cell, 0)
        if left + right >= least:
            cells.append((left, right))
            left = right = 0
    if left + right > 0:
        last = cells.pop() if cells else (0, 0)
        cells.append((last[0] + left, last[1] + right))
    statistic = 0.0
    for counts in cells:
        for count, total in zip(counts, totals, strict=True):
            expected = sum(counts) * total / sum(totals)
            statistic += 2.0 * count * math.log(count / expected) if count > 0 else 0.0
    return Fit(chi_squared_survival(max(statistic, 0.0), len(cells) - 1))


def _pool_thin(cells: list[tuple[int, float]]) -> list[tuple[int, float]]:
    pooled: list[tuple[int, float]] = []
    count, expected = 0, 0.0
    for cell_count, cell_expected in sorted(cells, key=lambda cell: cell[1]):
        count, expected = count + cell_count, expected + cell_expected
        if expected >= LEAST_EXPECTED:
            pooled.append((count, expected))
            count, expected = 0, 0.0
    if expected > 0.0:
        last_count, last_expected = pooled.pop() if pooled else (0, 0.0)
        pooled.append((last_count + count, last_expected + expected))
    return pooled


def chi_squared_survival(statistic: float, degrees: int) -> float:
    """P(X >= statistic) for chi-squared of so many degrees of freedom; 1 for none."""
    if degrees <= 0 or statistic <= 0.0:
        return 1.0
    return _upper_gamma(degrees / 2.0, statistic / 2.0)


def _upper_gamma(shape: float, x: float) -> float:
    """The regularized upper incomplete gamma function: by its series below the mean, by a continued fraction above."""
    front = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    if x < shape + 1.0:
        term = total = 1.0 / shape
        divisor = shape
        while abs(term) > abs(total) * 1e-16:
            divisor += 1.0
            term *= x / divisor
            total += term
        return max(0.0, 1.0 - front * total)
    tiny = 1e-300
    b = x + 1.0 - shape
    c = 1.0 / tiny
    d = 1.0 / b
    fraction = d
    for step in range(1, 10_000):
        numerator = -step * (step - shape)
        b += 2.0
        d = numerator * d + b
        d = 1.0 / (d if abs(d) > tiny else tiny)
        c = b + numerator / c
        c = c if abs(c) > tiny else tiny
        change = d * c
        fraction *= change
        if abs(change - 1.0) < 1e-15:
            break
    return front * fraction
