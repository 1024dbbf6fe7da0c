#!/usr/bin/python3
"""write_ezdxf.py [FOLDER]: writes the DXF files of this folder with ezdxf (Debian: python3-ezdxf).

They are small: what no test looks at (dates, ids of the session) is fixed or left out.
"""
import math
import sys
from pathlib import Path

import ezdxf

FOLDER = Path(sys.argv[1]) if len(sys.argv) == 2 else Path(__file__).resolve().parent


def new(units=4, version="R2000"):
    """A drawing with no more than it needs; units 4: mm, 1: inch, 0: none."""
    document = ezdxf.new(version)
    document.header["$INSUNITS"] = units
    return document, document.modelspace()


def save(document, name, folder=FOLDER):
    """ENTITIES, BLOCKS, TABLES and HEADER, without the objects that the tests do not look at."""
    document.header["$TDCREATE"] = document.header["$TDUPDATE"] = 2459945.0
    path = folder / name
    document.saveas(path)
    lines = path.read_text(encoding="utf-8").split("\n")
    groups = list(zip(lines[0::2], lines[1::2]))
    kept, section, skip = [], None, False
    for k, (code, value) in enumerate(groups):
        if (code.strip(), value) == ("0", "SECTION"):
            section = groups[k + 1][1]
            skip = section in ("CLASSES", "OBJECTS")
        if not skip:
            kept.append((code.strip(), value))
        if (code.strip(), value) == ("0", "ENDSEC"):
            skip = False
    kept = without_defaults(kept)
    path.write_text("".join(f"{code}\n{value}\n" for code, value in kept), encoding="utf-8")


def without_defaults(groups):
    """Without the variables of the header but two, and the tables but layers."""
    kept, section, table, k = [], None, None, 0
    while k < len(groups):
        code, value = groups[k]
        if (code, value) == ("0", "SECTION"):
            section = groups[k + 1][1]
        if section == "HEADER" and code == "9" and value not in ("$ACADVER", "$INSUNITS"):
            k += 1
            while groups[k][0] not in ("9", "0"):
                k += 1
            continue
        if section == "TABLES" and (code, value) == ("0", "TABLE"):
            table = groups[k + 1][1]
        if section == "TABLES" and table not in (None, "LAYER"):
            if (code, value) == ("0", "ENDTAB"):
                table = None
            k += 1
            continue
        if not (code == "999"):
            kept.append((code, value))
        k += 1
    return kept


def bracket():
    """An L with an inner fillet of 5 mm, by lines and an arc, two holes, on layers; notes."""
    document, space = new()
    document.layers.add("part")
    document.layers.add("contact")
    document.layers.add("notes")
    document.layers.add("old", color=1).off()
    corners = [(0, 0), (60, 0), (60, 10), (15, 10)]
    for begin, end in zip(corners, corners[1:]):
        layer = "contact" if begin == (0, 0) else "part"
        space.add_line(begin, end, dxfattribs={"layer": layer})
    space.add_arc((15, 15), 5, 180, 270, dxfattribs={"layer": "part"})
    for begin, end in [((10, 15), (10, 40)), ((10, 40), (0, 40)), ((0, 40), (0, 0))]:
        space.add_line(begin, end, dxfattribs={"layer": "part"})
    space.add_circle((50, 5), 2.5, dxfattribs={"layer": "part"})
    space.add_circle((5, 32), 2.5, dxfattribs={"layer": "part"})
    space.add_text("M5", dxfattribs={"layer": "notes", "insert": (50, 12), "height": 3})
    space.add_point((50, 5), dxfattribs={"layer": "notes"})
    space.add_circle((30, 5), 3, dxfattribs={"layer": "old"})
    save(document, "bracket.dxf")


def slot():
    """A slot of 40 x 20 by bulges: as LWPOLYLINE, with a hole as an old POLYLINE, in inches."""
    document, space = new(units=1)
    inch = 25.4
    points = [(-10, -10, 0), (10, -10, 1), (10, 10, 0), (-10, 10, 1)]
    space.add_lwpolyline([(x / inch, y / inch, b) for x, y, b in points], format="xyb", close=True)
    space.add_polyline2d([(x / inch, y / inch, b) for x, y, b in [(-4, 0, 1), (4, 0, 1)]],
                         format="xyb", close=True)
    save(document, "slot_inch.dxf")


def ellipses():
    """A whole ellipse, semi-axes 20 and 8, turned by 30 degrees; a hole of two half ellipses."""
    document, space = new()
    turn = math.radians(30)
    space.add_ellipse((5, 3), (20 * math.cos(turn), 20 * math.sin(turn)), 0.4)
    space.add_ellipse((5, 3), (4, 0), 0.5, 0, math.pi)
    space.add_ellipse((5, 3), (4, 0), 0.5, math.pi, 2 * math.pi)
    save(document, "ellipses.dxf")


def splines():
    """A circle of radius 10 as a rational spline of degree 2; within it a closed cubic one."""
    document, space = new()
    h = math.sqrt(0.5)
    circle = [(10, 0), (10, 10), (0, 10), (-10, 10), (-10, 0), (-10, -10), (0, -10), (10, -10),
              (10, 0)]
    spline = space.add_rational_spline(circle, [1, h, 1, h, 1, h, 1, h, 1], degree=2)
    spline.knots = [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4]
    ring = [(5 * math.cos(a), 3 * math.sin(a)) for a in (k * math.pi / 4 for k in range(8))]
    space.add_spline().set_closed([(x, y, 0) for x, y in ring], degree=3)
    save(document, "splines.dxf")


def blocks():
    """A plate of 100 x 40 with holes by nested blocks: an array of 3 x 2, scaled, turned, mirrored."""
    document, space = new()
    hole = document.blocks.new("HOLE", base_point=(1, 1))
    hole.add_circle((1, 1), 1)
    pair = document.blocks.new("PAIR")
    pair.add_blockref("HOLE", (0, 0), dxfattribs={"xscale": 2, "yscale": 2})
    d = document.blocks.new("D")  # the letter: a half circle of radius 3 to the right
    d.add_line((0, -3), (0, 3))
    d.add_arc((0, 0), 3, -90, 90)
    space.add_lwpolyline([(0, 0), (100, 0), (100, 40), (0, 40)], close=True)
    space.add_blockref("PAIR", (10, 10), dxfattribs={
        "column_count": 3, "row_count": 2, "column_spacing": 15, "row_spacing": 20})
    space.add_blockref("D", (60, 20), dxfattribs={"xscale": -1})
    space.add_blockref("D", (75, 20), dxfattribs={"rotation": 90})
    space.add_blockref("D", (90, 20), dxfattribs={"xscale": 1, "yscale": 2})
    save(document, "blocks.dxf")


def mirrored():
    """A D whose arc and polyline have the extrusion (0, 0, -1), as CAD programs mirror."""
    document, space = new(units=0, version="R12")
    space.add_line((0, -10), (0, 10))
    space.add_arc((0, 0), 10, -90, 90, dxfattribs={"extrusion": (0, 0, -1)})
    space.add_polyline2d([(2, -2, 1), (2, 2, 0)], format="xyb", close=True,
                         dxfattribs={"extrusion": (0, 0, -1)})
    save(document, "mirrored_r12.dxf")


def untidy():
    """A square with gaps of 0.002 and 0.004 mm, duplicates, a line without length, one in pieces."""
    document, space = new()
    lines = [((0, 0), (10, 0)), ((10, 0.002), (10, 10)), ((10, 10), (4, 10)), ((4, 10), (0.004, 10)),
             ((0, 10), (0, 0)), ((0, 0), (0, 10)), ((10, 0), (0, 0)), ((3, 0), (3, 0))]
    for begin, end in lines:
        space.add_line(begin, end)
    save(document, "untidy.dxf")


if __name__ == "__main__":
    for write in (bracket, slot, ellipses, splines, blocks, mirrored, untidy):
        write()
