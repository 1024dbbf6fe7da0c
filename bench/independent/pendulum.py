#!/usr/bin/env python3
"""B2: the fall of a chain of twelve links until a ball first meets the floor. Lagrange's equations in
the angles of the links from the vertical, solved by elimination; semi-implicit Euler."""

import math

from report import report

LINKS, MASS, RADIUS, GRAVITY, PIVOT = 12, 1.0, 0.25, 9.81, 10.0
INERTIA = 0.4 * MASS * RADIUS ** 2


def accelerations(theta, omega):
    """M a = forces with M_ij = m (n - max(i, j)) cos(theta_i - theta_j), and the balls' own inertia."""
    rows = []
    for i in range(LINKS):
        row = [0.0] * (LINKS + 1)
        for j in range(LINKS):
            carried = MASS * (LINKS - max(i, j))
            row[j] = carried * math.cos(theta[i] - theta[j]) + (INERTIA if i == j else 0.0)
            row[LINKS] -= carried * math.sin(theta[i] - theta[j]) * omega[j] ** 2
        row[LINKS] -= MASS * (LINKS - i) * GRAVITY * math.sin(theta[i])
        rows.append(row)
    for i in range(LINKS):
        for k in range(i + 1, LINKS):
            factor = rows[k][i] / rows[i][i]
            rows[k] = [x - factor * y for x, y in zip(rows[k], rows[i])]
    solution = [0.0] * LINKS
    for i in reversed(range(LINKS)):
        known = sum(rows[i][j] * solution[j] for j in range(i + 1, LINKS))
        solution[i] = (rows[i][LINKS] - known) / rows[i][i]
    return solution


def balls(theta, omega):
    """Place beside and over the pivot, and velocity, of each ball; theta from straight down, to the right."""
    y = z = v_y = v_z = 0.0
    for angle, rate in zip(theta, omega):
        y, z = y + math.sin(angle), z - math.cos(angle)
        v_y, v_z = v_y + rate * math.cos(angle), v_z + rate * math.sin(angle)
        yield y, z, v_y, v_z


def energy(theta, omega):
    return sum(0.5 * MASS * (v_y ** 2 + v_z ** 2) + 0.5 * INERTIA * rate ** 2 + MASS * GRAVITY * z
               for (_, z, v_y, v_z), rate in zip(balls(theta, omega), omega))


def fall(h, first_omega, until_s=None):
    """Steps until a ball reaches the floor (detected at a step's start), or until a time."""
    theta = [-math.pi / 4.0] * LINKS
    omega = [first_omega] * LINKS  # the first hinge alone turns: all links turn alike
    start = energy(theta, omega)
    step = 0
    while True:
        low = [i for i, (_, z, _, _) in enumerate(balls(theta, omega)) if PIVOT + z <= RADIUS]
        if (until_s is None and low) or (until_s is not None and step >= round(until_s / h)):
            return step * h, low, list(balls(theta, omega)), abs(energy(theta, omega) - start)
        omega = [w + h * a for w, a in zip(omega, accelerations(theta, omega))]
        theta = [x + h * w for x, w in zip(theta, omega)]
        step += 1


SOLVERS = ["mlcp-lemke", "mlcp-pfb-rlm", "mlcp-pfb-plm", "mncp-rlm", "mncp-plm"]


def values():
    coarse_s, links, _, _ = fall(1e-3, 1.0)
    fine_s, _, places, _ = fall(1e-4, 1.0)
    yield "first hit of the floor, s", [coarse_s, fine_s]
    yield "link that hits", links[0] + 1
    yield "its place beside the pivot, m", places[-1][0]
    yield "its v_y, m/s", places[-1][2]
    yield "its v_z, m/s", places[-1][3]
    yield "drift of the energy until 0.157 s, J", fall(1e-3, 1.0, 0.157)[3]
    away_s, links, _, _ = fall(1e-3, -1.0)
    yield "started away from the floor: first hit, s", away_s
    yield "started away from the floor: link that hits", links[0] + 1
    for solver in SOLVERS:
        yield f"{solver}: floor, s", coarse_s


if __name__ == "__main__":
    report("B2", values())
