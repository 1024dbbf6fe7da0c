#!/usr/bin/env python3
"""A3: a disc on a quasi-rigid half-plane, as one coordinate: its height y. Backward Euler with the
spring's impulse h k delta, a core impulse that keeps delta below its largest value, in closed form."""

from report import report

MASS, STIFFNESS, GRAVITY, STEP, START, END = 1.0, 1000.0, 9.81, 1e-4, 1.5, 1.4


def run(largest):
    """Core impulses, and the energy at each step's end, zero at y = 1."""
    y, v = START, 0.0
    core, energies = [], [MASS * GRAVITY * (y - 1.0)]
    for _ in range(round(END / STEP)):
        free = v - GRAVITY * STEP
        v = free
        impulse = 0.0
        if y + STEP * free < 1.0:  # delta = 1 - y' > 0: v' = free + h k (1 - y - h v')/m
            v = (free + STEP * STIFFNESS / MASS * (1.0 - y)) / (1.0 + STEP ** 2 * STIFFNESS / MASS)
            if 1.0 - (y + STEP * v) > largest:
                v = (1.0 - largest - y) / STEP
                impulse = MASS * (v - free) - STEP * STIFFNESS * largest
        y += STEP * v
        if impulse > 0.0:
            core.append(impulse)
        delta = max(0.0, 1.0 - y)
        energies.append(0.5 * MASS * v ** 2 + MASS * GRAVITY * (y - 1.0) + 0.5 * STIFFNESS * delta ** 2)
    return core, energies


def values():
    core, energies = run(0.05)
    yield "case 1: core impulse of the first step, N s", core[0]
    yield "case 1: and of the second one, N s", core[1]
    for time_s in [0.34, 0.4, 0.7, 1.0, 1.4]:
        yield f"case 1: energy at {time_s:g} s, J", energies[round(time_s / STEP)]
    _, energies = run(1.0)
    for time_s in [0.3, 0.4, 1.0, 1.4]:
        yield f"case 2: energy at {time_s:g} s, J", energies[round(time_s / STEP)]


if __name__ == "__main__":
    report("A3", values())
