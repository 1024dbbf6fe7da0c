#!/bin/sh
# write_others.sh: writes the files of Inkscape and OpenSCAD of this folder (Debian: inkscape, openscad).
set -eu
cd "$(dirname "$0")"
export PATH=/usr/bin:/bin # Inkscape writes DXF by Debian's Python
inkscape --actions="select-all:all;object-to-path;export-plain-svg;export-filename:nut_inkscape.svg;export-do" nut_source.svg
inkscape --export-extension=org.ekips.output.dxf_outlines --export-filename=nut_inkscape.dxf nut_inkscape.svg
openscad -q -o nut_openscad.dxf nut.scad
openscad -q -o nut_openscad.svg nut.scad
