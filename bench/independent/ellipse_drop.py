#!/usr/bin/env python3
"""E1: an ellipse dropped on a table, by the LCP of Hart and Anitescu (2003), with its stabilisation
and without: one contact at the lowest point, two friction directions, everything at the start of a
step."""

import math

from lemke import contact_impulses
from report import report

A, B, DENSITY, MU, GRAVITY, STEP, MARGIN = 4.0, 2.0, 10.0, 0.3, 9.81, 0.05, 0.3
MASS = DENSITY * math.pi * A * B
INERTIA = MASS * (A ** 2 + B ** 2) / 4.0


def lowest(theta):
    """Height of the centre over the lowest point, and that point's place along the table."""
    height = math.hypot(A * math.sin(theta), B * math.cos(theta))
    return height, -(A ** 2 - B ** 2) * math.sin(theta) * math.cos(theta) / height


def run(is_stabilised):
    """The largest infeasibility in each 5 s, and the end of the first step with an impulse."""
    q, v = [0.0, 8.0, 0.0], [0.0, 0.0, 3.0]
    worst, first_s = [0.0] * 4, None
    for step in range(1, round(20.0 / STEP) + 1):
        height, arm = lowest(q[2])
        gap = q[1] - height
        v = [v[0], v[1] - GRAVITY * STEP, v[2]]
        if gap <= MARGIN:
            v, impulses = contact_impulses([(0.0, 1.0, arm)], [((1.0, 0.0, height), (-1.0, 0.0, -height))],
                                           [gap if is_stabilised else 0.0], MU,
                                           [1.0 / MASS, 1.0 / MASS, 1.0 / INERTIA], v, STEP)
            if impulses[0][0] > 0.0 and first_s is None:
                first_s = step * STEP
        q = [a + STEP * b for a, b in zip(q, v)]
        window = min(3, int((step * STEP - 1e-9) / 5.0))
        worst[window] = max(worst[window], lowest(q[2])[0] - q[1])
    return worst, first_s


def values():
    for is_stabilised in (True, False):
        worst, first_s = run(is_stabilised)
        kind = "stabilised" if is_stabilised else "unstabilised"
        for window, infeasibility in enumerate(worst):
            yield f"{kind}: largest infeasibility {5 * window}-{5 * window + 5} s, m", infeasibility
        if is_stabilised:
            yield "first impulse in the step that ends at, s", first_s


if __name__ == "__main__":
    report("E1", values())
