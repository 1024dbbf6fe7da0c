#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <numbers>

#include "geometry/mass_properties.hpp"
#include "geometry/outline_faults.hpp"
#include "grasp/base/solids/solid_drawing.hpp"
#include "tests/grasp/base/solids/step/made_solids.hpp"
#include "tests/support/config_error.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/random.hpp"
#include "tests/support/random_outlines.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap::testing {
namespace {

using Catch::Matchers::Contains;
using std::numbers::pi;

constexpr double kExact = 1e-9;

bool near(double value, double expected, double relative = kExact) {
  return std::abs(value - expected) <= relative * std::max(1.0, std::abs(expected));
}

SolidDrawing read(const MadeSolid& solid, const SolidOptions& options, const char* unit = "MM") {
  const TemporaryFolder folder;
  solid.write(folder.path() / "made.step", unit);
  return read_solid(folder.path() / "made.step", options);
}

SolidOptions at_height(double height_mm, const Vec3& up = {0, 0, 1}) {
  SolidOptions options;
  options.section_mm = height_mm;
  options.up = up;
  return options;
}

SolidOptions silhouette(const Vec3& up = {0, 0, 1}) {
  SolidOptions options;
  options.up = up;
  return options;
}

/// Elements of a drawing that are arcs, or edges.
int count_elements(const Drawing& drawing, bool arcs) {
  int count = 0;
  for (const Outline& region : drawing.regions) {
    for (const OutlineLoop* loop : loops_of(region)) {
      for (const OutlineElement& element : *loop) count += (element.bulge != 0.0) == arcs ? 1 : 0;
    }
  }
  return count;
}

Eigen::Isometry3d random_pose(Random& random) {
  Eigen::Vector4d q;
  for (double& x : q) x = random.uniform(-1.0, 1.0);
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = Eigen::Quaterniond(q.normalized()).toRotationMatrix();
  for (double& x : pose.translation()) x = random.uniform(-200.0, 200.0);
  return pose;
}

TEST_CASE("volume, centre of mass and inertia of solids in closed form are exact to 1e-9") {
  struct Known {
    const char* name;
    MadeSolid solid;
    double volume_mm3;
    double height_mm;    // of the centre of mass
    double inertia_mm5;  // about z
  };
  const double box = 30.0 * 20.0 * 12.0;
  const double cone = pi * 9.0 / 3.0 * (100.0 + 40.0 + 16.0);
  const double torus = 2.0 * pi * pi * 10.0 * 9.0;
  const Known all[] = {
      {"box", MadeSolid::box(30, 20, 12), box, 6.0, box * (900.0 + 400.0) / 12.0},
      {"cylinder", MadeSolid::cylinder(10, 7), pi * 700.0, 3.5, pi * 700.0 * 50.0},
      {"sphere", MadeSolid::sphere(10), 4000.0 * pi / 3.0, 10.0, 4000.0 * pi / 3.0 * 40.0},
      {"cone", MadeSolid::cone(10, 4, 9), cone, 9.0 / 4.0 * (100 + 80 + 48) / (100 + 40 + 16.0),
       pi * 9.0 / 10.0 * (1e5 - 1024.0) / 6.0},
      {"torus", MadeSolid::torus(10, 3), torus, 3.0, torus * (100.0 + 0.75 * 9.0)},
      {"tube", MadeSolid::cylinder(10, 7).without(MadeSolid::cylinder(4, 7)), pi * 7.0 * 84.0, 3.5,
       pi * 7.0 * (1e4 - 256.0) / 2.0},
  };
  for (const Known& known : all) {
    INFO(known.name);
    const SolidDrawing read_back = read(known.solid, silhouette());
    CHECK(near(read_back.volume_mm3, known.volume_mm3));
    CHECK(near(read_back.inertia_mm5, known.inertia_mm5));
    // A curved solid touches the table at a point that OpenCASCADE's box knows to some digits.
    CHECK(near(read_back.center_of_mass_mm.z(), known.height_mm, 1e-7));
  }
}

TEST_CASE(
    "planes that cut planes, cylinders, cones, spheres and tori give exact segments and arcs") {
  SECTION("a plate with a hole") {
    const auto made = MadeSolid::box(30, 20, 12)
                          .without(MadeSolid::cylinder(5, 12).placed(
                              Eigen::Isometry3d(Eigen::Translation3d(11, 9, 0))));
    const Drawing drawing = read(made, at_height(4)).drawing;
    CHECK(count_elements(drawing, false) == 4);
    CHECK(near(drawing.area_mm2, 600.0 - 25.0 * pi));
    CHECK(drawing.curve_error_mm == 0.0);
    const OutlineCurve hole = outline_curve(drawing.regions.at(0).holes.at(0), 0);
    CHECK(near(hole.radius_mm, 5.0));
    CHECK((hole.center_mm - Vec2(11, 9)).norm() < kExact);
  }
  SECTION("a cylinder that lies down") {
    const Drawing drawing = read(MadeSolid::cylinder(5, 40), at_height(2, {1, 0, 0})).drawing;
    CHECK(count_elements(drawing, true) == 0);
    // The chord of a circle of radius 5 at 2 mm above its lowest point is 8 mm long.
    CHECK(near(drawing.area_mm2, 8.0 * 40.0, 1e-7));
  }
  SECTION("round ones") {
    const struct {
      MadeSolid solid;
      double height_mm;
      double area_mm2;
    } all[] = {{MadeSolid::sphere(10), 4.0, pi * (100.0 - 36.0)},
               {MadeSolid::cone(10, 4, 9), 3.0, pi * 64.0},
               {MadeSolid::torus(10, 3), 4.0, pi * 4.0 * 10.0 * std::sqrt(8.0)}};
    for (const auto& known : all) {
      const Drawing drawing = read(known.solid, at_height(known.height_mm)).drawing;
      CHECK(count_elements(drawing, false) == 0);
      CHECK(near(drawing.area_mm2, known.area_mm2, 1e-7));
      CHECK(drawing.curve_error_mm == 0.0);
    }
  }
  SECTION("a rounded box") {
    const Drawing drawing = read(MadeSolid::box(30, 20, 12).rounded(3), at_height(6)).drawing;
    CHECK(count_elements(drawing, false) == 4);
    CHECK(count_elements(drawing, true) == 4);
    CHECK(near(drawing.area_mm2, 600.0 - (4.0 - pi) * 9.0));
  }
}

TEST_CASE("a cylinder that is cut askew is an ellipse, whose arcs are off by what is told") {
  const double tilt = 0.6;
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.rotate(Eigen::AngleAxisd(tilt, Vec3::UnitX()));
  const auto made = MadeSolid::cylinder(8, 60).placed(pose);
  const Drawing drawing = read(made, at_height(25)).drawing;
  CHECK(drawing.curve_error_mm > 0.0);
  CHECK(drawing.curve_error_mm <= 0.005);
  const double area = pi * 64.0 / std::cos(tilt);
  CHECK(std::abs(drawing.area_mm2 - area) < drawing.curve_error_mm * 2.0 * pi * 10.0);
}

TEST_CASE("splines become arcs that are off by the tolerance at most") {
  const std::vector<Eigen::Vector2d> points{{20, 0},  {12, 11},  {0, 13},
                                            {-16, 9}, {-18, -6}, {3, -12}};
  const auto made = MadeSolid::spline_prism(points, 10);
  SolidOptions options = at_height(5);
  const Drawing fine = read(made, options).drawing;
  options.drawing.tolerance_mm = 0.1;
  const Drawing coarse = read(made, options).drawing;
  CHECK(fine.curve_error_mm <= 0.005);
  CHECK(coarse.curve_error_mm <= 0.1);
  CHECK(coarse.regions.at(0).outer.size() < fine.regions.at(0).outer.size());
  for (const Eigen::Vector2d& p : points) {
    double nearest = 1.0;
    for (const OutlineCurve& curve : outline_curves(fine.regions.at(0).outer)) {
      nearest = std::min(nearest, distance_mm(curve, p));
    }
    CHECK(nearest < 0.005);
  }
  // The prism's volume is known to OpenCASCADE: that of its section times its height.
  CHECK(std::abs(fine.area_mm2 * 10.0 - read(made, options).volume_mm3) < 0.005 * 100.0 * 10.0);
}

TEST_CASE("files in inches are read in mm, and assemblies as they are placed") {
  const SolidDrawing inch = read(MadeSolid::box(25.4, 50.8, 25.4), at_height(3), "INCH");
  CHECK(near(inch.volume_mm3, 25.4 * 50.8 * 25.4));
  CHECK_THAT(inch.drawing.units, Contains("inch", Catch::CaseSensitive::No));
  const Eigen::Isometry3d aside(Eigen::Translation3d(100, 0, 0));
  const auto both = MadeSolid::box(10, 10, 10).beside(MadeSolid::cylinder(4, 6).placed(aside));
  SolidOptions options = silhouette();
  const std::string message = config_error([&] { read(both, options); });
  CHECK_THAT(message,
             Contains("has 2 solids: 1: 10 x 10 x 10 mm from (0, 0, 0), 2: 8 x 8 x 6 mm from "
                      "(96, -4, 0); choose one with --solid N"));
  options.solid = 2;
  const SolidDrawing second = read(both, options);
  CHECK(near(second.volume_mm3, pi * 16.0 * 6.0));
  CHECK(near(second.center_of_mass_mm.x(), 100.0));
}

/// A round hole about the centroid, where that lies well inside.
void add_hole(Outline& outline) {
  Part part;
  part.outlines.push_back({"", outline, {}});
  const Vec2 center = area_integrals(part).centroid_P_mm;
  if (!contains(outline, center)) return;
  double free = 1e9;
  for (const OutlineCurve& curve : outline_curves(outline.outer)) {
    free = std::min(free, distance_mm(curve, center));
  }
  const Vec2 radius(0.6 * free, 0.0);
  outline.holes = {{{center + radius, -1.0, ""}, {center - radius, -1.0, ""}}};
}

TEST_CASE("prisms of 100 random outlines, turned at random, are found with their sections") {
  Random random(20261128);
  for (int k = 0; k < 100; ++k) {
    Outline outline{random_outline(random, static_cast<OutlineKind>(k % 9)), {}};
    const Eigen::AlignedBox2d box = box_of(outline.outer);
    add_hole(outline);
    const double height = random.uniform(0.2, 1.5) * box.sizes().maxCoeff();
    Part part;
    part.outlines.push_back({"", outline, {}});
    const AreaIntegrals plate = area_integrals(part);
    const Eigen::Isometry3d pose = random_pose(random);
    const double at = random.uniform(0.05, 0.95) * height;
    INFO("prism " << k << ", " << kOutlineKinds[static_cast<std::size_t>(k % 9)]);
    const MadeSolid made = MadeSolid::prism(outline, height).placed(pose);
    const TemporaryFolder folder;
    made.write(folder.path() / "made.step");
    SolidOptions options;
    // Its base is one of the rests.
    options.drawing.tolerance_mm = std::max(0.05, 1e-3 * box.sizes().maxCoeff());
    const SolidDrawing any = read_solid(folder.path() / "made.step", options);
    const Vec3 up = pose.linear() * Vec3::UnitZ();
    int rest = 0;
    for (std::size_t r = 0; r < any.rests.size(); ++r) {
      if ((any.rests[r].up - up).norm() < kExact) rest = static_cast<int>(r) + 1;
    }
    REQUIRE(rest > 0);
    options.rest = rest;
    options.section_mm = at;
    const SolidDrawing solid = read_solid(folder.path() / "made.step", options);
    CHECK(near(solid.volume_mm3, plate.area_mm2 * height));
    CHECK(near(solid.inertia_mm5, plate.polar_moment_mm4 * height));
    CHECK(near(solid.height_mm, height));
    CHECK(near(solid.center_of_mass_mm.z(), 0.5 * height));
    CHECK(near(solid.drawing.area_mm2, plate.area_mm2));
    CHECK((solid.drawing.centroid_mm - solid.center_of_mass_mm.head<2>()).norm() <
          kExact * (200.0 + box.sizes().maxCoeff()));
    CHECK(solid.drawing.curve_error_mm == 0.0);
    CHECK_FALSE(solid.overhang);
    int arcs = 0;
    for (const OutlineElement& element : outline.outer) arcs += element.bulge != 0.0 ? 1 : 0;
    CHECK(count_elements(solid.drawing, true) == arcs + 2 * static_cast<int>(outline.holes.size()));
    CHECK(count_elements(solid.drawing, false) == static_cast<int>(outline.outer.size()) - arcs);
    // The silhouette, made from facets, agrees within what it tells.
    if (rest != 1) continue;
    double length = 0.0;
    for (const OutlineLoop* loop : loops_of(outline)) {
      for (const OutlineCurve& curve : outline_curves(*loop)) length += curve.length_mm();
    }
    CHECK(std::abs(any.drawing.area_mm2 - plate.area_mm2) <=
          std::max(any.drawing.curve_error_mm, kExact) * length);
  }
}

TEST_CASE("random revolved solids have the sections and mass of their profiles") {
  Random random(7);
  for (int k = 0; k < 40; ++k) {
    // Steps and cones: radii at rising heights, about the axis.
    std::vector<Eigen::Vector2d> profile{{0.0, 0.0}};
    double z = 0.0;
    const int steps = 2 + random.index(4);
    for (int i = 0; i < steps; ++i) {
      profile.emplace_back(random.uniform(2.0, 20.0), z);
      z += random.uniform(1.0, 8.0);
      const bool is_cylinder = random.index(2) == 0;
      profile.emplace_back(is_cylinder ? profile.back().x() : random.uniform(2.0, 20.0), z);
    }
    profile.emplace_back(0.0, z);
    double volume = 0.0;
    double moment = 0.0;
    double inertia = 0.0;
    for (std::size_t i = 1; i + 2 < profile.size(); ++i) {
      const double a = profile[i].x();
      const double b = profile[i + 1].x();
      const double h = profile[i + 1].y() - profile[i].y();
      const double v = pi * h / 3.0 * (a * a + a * b + b * b);
      volume += v;
      moment += profile[i].y() * v + pi * h * h / 12.0 * (a * a + 2.0 * a * b + 3.0 * b * b);
      inertia += pi * h / 10.0 *
                 (a * a * a * a + a * a * a * b + a * a * b * b + a * b * b * b + b * b * b * b);
    }
    const double at = random.uniform(0.02, 0.98) * z;
    double radius = 0.0;
    double widest_above = 0.0;
    for (std::size_t i = 1; i + 2 < profile.size(); ++i) {
      const auto& p = profile[i];
      const auto& q = profile[i + 1];
      if (p.y() < at && at < q.y())
        radius = p.x() + (at - p.y()) / (q.y() - p.y()) * (q.x() - p.x());
      if (p.y() >= at) widest_above = std::max(widest_above, p.x());
      if (q.y() > at) widest_above = std::max(widest_above, q.x());
    }
    INFO("revolved " << k);
    const SolidDrawing solid = read(MadeSolid::revolved(profile), at_height(at));
    CHECK(near(solid.volume_mm3, volume));
    CHECK(near(solid.center_of_mass_mm.z(), moment / volume));
    CHECK(near(solid.inertia_mm5, inertia));
    CHECK(near(solid.height_mm, z));
    REQUIRE(solid.drawing.regions.size() == 1);
    CHECK(near(outline_curve(solid.drawing.regions[0].outer, 0).radius_mm, radius));
    CHECK(near(solid.drawing.area_mm2, pi * radius * radius));
    const double out = widest_above - radius;
    CHECK(std::abs((solid.overhang ? solid.overhang->out_mm : 0.0) - std::max(out, 0.0)) < 0.006);
  }
}

TEST_CASE("silhouettes agree with closed forms within what they tell") {
  const auto check = [](const MadeSolid& solid, const Vec3& up, double area, double length) {
    const Drawing drawing = read(solid, silhouette(up)).drawing;
    CHECK(drawing.curve_error_mm <= 0.0075);
    CHECK(std::abs(drawing.area_mm2 - area) <= drawing.curve_error_mm * length);
  };
  check(MadeSolid::sphere(10), {0, 0, 1}, 100.0 * pi, 20.0 * pi);
  check(MadeSolid::sphere(10), {1, 2, 3}, 100.0 * pi, 20.0 * pi);
  check(MadeSolid::torus(10, 3), {0, 0, 1}, pi * (169.0 - 49.0), 40.0 * pi);
  check(MadeSolid::cylinder(5, 40), {1, 0, 0}, 400.0, 100.0);
  check(MadeSolid::cone(10, 4, 9), {0, 0, -1}, 100.0 * pi, 20.0 * pi);
  // A cube seen along its diagonal is a regular hexagon.
  check(MadeSolid::box(10, 10, 10), {1, 1, 1}, 100.0 * std::sqrt(3.0), 50.0);
}

TEST_CASE("a solid rests on its faces, the most stable first; it rolls on round ones") {
  const auto rests = [](const MadeSolid& solid) {
    SolidOptions options;
    options.drawing.tolerance_mm = 0.05;
    return read(solid, options).rests;
  };
  const std::vector<Rest> box = rests(MadeSolid::box(10, 20, 30));
  REQUIRE(box.size() == 6);
  CHECK(box[0].up == Vec3(1, 0, 0));
  CHECK(box[1].up == Vec3(-1, 0, 0));
  CHECK(near(box[0].margin_rad, std::atan2(10.0, 5.0)));
  CHECK(near(box[0].support_mm2, 600.0));
  CHECK(near(box[5].margin_rad, std::atan2(5.0, 15.0)));
  CHECK(rests(MadeSolid::cylinder(5, 40)).size() == 2);
  CHECK(rests(MadeSolid::cone(10, 4, 9)).size() == 2);
  CHECK(rests(MadeSolid::box(30, 20, 12).rounded(3)).size() == 6);
  // A tower that leans too far does not stand on its foot: a prism of a sheared outline.
  const OutlineLoop leaning{
      {{0, 0}, 0.0, ""}, {{10, 0}, 0.0, ""}, {{40, 30}, 0.0, ""}, {{30, 30}, 0.0, ""}};
  for (const Rest& rest : rests(MadeSolid::prism({leaning, {}}, 8))) {
    CHECK((rest.up - Vec3(0, 1, 0)).norm() > 0.1);
  }
  CHECK_THAT(config_error([&] { rests(MadeSolid::sphere(10)); }),
             Contains("rests on no face: it rolls or tips over; say with --up X,Y,Z"));
}

TEST_CASE("an STL file of the same solid gives the same answers within the size of its facets") {
  const auto made = MadeSolid::cylinder(16, 5)
                        .with(MadeSolid::cylinder(10, 22))
                        .without(MadeSolid::cylinder(6, 22));
  const TemporaryFolder folder;
  const SolidDrawing exact = read(made, at_height(8));
  double before = 1.0;
  for (const double deviation : {0.1, 0.01, 0.001}) {
    made.write_stl(folder.path() / "made.stl", deviation);
    SolidOptions options = at_height(8);
    options.drawing.tolerance_mm = 2.0 * deviation;
    const SolidDrawing stl = read_solid(folder.path() / "made.stl", options);
    const double off = std::abs(stl.volume_mm3 / exact.volume_mm3 - 1.0);
    CHECK(off < 0.3 * deviation);
    CHECK(off < before);
    before = off;
    // Corners of the mesh lie on the cylinder, so the circle through them is exact to single
    // precision.
    CHECK(near(stl.drawing.area_mm2, exact.drawing.area_mm2, 1e-6));
    CHECK(count_elements(stl.drawing, false) == 0);
    CHECK(stl.drawing.curve_error_mm <= 2.0 * deviation);
  }
}

TEST_CASE("what no section can be made of is told in one line") {
  const auto message = [](const MadeSolid& solid, const SolidOptions& options) {
    return config_error([&] { read(solid, options); });
  };
  const auto stepped = MadeSolid::cylinder(16, 5).with(MadeSolid::cylinder(10, 22));
  CHECK_THAT(
      message(stepped, at_height(5)),
      Contains("has a face at 5 mm, and other sections above and below it; must be between its "
               "faces at 0, 5, 22 mm"));
  CHECK_THAT(message(stepped, at_height(30)),
             Contains("has no section at 30 mm; must be above 0 and below "
                      "its height there, 22 mm"));
  CHECK_THAT(message(MadeSolid::box(10, 10, 10).skin(), silhouette()),
             Contains("has surfaces or curves, but no solid; must be closed to a solid"));
  SolidOptions options;
  options.rest = 7;
  CHECK_THAT(message(MadeSolid::box(10, 10, 10), options),
             Contains("has no rest 7; must be from 1 to 6"));
  options = silhouette();
  options.solid = 2;
  CHECK_THAT(message(MadeSolid::box(10, 10, 10), options),
             Contains("has 1 solid: 1: 10 x 10 x 10 mm"));
}

TEST_CASE("broken STEP files are refused in one line") {
  const TemporaryFolder folder;
  MadeSolid::box(10, 20, 30).without(MadeSolid::cylinder(3, 9)).write(folder.path() / "whole.step");
  const std::string whole = file_text(folder.path() / "whole.step");
  const auto message = [&](const std::string& text) {
    return config_error_of_file("made.step", text, [](const auto& file) {
      SolidOptions options;
      read_solid(file, options);
    });
  };
  CHECK(message(whole) == "(no error)");
  CHECK(message("") == "made.step: is empty; give a STEP file");
  const std::string unread =
      "made.step: cannot be read as STEP; must be a whole file of ISO 10303-21";
  CHECK(message("garbage\n") == unread);
  CHECK(message(whole.substr(0, 300)) == unread);
  CHECK(message(whole.substr(0, whole.size() / 2)) == unread);
  CHECK(message("ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\nENDSEC;\nEND-ISO-10303-21;\n") == unread);
  // Bytes changed here and there: whatever OpenCASCADE makes of it, it is an answer or one line.
  Random random(3);
  for (int k = 0; k < 60; ++k) {
    std::string text = whole;
    for (int i = 0; i <= k % 5; ++i) {
      const auto at = static_cast<std::size_t>(random.index(static_cast<int>(text.size())));
      if (k % 3 == 0) {
        text.erase(at, 1 + static_cast<std::size_t>(random.index(40)));
      } else {
        text[at] = "0123456789#(),.*$;-E"[random.index(20)];
      }
    }
    const std::string told = message(text);
    INFO(told);
    CHECK(told.find('\n') == std::string::npos);
  }
}

}  // namespace
}  // namespace graspmap::testing
