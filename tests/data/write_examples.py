#!/usr/bin/python3
"""write_examples.py [FOLDER]: writes the drawings of the examples, configs/drawings.

The DXF files are written by ezdxf (Debian: python3-ezdxf), the SVG file from text.
"""
import math
import sys
from pathlib import Path

from write_ezdxf import new, save

FOLDER = (Path(sys.argv[1]) if len(sys.argv) == 2
          else Path(__file__).resolve().parents[2] / "configs" / "drawings")


def hex_nut():
    """A nut M16: 24 mm across its flats, on a sheet with threads, centre lines and dimensions."""
    document, space = new()
    for layer in ("flats", "bore", "thread", "centre", "dimensions"):
        document.layers.add(layer)
    radius = 12 / math.cos(math.pi / 6)
    corners = [(radius * math.cos(a), radius * math.sin(a))
               for a in (math.pi / 6 + k * math.pi / 3 for k in range(6))]
    for begin, end in zip(corners, corners[1:] + corners[:1]):
        space.add_line(begin, end, dxfattribs={"layer": "flats"})
    space.add_circle((0, 0), 7, dxfattribs={"layer": "bore"})
    space.add_arc((0, 0), 8, 100, 10, dxfattribs={"layer": "thread"})
    space.add_line((-17, 0), (17, 0), dxfattribs={"layer": "centre"})
    space.add_line((0, -17), (0, 17), dxfattribs={"layer": "centre"})
    for x in (-12, 12):
        space.add_line((x, -8), (x, -21), dxfattribs={"layer": "dimensions"})
    space.add_line((-12, -20), (12, -20), dxfattribs={"layer": "dimensions"})
    for text, x, y in (("24", -1.5, -19.5), ("M16", 12, 14)):
        space.add_text(text, dxfattribs={"layer": "dimensions", "insert": (x, y), "height": 3})
    save(document, "hex_nut.dxf", FOLDER)


def l_bracket():
    """An L of 60 x 50, legs 10 and 12 wide, an inner fillet of 5 mm, a hole in each leg."""
    document, space = new()
    for layer in ("back", "inside", "fillet", "arm", "ends", "holes", "dimensions"):
        document.layers.add(layer)
    lines = [("back", (0, 0), (0, -50)), ("ends", (0, -50), (12, -50)),
             ("inside", (12, -50), (12, -15)), ("arm", (17, -10), (60, -10)),
             ("ends", (60, -10), (60, 0)), ("arm", (60, 0), (0, 0))]
    for layer, begin, end in lines:
        space.add_line(begin, end, dxfattribs={"layer": layer})
    space.add_arc((17, -15), 5, 90, 180, dxfattribs={"layer": "fillet"})
    for centre in ((48, -5), (6, -38)):
        space.add_circle(centre, 2.75, dxfattribs={"layer": "holes"})
    for text, x, y in (("60", 28, 3), ("50", -8, -27), ("R5", 20, -20)):
        space.add_text(text, dxfattribs={"layer": "dimensions", "insert": (x, y), "height": 3})
    save(document, "l_bracket.dxf", FOLDER)


def fillet(height, radius, side):
    """Where a fillet of 12 mm joins an eye at (0, height) and the shank above (1) or below it (-1).

    The shank's right edge goes from (10, 0) to (7, 100).
    """
    along = (-3 / math.hypot(3, 100), 100 / math.hypot(3, 100))
    out = (along[1], -along[0])
    distance = (10 - 0.03 * height) * out[0]  # from the eye's centre to the edge
    run = side * math.sqrt((radius + 12) ** 2 - (distance + 12) ** 2)
    edge = [distance * out[k] + run * along[k] for k in (0, 1)]
    middle = [edge[k] + 12 * out[k] for k in (0, 1)]
    eye = [radius / (radius + 12) * c for c in middle]
    return (eye[0], eye[1] + height), (edge[0], edge[1] + height)


def connecting_rod():
    """Eyes of 44 and 26 mm, 100 mm apart, a shank that tapers from 20 to 14 mm, fillets of 12 mm."""
    lower_eye, lower = fillet(0, 22, 1)
    upper_eye, upper = fillet(100, 13, -1)

    def at(point, side=1):
        return f"{40 + side * point[0]:.9g} {130 - point[1]:.9g}"  # on the page y points down

    text = f'''<svg xmlns="http://www.w3.org/2000/svg" width="80mm" height="170mm" viewBox="0 0 80 170">
  <g id="rod" fill="#ddd" stroke="#000" stroke-width="0.35">
    <path d="M{at(lower_eye)} A12 12 0 0 1 {at(lower)} L{at(upper)} A12 12 0 0 1 {at(upper_eye)}
             A13 13 0 1 0 {at(upper_eye, -1)} A12 12 0 0 1 {at(upper, -1)} L{at(lower, -1)}
             A12 12 0 0 1 {at(lower_eye, -1)} A22 22 0 1 0 {at(lower_eye)} Z"/>
    <circle cx="40" cy="130" r="13"/>
    <circle cx="40" cy="30" r="7"/>
  </g>
  <g id="notes"><text x="64" y="80" font-size="4">100</text></g>
</svg>
'''
    (FOLDER / "connecting_rod.svg").write_text(text, encoding="utf-8")


for write in (hex_nut, l_bracket, connecting_rod):
    write()
