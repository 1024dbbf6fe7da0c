#!/usr/bin/env python3
"""A2: a small sphere that slides and rolls off two fixed ones. Backward Euler, with distances and
normals in closed form at the end of a step. The contacts are solved in turn until nothing changes; at
each, friction on its ellipsoid is found from one scalar equation."""

import math

from report import report

RADIUS, MASS, MU, E_R, END = 1.0, 1.0, 0.2, 0.3, 4.0
INERTIA = 0.4 * MASS * RADIUS ** 2
FORCE = (1.0, 2.6, -9.81)
FIXED = [((0.0, 0.0, 0.0), 10.0), ((0.0, 11.4, 0.0), 9.0)]
START = (0.0, 6.62105263157895, 8.78417110772903)
W_SLIP = 1.0 / MASS + RADIUS ** 2 / INERTIA  # of a tangential impulse on the slip
W_SPIN = E_R ** 2 / INERTIA                  # of p_r / e_r on e_r times the spin


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def add(a, b, factor=1.0):
    return (a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2])


def friction(slip, spin, most):
    """(p_t, p_r / e_r) for the slip and e_r times the spin without friction."""
    if most <= 0.0:
        return (0.0, 0.0, 0.0), 0.0
    if math.hypot(math.sqrt(dot(slip, slip)) / W_SLIP, spin / W_SPIN) <= most:
        return tuple(-x / W_SLIP for x in slip), -spin / W_SPIN
    square = dot(slip, slip)
    low, high = 0.0, math.sqrt(square + spin ** 2) / most
    for _ in range(60):  # (W + s) x = -y, |x| = most: |x| falls with s
        s = 0.5 * (low + high)
        if square / (W_SLIP + s) ** 2 + spin ** 2 / (W_SPIN + s) ** 2 > most ** 2:
            low = s
        else:
            high = s
    s = 0.5 * (low + high)
    return tuple(-x / (W_SLIP + s) for x in slip), -spin / (W_SPIN + s)


class Contact:
    def __init__(self, centre, radius):
        self.centre, self.reach = centre, radius + RADIUS
        self.p_n, self.p_t, self.p_r = 0.0, (0.0, 0.0, 0.0), 0.0
        self.normal, self.sigma = (0.0, 0.0, 1.0), 0.0

    def impulse(self):
        return add(self.p_t, self.normal, self.p_n)

    def moment(self):  # the arm is -RADIUS normal
        return add(tuple(-RADIUS * x for x in cross(self.normal, self.p_t)), self.normal, E_R * self.p_r)


def velocity(free_v, free_w, contacts):
    v, w = free_v, free_w
    for contact in contacts:
        v = add(v, contact.impulse(), 1.0 / MASS)
        w = add(w, contact.moment(), 1.0 / INERTIA)
    return v, w


def solve(q, free_v, free_w, contacts, h):
    v, w = velocity(free_v, free_w, contacts)
    for _ in range(10000):
        changed = 0.0
        for contact in contacts:
            apart = add(add(q, v, h), contact.centre, -1.0)
            distance = math.sqrt(dot(apart, apart))
            contact.normal = tuple(x / distance for x in apart)
            before = (contact.p_n, contact.p_t, contact.p_r)
            contact.p_n = max(0.0, contact.p_n - MASS * (distance - contact.reach) / h)
            contact.p_t, contact.p_r = (0.0, 0.0, 0.0), 0.0
            v, w = velocity(free_v, free_w, contacts)
            u = add(v, cross(w, contact.normal), -RADIUS)
            slip = add(u, contact.normal, -dot(u, contact.normal))
            spin = E_R * dot(w, contact.normal)
            contact.p_t, contact.p_r = friction(slip, spin, MU * contact.p_n)
            v, w = velocity(free_v, free_w, contacts)
            u = add(v, cross(w, contact.normal), -RADIUS)
            slip = add(u, contact.normal, -dot(u, contact.normal))
            contact.sigma = math.hypot(math.sqrt(dot(slip, slip)), E_R * dot(w, contact.normal))
            changed = max(changed, abs(contact.p_n - before[0]), abs(contact.p_r - before[2]),
                          *(abs(a - b) for a, b in zip(contact.p_t, before[1])))
        if changed < 5e-15 / h:  # rounding: distances of about 10, divided by h
            return v, w
    raise ArithmeticError(f"the contacts do not settle: {changed:g}")


def run(h):
    q, v, w = START, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    contacts = [Contact(*fixed) for fixed in FIXED]
    separates, v_then, slips, forces = [None, None], None, None, None
    for step in range(1, round(END / h) + 1):
        v, w = solve(q, add(v, FORCE, h / MASS), w, contacts, h)
        q = add(q, v, h)
        for k, contact in enumerate(contacts):
            if separates[k] is None and contact.p_n <= 1e-6 * h:
                separates[k] = step * h
                v_then = v if k == 0 else v_then
        if slips is None and contacts[1].p_n > 0.0 and contacts[1].sigma > 1e-6:
            slips = step * h
        if step == round(2.0 / h):
            forces = [(c.p_n / h, math.sqrt(dot(c.p_t, c.p_t)) / h) for c in contacts]
    return separates, v_then, slips, forces, v + w


def values():
    for h in [0.1, 0.01, 0.001]:
        separates, v_then, slips, forces, end = run(h)
        yield f"h = {h:g} s: contact 2 begins to slip, s", slips
        for k in range(2):
            yield f"h = {h:g} s: contact {k + 1} separates, s", separates[k]
        for name, value in zip(["v_x", "v_y", "v_z"], v_then):
            yield f"h = {h:g} s: when contact 1 separates, {name}", value
        for name, value in zip(["v_x", "v_y", "v_z", "w_x", "w_y", "w_z"], end):
            yield f"h = {h:g} s: at 4 s, {name}", value
        if h != 0.01:
            continue
        for k, (normal, tangential) in enumerate(forces):
            yield f"normal force of contact {k + 1} at 2 s", normal
            yield f"friction of contact {k + 1} at 2 s", tangential


if __name__ == "__main__":
    report("A2", values())
