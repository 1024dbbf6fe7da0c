#!/usr/bin/env python3
"""A0: kinetic energy of a polygon that rolls on a line, by the LCP of Stewart and Trinkle with the
gaps linearised at the start of each step. Only those vertices enter a step's problem that the
solution without them would push below the line, so the problems have two or three contacts."""

import math

from lemke import contact_impulses
from report import report

MASS, INERTIA, MU, GRAVITY, RADIUS = 1.0, 0.5, 0.4, 9.81, 1.0


def energy_at_1_s(vertices, h):
    x, y, theta = 0.0, RADIUS, 0.0
    v = [-3.0, 0.0, 3.0]
    inverse_mass = [1.0 / MASS, 1.0 / MASS, 1.0 / INERTIA]
    for _ in range(round(1.0 / h)):
        free = [v[0], v[1] - GRAVITY * h, v[2]]
        near = nearby(vertices, theta, y, 10.0 * h)
        active = []
        end = free
        while True:
            worst, index = min(((gap / h + end[1] + r_x * end[2], i) for i, (r_x, r_y, gap) in enumerate(near)
                                if i not in active), default=(0.0, -1))
            if worst > -1e-12:
                break
            active.append(index)
            chosen = [near[i] for i in active]
            end, _ = contact_impulses([(0.0, 1.0, r_x) for r_x, _, _ in chosen],
                                      [((1.0, 0.0, -r_y), (-1.0, 0.0, r_y)) for _, r_y, _ in chosen],
                                      [gap for _, _, gap in chosen], MU, inverse_mass, free, h)
        v = end
        x, y, theta = x + h * v[0], y + h * v[1], theta + h * v[2]
    return 0.5 * MASS * (v[0] ** 2 + v[1] ** 2) + 0.5 * INERTIA * v[2] ** 2


def nearby(vertices, theta, y, reach):
    """Arms and gaps of the vertices that are closer to the line than `reach`; one starts straight down."""
    span = math.acos(max(-1.0, min(1.0, (y - reach) / RADIUS))) if reach < y + RADIUS else math.pi
    spacing = 2.0 * math.pi / vertices
    turned = theta / spacing
    first = math.ceil(-span / spacing - turned)
    last = math.floor(span / spacing - turned)
    if last - first >= vertices:
        last = first + vertices - 1
    found = []
    for k in range(first, last + 1):
        angle = (k + turned) * spacing
        r_x, r_y = RADIUS * math.sin(angle), -RADIUS * math.cos(angle)
        if y + r_y < reach:
            found.append((r_x, r_y, y + r_y))
    return found


def values():
    for vertices, h in [(10, 0.01), (50, 0.01), (100, 0.01), (500, 0.01), (1000, 0.01),
                        (1000, 0.02), (1000, 0.005), (1000, 0.001), (1000, 0.0005), (1000, 0.0001)]:
        yield f"N = {vertices}, h = {h:g} s: energy at 1 s (J)", energy_at_1_s(vertices, h)


if __name__ == "__main__":
    report("A0", values())
