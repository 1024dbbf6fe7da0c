// A hexagon of 24 mm across flats with a hole of 12 sides, and a triangle beside it.
difference() {
  rotate(30) circle(r = 24 / sqrt(3), $fn = 6);
  circle(r = 7, $fn = 12);
}
translate([30, 0]) polygon([[0, 0], [12.5, 0], [0, 7.25]]);
