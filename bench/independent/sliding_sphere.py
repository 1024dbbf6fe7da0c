#!/usr/bin/env python3
"""B1: a sphere that slides on a plane until it rolls, semi-implicit Euler with steps of 1 ms. The
normal impulse is that of the weight; the split of friction among four fixed directions is found by
trying each direction and each pair of neighbours, in place of a solver."""

import math

from report import report

MASS, RADIUS, MU, GRAVITY, SPEED, STEP, END = 1.0, 1.0, 0.2, 9.81, 2.0, 1e-3, 0.6
PER_IMPULSE = 1.0 / MASS + RADIUS ** 2 / (0.4 * MASS * RADIUS ** 2)  # slip gained by an impulse


def friction(slip, directions):
    """The impulse, and the slip after it: none if friction can stop it, else of full size against
    the slip along the best direction, or along two that are equally good."""
    most = MU * MASS * GRAVITY * STEP
    needed = [-u / PER_IMPULSE for u in slip]
    if spent(needed, directions) <= most:
        return needed
    for d in directions:
        after = [u + PER_IMPULSE * most * x for u, x in zip(slip, d)]
        if all(dot(after, d) <= dot(after, other) + 1e-15 for other in directions):
            return [most * x for x in d]
    for i, d in enumerate(directions):  # d.after = e.after, with beta of d and the rest of e
        e = directions[(i + 1) % len(directions)]
        difference = [a - b for a, b in zip(d, e)]
        slope = PER_IMPULSE * dot(difference, difference)
        beta = -(dot(slip, difference) + PER_IMPULSE * most * dot(e, difference)) / slope
        if not 0.0 <= beta <= most:
            continue
        impulse = [beta * a + (most - beta) * b for a, b in zip(d, e)]
        after = [u + PER_IMPULSE * p for u, p in zip(slip, impulse)]
        if dot(after, d) < 0.0 and all(dot(after, d) <= dot(after, other) + 1e-12 for other in directions):
            return impulse
    raise ArithmeticError("no split of friction fits")


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def spent(impulse, directions):
    """The least sum of parts along the directions that makes up an impulse: four at right angles."""
    return sum(abs(dot(impulse, d)) for d in directions[:2])


def run(offset):
    directions = [(math.cos(offset + k * math.pi / 2.0), math.sin(offset + k * math.pi / 2.0))
                  for k in range(4)]
    v, w = [SPEED, 0.0], [0.0, 0.0]  # w: what spin adds to the slip
    x, rolls_s, fastest = [0.0, 0.0], None, 0.0
    for step in range(1, round(END / STEP) + 1):
        impulse = friction([a + b for a, b in zip(v, w)], directions)
        v = [a + p / MASS for a, p in zip(v, impulse)]
        w = [a + p * (PER_IMPULSE - 1.0 / MASS) for a, p in zip(w, impulse)]
        x = [a + STEP * b for a, b in zip(x, v)]
        fastest = max(fastest, abs(v[1]))
        if rolls_s is None and math.hypot(v[0] + w[0], v[1] + w[1]) < 1e-9:
            rolls_s = step * STEP
    return x, rolls_s, fastest


def values():
    for solver in ["mlcp-lemke", "mlcp-pfb-rlm", "mlcp-pfb-plm", "mncp-rlm", "mncp-plm"]:
        yield f"case 1, {solver}: x at 0.6 s, m", run(0.0)[0][0]
    for degrees in [30, 44]:
        x, rolls_s, fastest = run(math.radians(degrees))
        for solver in ["mlcp-lemke", "mlcp-pfb-rlm", "mlcp-pfb-plm"]:
            who = f"directions fixed at {degrees} degrees, {solver}: "
            yield who + "rolls from, s", rolls_s
            yield who + "largest |v_y|, m/s", fastest
            if degrees == 30:
                yield who + "y at 0.6 s, m", x[1]


if __name__ == "__main__":
    report("B1", values())
