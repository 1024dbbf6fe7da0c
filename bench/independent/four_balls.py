#!/usr/bin/env python3
"""C2: four balls, by the nonlinear method of Stewart and Trinkle (2000), section 3.4: their LCP with
eight friction directions, repeated at the configuration that it found, h = 0.00125 s."""

import math

from lemke import contact_impulses
from report import report

RADIUS, MASS, INERTIA, MU, GRAVITY, STEP = 0.1, 1.0, 4e-3, 0.4, 9.81, 0.00125
CENTRES = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.1], [1.2 + 1e-5, 0.0, 0.1], [1.4 + 2e-5, 0.0, 0.1]]
PAIRS = [(None, k) for k in range(4)] + [(a, b) for a in range(4) for b in range(a + 1, 4)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(a):
    size = math.sqrt(sum(x * x for x in a))
    return [x / size for x in a]


def geometry(centres, pair):
    """Gap, normal from the first body (None: the table) to the second, first friction direction."""
    a, b = pair
    if a is None:
        return centres[b][2] - RADIUS, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]
    apart = [y - x for x, y in zip(centres[a], centres[b])]
    distance = math.sqrt(sum(x * x for x in apart))
    normal = [x / distance for x in apart]
    upright = [(1.0 if k == 2 else 0.0) - normal[2] * normal[k] for k in range(3)]
    return distance - 2.0 * RADIUS, normal, unit(upright)


def row(pair, normal, direction):
    """The velocity of the second body's contact point relative to the first's, along a direction."""
    values = [0.0] * 24
    for body, sign in ((pair[1], 1.0), (pair[0], -1.0)):
        if body is None:
            continue
        arm = [-sign * RADIUS * x for x in normal]
        turned = cross(arm, direction)
        for k in range(3):
            values[6 * body + k] = sign * direction[k]
            values[6 * body + 3 + k] = sign * turned[k]
    return values


def problem(pair, at, centres):
    """The rows of a contact at the configuration `at`, and its gap linearised there, at `centres`."""
    gap, normal, first = geometry(at, pair)
    second = cross(normal, first)
    along = row(pair, normal, normal)
    for body in pair:
        if body is not None:
            gap += sum(along[6 * body + k] * (centres[body][k] - at[body][k]) for k in range(3))
    directions = []
    for k in range(8):
        angle = k * math.pi / 4.0
        directions.append(row(pair, normal, [math.cos(angle) * x + math.sin(angle) * y
                                             for x, y in zip(first, second)]))
    return along, directions, gap


def moved(centres, v):
    return [[x + STEP * v[6 * b + k] for k, x in enumerate(c)] for b, c in enumerate(centres)]


def take_step(centres, v):
    """Velocities at the end, and the normal impulses by pair."""
    inverse_mass = ([1.0 / MASS] * 3 + [1.0 / INERTIA] * 3) * 4
    free = [x - (GRAVITY * STEP if k % 6 == 2 else 0.0) for k, x in enumerate(v)]
    at, active, end = moved(centres, v), [], free
    normals = {}
    for _ in range(60):
        while True:
            if active:
                rows = [problem(pair, at, centres) for pair in active]
                end, impulses = contact_impulses(*zip(*rows), MU, inverse_mass, free, STEP)
                normals = {pair: p[0] for pair, p in zip(active, impulses)}
            else:
                end = free
            below = [pair for pair in PAIRS if pair not in active
                     and geometry(moved(centres, end), pair)[0] < -1e-13]
            if not below:
                break
            active += below
        then = moved(centres, end)
        change = max(abs(x - y) for a, b in zip(then, at) for x, y in zip(a, b))
        at = then
        if change < 1e-13 or not active:
            return end, normals
    raise ArithmeticError("the fixed point is not reached")


def values():
    centres = [list(c) for c in CENTRES]
    v = [1.5, 0.1, 0.0, 0.0, 0.0, 0.0] + [0.0] * 18
    is_hit = False
    who = "stewart-trinkle-nonlinear: "
    for _ in range(round(1.0 / STEP)):
        v, normals = take_step(centres, v)
        centres = moved(centres, v)
        if is_hit or normals.get((0, 1), 0.0) <= 1e-6:
            continue
        is_hit = True
        for a, b in [(0, 1), (1, 2), (2, 3), (None, 1), (None, 3)]:
            other = "the table" if a is None else f"ball {a + 1}"
            yield f"{who}impulse of the hit, {other} and ball {b + 1}, N s", normals.get((a, b), 0.0)
        for ball in range(4):
            for k, name in enumerate(["v_x", "v_y", "v_z"]):
                yield f"{who}ball {ball + 1} after the hit, {name}, m/s", v[6 * ball + k]
    for ball in range(4):
        for k, name in enumerate(["x", "y"]):
            yield f"{who}ball {ball + 1} at 1 s, {name}, m", centres[ball][k]


if __name__ == "__main__":
    report("C2", values())
