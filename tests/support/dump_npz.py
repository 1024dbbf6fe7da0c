"""dump_npz.py FILE.npz: prints a line per array: name, dtype, shape, and the values.

Doubles are printed as their bits in hexadecimal, so that equal lines mean equal bits.
"""

import sys

try:
    import numpy
except ImportError:
    sys.exit("numpy is missing for " + sys.executable + " (Debian: apt-get install python3-numpy)")


def words(array):
    if array.dtype == numpy.float64:
        return ("%016x" % bits for bits in array.view(numpy.uint64).tolist())
    return map(str, array.tolist())


with numpy.load(sys.argv[1]) as arrays:
    for name in arrays.files:
        array = arrays[name]
        print(name, array.dtype.str, array.shape, *words(array))
