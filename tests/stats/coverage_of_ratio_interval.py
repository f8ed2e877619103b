# SPDX-License-Identifier: Apache-2.0
"""How often does a 95 % interval of a ratio of means hold the true ratio, when trials are few?

Not a test but the evidence behind docs/decisions/0003-interval-of-a-ratio.md. It draws many small experiments with
a known ratio, computes five candidate intervals for each, and prints their coverage (the share that holds the truth)
and their widths relative to the Student interval. By hand, from the repository's root (about five minutes):

    python tests/stats/coverage_of_ratio_interval.py
    python tests/stats/coverage_of_ratio_interval.py --experiments 500     # a quick look

Each candidate works on the log of the ratio of means of one experiment, with deviations relative to the sample means.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Array = NDArray[np.float64]

LEVEL = 0.95
TRUE_LOG_RATIO = float(np.log(1.3))
METHODS = ("percentile", "expanded", "BCa", "bootstrap-t", "Student")


def noise(rng: np.random.Generator, shape: str, cv: float, size: tuple[int, int]) -> Array:
    """Positive factors with mean 1 and coefficient of variation `cv`, of the named shape."""
    if shape == "normal":
        return np.asarray(1 + cv * rng.standard_normal(size))
    if shape == "lognormal":
        sigma = np.sqrt(np.log1p(cv**2))
        return np.asarray(rng.lognormal(-(sigma**2) / 2, sigma, size))
    if shape == "exponential":
        return 1 + cv * (rng.standard_exponential(size) - 1)
    slow = rng.random(size) < 0.1  # one trial in ten is four standard deviations slower than the others
    return np.asarray(1 + cv * (rng.standard_normal(size) + 4 * slow - 0.4) / np.sqrt(1 + 16 * 0.09))


def experiments(
    rng: np.random.Generator, shape: str, cv: float, size: tuple[int, int], *, paired: bool
) -> tuple[Array, Array]:
    """Many experiments (rows) of n trials (columns) of A and of B; paired ones share a block effect of the same cv."""
    a, b = noise(rng, shape, cv, size), noise(rng, shape, cv, size) * np.exp(TRUE_LOG_RATIO)
    if not paired:
        return a, b
    block = noise(rng, shape, cv, size)
    return a * block, b * block


def counts(rng: np.random.Generator, n: int, resamples: int) -> Array:
    """How often each of n trials is drawn in each resample: an array of resamples by n."""
    return rng.multinomial(n, np.full(n, 1 / n), size=resamples).astype(np.float64)


def moments(u: Array, v: Array, weights: tuple[Array, Array], *, paired: bool) -> tuple[Array, Array]:
    """Log ratio and its delta-method standard error for each experiment (row) and each row of weights (column)."""
    n = u.shape[1]
    w_u, w_v = weights
    mean_u, mean_v = 1 + u @ w_u.T / n, 1 + v @ w_v.T / n
    square_u, square_v = u**2 @ w_u.T / n - (mean_u - 1) ** 2, v**2 @ w_v.T / n - (mean_v - 1) ** 2
    variance = square_u / mean_u**2 + square_v / mean_v**2
    if paired:
        variance -= 2 * ((u * v) @ w_u.T / n - (mean_u - 1) * (mean_v - 1)) / (mean_u * mean_v)
    variance[variance < 1e-14] = 0  # what rounding leaves of a resample of one trial repeated
    return np.log(mean_v) - np.log(mean_u), np.sqrt(variance / (n - 1))


def ends(shifts: Array, lower: Array, upper: Array) -> tuple[Array, Array]:
    """Order statistics of each row at the given probabilities (type 1, so that infinities stay where they are)."""
    ordered = np.sort(shifts, axis=1)
    size = ordered.shape[1]

    def at(p: Array) -> Array:
        index = np.clip(np.ceil(size * p).astype(int) - 1, 0, size - 1)
        return np.take_along_axis(ordered, index[:, None], axis=1)[:, 0]

    return at(lower), at(upper)


def bca_probabilities(u: Array, v: Array, shifts: Array, *, paired: bool) -> tuple[Array, Array]:
    """Efron & Tibshirani (1993), section 14.3: bias from the resamples, acceleration from the jackknife."""
    below = ((shifts < 0).mean(axis=1) + (shifts <= 0).mean(axis=1)) / 2
    edge = 0.5 / shifts.shape[1]
    bias = stats.norm.ppf(np.clip(below, edge, 1 - edge))
    influence = v - u if paired else np.concatenate([v, -u], axis=1)
    acceleration = (influence**3).sum(axis=1) / (6 * (influence**2).sum(axis=1) ** 1.5)
    z = stats.norm.ppf((1 + LEVEL) / 2)
    lower = stats.norm.cdf(bias + (bias - z) / (1 - acceleration * (bias - z)))
    upper = stats.norm.cdf(bias + (bias + z) / (1 - acceleration * (bias + z)))
    return lower, upper


def student_t(u: Array, v: Array, *, paired: bool) -> Array:
    """Quantile of Student's t: n - 1 degrees of freedom for pairs, Welch's otherwise."""
    n = u.shape[1]
    if paired:
        return np.full(len(u), stats.t.ppf((1 + LEVEL) / 2, n - 1))
    s_u, s_v = u.var(axis=1, ddof=1), v.var(axis=1, ddof=1)
    return np.asarray(stats.t.ppf((1 + LEVEL) / 2, (n - 1) * (s_u + s_v) ** 2 / (s_u**2 + s_v**2)))


def intervals(
    a: Array, b: Array, rng: np.random.Generator, resamples: int, *, paired: bool
) -> Iterator[tuple[str, Array, Array]]:
    """Name, lower and upper ends (log ratio minus its estimate) of every candidate, for each experiment."""
    n = a.shape[1]
    u, v = a / a.mean(axis=1, keepdims=True) - 1, b / b.mean(axis=1, keepdims=True) - 1
    drawn = counts(rng, n, resamples)
    weights = (drawn, drawn) if paired else (drawn, counts(rng, n, resamples))
    shifts, errors = moments(u, v, weights, paired=paired)
    _, own = moments(u, v, (np.ones((1, n)), np.ones((1, n))), paired=paired)
    error, rows = own[:, 0], np.ones(len(a))
    alpha = 1 - LEVEL
    yield "percentile", *ends(shifts, alpha / 2 * rows, (1 - alpha / 2) * rows)
    wider = stats.norm.cdf(-np.sqrt(n / (n - 1)) * stats.t.ppf(1 - alpha / 2, n - 1))
    yield "expanded", *ends(shifts, wider * rows, (1 - wider) * rows)
    yield "BCa", *ends(shifts, *bca_probabilities(u, v, shifts, paired=paired))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(errors > 0, shifts / errors, np.sign(shifts) * np.inf)
    t = np.nan_to_num(t, nan=0.0, posinf=np.inf, neginf=-np.inf)
    low, high = ends(t, alpha / 2 * rows, (1 - alpha / 2) * rows)
    yield "bootstrap-t", -high * error, -low * error
    half = student_t(u, v, paired=paired) * error
    yield "Student", -half, half


def run_case(
    seed: int, shape: str, cv: float, n: int, sizes: tuple[int, int], *, paired: bool
) -> dict[str, tuple[float, float, float]]:
    """Coverage, median width and 99th percentile of the width of each candidate; widths over Student's median."""
    total, resamples = sizes
    rng = np.random.default_rng([seed, n, int(cv * 1000), paired, len(shape)])
    held: dict[str, list[Array]] = {name: [] for name in METHODS}
    width: dict[str, list[Array]] = {name: [] for name in METHODS}
    for start in range(0, total, 100):  # fresh resamples for every hundred experiments
        a, b = experiments(rng, shape, cv, (min(100, total - start), n), paired=paired)
        estimate = np.log(b.mean(axis=1) / a.mean(axis=1))
        for name, low, high in intervals(a, b, rng, resamples, paired=paired):
            held[name].append((estimate + low <= TRUE_LOG_RATIO) & (estimate + high >= TRUE_LOG_RATIO))
            width[name].append(high - low)
    unit = float(np.median(np.concatenate(width["Student"])))
    return {
        name: (
            float(np.concatenate(held[name]).mean()),
            float(np.median(np.concatenate(width[name]))) / unit,
            float(np.quantile(np.concatenate(width[name]), 0.99, method="inverted_cdf")) / unit,
        )
        for name in METHODS
    }


def main() -> None:
    """Print one Markdown row per case: coverage in %, and in brackets the median and 99th percentile of the width."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--experiments", type=int, default=10_000, help="simulated experiments per case")
    parser.add_argument("--resamples", type=int, default=2_000, help="bootstrap resamples per experiment")
    parser.add_argument("--seed", type=int, default=20_260_101)
    chosen = parser.parse_args()
    print("| design | noise | cv % | n | " + " | ".join(METHODS) + " |")  # noqa: T201 - a script for a person
    print("|---|---|---:|---:|" + "---|" * len(METHODS))  # noqa: T201
    cases = itertools.product(
        (True, False), ("normal", "lognormal", "exponential", "slow trials"), (0.01, 0.1), (4, 5, 6, 7, 10)
    )
    for paired, shape, cv, n in cases:
        found = run_case(chosen.seed, shape, cv, n, (chosen.experiments, chosen.resamples), paired=paired)
        row = " | ".join(f"{100 * c:.1f} ({m:.2f}, {w:.2f})" for c, m, w in found.values())
        design = "paired" if paired else "two samples"
        print(f"| {design} | {shape} | {100 * cv:.0f} | {n} | {row} |", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
