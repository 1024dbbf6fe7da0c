"""Lemke's method on a dense tableau, for the small linear complementarity problems of this folder."""


def lemke(m, q):
    """z >= 0 with w = m z + q >= 0 and z.w = 0. Ties are broken lexicographically. Raises
    ArithmeticError when the method ends on a ray."""
    n = len(q)
    if min(q) >= 0.0:
        return [0.0] * n
    # Columns: w (n), z (n), the artificial variable, q. Rows: w - m z - z0 = q.
    rows = [[1.0 if i == j else 0.0 for j in range(n)] + [-m[i][j] for j in range(n)] + [-1.0, q[i]]
            for i in range(n)]
    basis = list(range(n))
    artificial = 2 * n
    row = min(range(n), key=lambda i: (q[i], i))
    entering = artificial
    for _ in range(200 * n):
        pivot = rows[row][entering]
        pivot_row = rows[row] = [x / pivot for x in rows[row]]
        for i in range(n):
            factor = rows[i][entering]
            if i != row and factor != 0.0:
                rows[i] = [x - factor * y for x, y in zip(rows[i], pivot_row)]
        leaving, basis[row] = basis[row], entering
        if leaving == artificial:
            z = [0.0] * n
            for i, variable in enumerate(basis):
                if n <= variable < 2 * n:
                    z[variable - n] = rows[i][-1]
            return z
        entering = leaving + n if leaving < n else leaving - n
        row = leaving_row(rows, basis, entering, artificial, n)
    raise ArithmeticError("Lemke's method does not end")


def leaving_row(rows, basis, entering, artificial, n):
    """The lexicographic ratio test; the artificial variable leaves when it can."""
    scale = max(abs(r[entering]) for r in rows)
    candidates = [i for i in range(n) if rows[i][entering] > 1e-11 * max(1.0, scale)]
    if not candidates:
        raise ArithmeticError("Lemke's method ends on a ray")
    least = min(rows[i][-1] / rows[i][entering] for i in candidates)
    tied = [i for i in candidates
            if rows[i][-1] / rows[i][entering] <= least + 1e-14 * max(1.0, abs(least))]
    for i in tied:
        if basis[i] == artificial:
            return i
    return min(tied, key=lambda i: [rows[i][j] / rows[i][entering] for j in range(n)])


def contact_impulses(normals, tangents, gaps, mu, inverse_mass, velocity, h):
    """The contact problem of Stewart and Trinkle (2000) in one step: for each contact a normal row
    `normals[i]`, rows of friction directions `tangents[i]`, and a gap. `velocity` is that of the
    end of the step without contacts. Returns the velocity with them, and the impulses of each
    contact as (normal, [along each direction])."""
    count = len(normals)
    jacobian = list(normals) + [d for directions in tangents for d in directions]
    owner = list(range(count)) + [i for i, directions in enumerate(tangents) for _ in directions]
    weighted = [[inverse_mass[k] * x for k, x in enumerate(row)] for row in jacobian]
    rows = len(jacobian)
    size = rows + count
    matrix = [[0.0] * size for _ in range(size)]
    for i in range(rows):
        for j in range(rows):
            matrix[i][j] = sum(a * b for a, b in zip(jacobian[i], weighted[j]) if a != 0.0)
    for i in range(count, rows):
        matrix[i][rows + owner[i]] = 1.0
        matrix[rows + owner[i]][i] = -1.0
    for i in range(count):
        matrix[rows + i][i] = mu
    free = [sum(a * b for a, b in zip(row, velocity)) for row in jacobian]
    q = [free[i] + gaps[i] / h if i < count else free[i] for i in range(rows)] + [0.0] * count
    z = lemke(matrix, q)
    end = [velocity[k] + sum(weighted[i][k] * z[i] for i in range(rows) if z[i] != 0.0)
           for k in range(len(velocity))]
    impulses = []
    for i in range(count):
        impulses.append((z[i], [z[j] for j in range(count, rows) if owner[j] == i]))
    return end, impulses
