#!/usr/bin/env python3
"""C1: a spinning rod that falls on a table, by the LCP of Stewart and Trinkle (2000), section 3.1:
contacts of both ends at q + h v, two friction directions."""

import math

from lemke import contact_impulses
from report import report

LENGTH, RADIUS, MASS, INERTIA, MU, GRAVITY = 0.5, 0.05, 1.0, 0.002, 0.6, 9.81


def ends(theta):
    """For each end: its height over the centre, its arm to the lowest point."""
    for side in (1.0, -1.0):
        along = side * LENGTH / 2.0
        yield along * math.sin(theta) - RADIUS, along * math.cos(theta)


def run(h):
    """Times of impact, of both ends down, of rest; angular velocity at the end of the impact's step."""
    q, v = [0.0, 1.0, math.radians(30.0)], [0.0, 0.0, 4.0]
    impact_s = down_s = rest_s = spin = None
    for step in range(1, round(0.7 / h) + 1):
        free = [v[0], v[1] - GRAVITY * h, v[2]]
        at = [a + h * b for a, b in zip(q, v)]
        rows = []
        for lowest, arm in ends(at[2]):
            normal = (0.0, 1.0, arm)
            gap = at[1] + lowest + sum(n * (a - b) for n, a, b in zip(normal, q, at))
            rows.append((normal, ((1.0, 0.0, -lowest), (-1.0, 0.0, lowest)), gap))
        v, impulses = free, []
        active = []
        while True:  # ends that the solution without them would push into the table are added
            below = [row for row in rows if row not in active
                     and row[2] + h * sum(n * u for n, u in zip(row[0], v)) < -1e-13]
            if not below:
                break
            active += below
            v, impulses = contact_impulses(*zip(*active), MU, [1.0 / MASS, 1.0 / MASS, 1.0 / INERTIA],
                                           free, h)
        q = [a + h * b for a, b in zip(q, v)]
        pressing = sum(normal > 0.0 for normal, _ in impulses)
        if pressing and impact_s is None:
            impact_s, spin = step * h, v[2]
        if pressing > 1 and down_s is None:
            down_s = step * h
        rests = down_s is not None and max(abs(v[0]), abs(v[1]), 1e-3 * abs(v[2])) < 1e-9
        rest_s = (rest_s or step * h) if rests else None
    return impact_s, down_s, rest_s, spin


def values():
    for h in [0.01, 0.005, 0.0025, 0.001, 0.0005, 0.00025]:
        impact_s, down_s, rest_s, spin = run(h)
        yield f"h = {h:g} s: end of the impact's step, s", impact_s
        yield f"h = {h:g} s: both ends down, s", down_s
        yield f"h = {h:g} s: at rest, s", rest_s
        yield f"h = {h:g} s: angular velocity at the end of the impact's step, rad/s", spin


if __name__ == "__main__":
    report("C1", values())
