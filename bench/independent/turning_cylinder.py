#!/usr/bin/env python3
"""D2: a cylinder that rolls on its side and turns, as a differential equation in its velocities along
its axis (1), across it (2), its spin and its turning about the vertical; Runge and Kutta, order four.
The moments about the direction across give d1, the place of the equivalent contact point on the line."""

import math

from report import report

RADIUS, LENGTH, MASS, MU, E_R, GRAVITY = 0.1, 0.3, 3.0, 0.22, 0.1, 9.8
AXIAL = 0.5 * MASS * RADIUS ** 2
ACROSS = MASS * (3.0 * RADIUS ** 2 + LENGTH ** 2) / 12.0
WEIGHT = MASS * GRAVITY


def contact(state, d1):
    """Friction along 1 and 2 and its torque, with d1 of the moment balance, by iteration from `d1`."""
    v_1, v_2, spin, turning = state
    while True:
        u_2 = v_2 - RADIUS * spin - turning * d1
        sigma = math.sqrt(v_1 ** 2 + u_2 ** 2 + (E_R * turning) ** 2)
        f_1, f_2 = -MU * WEIGHT * v_1 / sigma, -MU * WEIGHT * u_2 / sigma
        torque = -MU * WEIGHT * E_R ** 2 * turning / sigma
        found = -(RADIUS * f_1 + AXIAL * spin * turning) / WEIGHT
        if abs(found - d1) < 1e-15:
            return f_1, f_2, torque, found
        d1 = found


def rates(state, d1):
    v_1, v_2, spin, turning = state
    f_1, f_2, torque, d1 = contact(state, d1)
    # The axes turn with the cylinder: d(e_1)/dt = -turning e_2, d(e_2)/dt = turning e_1.
    return [f_1 / MASS - turning * v_2, f_2 / MASS + turning * v_1, -RADIUS * f_2 / AXIAL,
            (torque - d1 * f_2) / ACROSS]


def run(turning, end_s, shown, h=2e-5):
    """(w_z, |d1|) at the times `shown`; the largest |d1| and the speed at the end."""
    state = [0.0, 0.5, 5.0, turning]
    d1, largest, at = 0.0, 0.0, {}
    for step in range(1, round(end_s / h) + 1):
        k1 = rates(state, d1)
        k2 = rates([x + 0.5 * h * k for x, k in zip(state, k1)], d1)
        k3 = rates([x + 0.5 * h * k for x, k in zip(state, k2)], d1)
        k4 = rates([x + h * k for x, k in zip(state, k3)], d1)
        state = [x + h / 6.0 * (a + 2.0 * b + 2.0 * c + d)
                 for x, a, b, c, d in zip(state, k1, k2, k3, k4)]
        d1 = contact(state, d1)[3]
        largest = max(largest, abs(d1))
        for time_s in shown:
            if step == round(time_s / h):
                at[time_s] = (state[3], abs(d1))
    return at, largest, math.hypot(state[0], state[1])


def values():
    times = [0.01, 0.02, 0.03, 0.04]
    at, _, _ = run(0.03 / ACROSS, 0.04, times)
    for time_s in times:
        yield f"h = 0.0001 s, at {time_s:g} s: w_z, rad/s", at[time_s][0]
        yield f"h = 0.0001 s, at {time_s:g} s: |d1|, mm", 1e3 * at[time_s][1]
    _, largest, _ = run(0.3 / ACROSS, 0.45, [])
    yield "kick of 0.3 N m s: largest |d1|, m", largest


if __name__ == "__main__":
    report("D2", values())
