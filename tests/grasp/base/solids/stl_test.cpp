#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <functional>
#include <numbers>

#include "grasp/base/solids/mesh.hpp"
#include "grasp/base/solids/solid_drawing.hpp"
#include "tests/support/config_error.hpp"
#include "tests/support/random.hpp"

namespace graspmap::testing {
namespace {

using Catch::Matchers::Contains;
using std::numbers::pi;

using Triangles = std::vector<std::array<Vec3, 3>>;

/// Between two heights, over a convex polygon.
Triangles prism_facets(const std::vector<Vec2>& polygon, double low, double high) {
  Triangles facets;
  const auto at = [](const Vec2& p, double z) { return Vec3(p.x(), p.y(), z); };
  const std::size_t n = polygon.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Vec2& p = polygon[k];
    const Vec2& q = polygon[(k + 1) % n];
    facets.push_back({at(p, low), at(q, low), at(q, high)});
    facets.push_back({at(p, low), at(q, high), at(p, high)});
    if (k == 0 || k + 1 == n) continue;
    facets.push_back({at(polygon[0], low), at(q, low), at(p, low)});
    facets.push_back({at(polygon[0], high), at(p, high), at(q, high)});
  }
  return facets;
}

std::vector<Vec2> circle(double radius, int corners) {
  std::vector<Vec2> polygon;
  for (int k = 0; k < corners; ++k) {
    polygon.push_back(radius *
                      Vec2(std::cos(2.0 * pi * k / corners), std::sin(2.0 * pi * k / corners)));
  }
  return polygon;
}

Triangles box_facets(double x, double y, double z) {
  return prism_facets({{0, 0}, {x, 0}, {x, y}, {0, y}}, 0.0, z);
}

std::string ascii(const Triangles& facets) {
  std::string text = "solid made by a test\n";
  for (const auto& facet : facets) {
    text += "facet normal 0 0 0\n outer loop\n";
    for (const Vec3& p : facet) text += fmt::format("  vertex {} {} {}\n", p.x(), p.y(), p.z());
    text += " endloop\nendfacet\n";
  }
  return text + "endsolid made by a test\n";
}

std::string binary(const Triangles& facets) {
  std::string bytes(80, ' ');
  const auto put = [&](const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  put(static_cast<std::uint32_t>(facets.size()));
  for (const auto& facet : facets) {
    for (int k = 0; k < 3; ++k) put(0.0F);
    for (const Vec3& p : facet) {
      for (const double x : p) put(static_cast<float>(x));
    }
    put(std::uint16_t{0});
  }
  return bytes;
}

SolidDrawing drawing(const std::string& bytes, const SolidOptions& options, double scale = 1.0) {
  return solid_drawing(*parse_stl(bytes, "made.stl", scale), "made.stl", options);
}

SolidOptions at_height(double height_mm) {
  SolidOptions options;
  options.section_mm = height_mm;
  options.up = Vec3(0, 0, 1);
  return options;
}

TEST_CASE("a box is the same from an ASCII and a binary STL file, in another unit too") {
  const Triangles box = box_facets(30, 20, 12);
  for (const std::string& bytes : {ascii(box), binary(box)}) {
    const SolidDrawing solid = drawing(bytes, at_height(5));
    CHECK(solid.volume_mm3 == Approx(7200.0).epsilon(1e-12));
    CHECK(solid.inertia_mm5 == Approx(7200.0 * 1300.0 / 12.0).epsilon(1e-12));
    CHECK((solid.center_of_mass_mm - Vec3(15, 10, 6)).norm() < 1e-12);
    CHECK(solid.drawing.area_mm2 == Approx(600.0).epsilon(1e-12));
    REQUIRE(solid.drawing.regions.size() == 1);
    CHECK(solid.drawing.regions[0].outer.size() == 4);
    CHECK(solid.drawing.curve_error_mm == 0.0);
  }
  SolidOptions options = at_height(5 * 25.4);
  const SolidDrawing inches = drawing(binary(box), options, 25.4);
  CHECK(inches.drawing.area_mm2 == Approx(600.0 * 25.4 * 25.4).epsilon(1e-6));
}

TEST_CASE("facets that face inwards are turned") {
  Triangles box = box_facets(30, 20, 12);
  for (auto& facet : box) std::swap(facet[0], facet[1]);
  CHECK(drawing(ascii(box), at_height(5)).volume_mm3 == Approx(7200.0));
}

TEST_CASE("keywords of an ASCII file may have capitals") {
  std::string text = ascii(box_facets(30, 20, 12));
  for (char& c : text) c = static_cast<char>(std::toupper(c));
  CHECK(drawing(text, at_height(5)).volume_mm3 == Approx(7200.0));
}

TEST_CASE("lines of an ASCII file may end with a carriage return") {
  std::string text = ascii(box_facets(30, 20, 12));
  std::replace(text.begin(), text.end(), '\n', '\r');
  CHECK(drawing(text, at_height(5)).volume_mm3 == Approx(7200.0));
}

TEST_CASE("shells lie apart or are hollows; those that overlap are refused") {
  const auto box = [](const Vec3& low, const Vec3& high, bool inwards = false) {
    Triangles facets =
        prism_facets({low.head<2>(), {high.x(), low.y()}, high.head<2>(), {low.x(), high.y()}},
                     low.z(), high.z());
    for (auto& facet : facets) {
      if (inwards) std::swap(facet[0], facet[1]);
    }
    return facets;
  };
  const Triangles plate = box({0, 0, 0}, {40, 20, 10});
  const auto with = [&](const Triangles& more) {
    Triangles all = plate;
    all.insert(all.end(), more.begin(), more.end());
    return ascii(all);
  };
  const auto volume = [](const std::string& text) {
    return parse_stl(text, "a.stl", 1.0)->integrals().volume_mm3;
  };
  CHECK(volume(with(box({50, 0, 0}, {60, 10, 10}))) == Approx(9000));              // apart
  CHECK(volume(with(box({5, 5, 10}, {15, 15, 20}))) == Approx(9000));              // on top
  CHECK(volume(with(box({40, 0, 0}, {50, 20, 10}))) == Approx(10000));             // share a face
  CHECK(volume(with(box({40, 20, 0}, {50, 30, 10}))) == Approx(9000));             // an edge
  CHECK(volume(with(box({10, 5, 2}, {30, 15, 8}, true))) == Approx(8000 - 1200));  // a hollow
  Triangles nested = box({10, 5, 2}, {30, 15, 8}, true);
  const Triangles inner = box({15, 8, 4}, {20, 10, 6});
  nested.insert(nested.end(), inner.begin(), inner.end());
  CHECK(volume(with(nested)) == Approx(8000 - 1200 + 20));
  const auto error = [](const std::string& text) {
    return config_error([&] { parse_stl(text, "a.stl", 1.0); });
  };
  CHECK(
      error(with(box({10, 5, -5}, {30, 15, 4}))) ==
      "a.stl: is not one solid: the shell from (0, 0, 0) to (40, 20, 10) mm crosses the shell from "
      "(10, 5, -5) to (30, 15, 4) mm; its shells must lie apart, or within one as hollows that "
      "face "
      "inwards (unite them in the program that made it)");
  CHECK_THAT(error(with(box({10, -10, 2}, {20, 30, 8}))), Contains("crosses"));  // no corner within
  CHECK_THAT(error(with(box({20, 0, 0}, {60, 20, 10}))),
             Contains("overlaps it"));                                            // coplanar sides
  CHECK_THAT(error(with(box({0, 0, 0}, {40, 10, 5}))), Contains("overlaps it"));  // share an edge
  CHECK_THAT(error(with(box({10, 5, 2}, {30, 15, 8}))),
             Contains("(10, 5, 2) to (30, 15, 8) mm faces outwards, and lies in another one"));
  CHECK_THAT(error(with(box({50, 0, 0}, {60, 10, 10}, true))), Contains("lies in no other one"));
  CHECK_THAT(error(with(plate)), Contains("is there twice"));
}

TEST_CASE("messages about a solid name no layers") {
  Triangles boxes = box_facets(20, 20, 10);
  for (auto facet : box_facets(20, 20, 10)) {
    for (Vec3& corner : facet) corner += Vec3(20, 20, 0);
    boxes.push_back(facet);
  }
  CHECK_THAT(config_error([&] { drawing(ascii(boxes), at_height(5)); }),
             Contains("4 ends meet at (20, 20) mm") && !Contains("layer"));
}

TEST_CASE("shells of many facets are compared within a second or two") {
  Triangles facets = prism_facets(circle(20.0, 4000), 0.0, 10.0);
  Triangles hollow = prism_facets(circle(19.0, 4000), 1.0, 9.0);
  for (auto& facet : hollow) std::swap(facet[0], facet[1]);
  facets.insert(facets.end(), hollow.begin(), hollow.end());
  CHECK(parse_stl(binary(facets), "a.stl", 1.0)->integrals().volume_mm3 ==
        Approx(pi * (4000.0 - 361.0 * 8.0)).epsilon(1e-6));
}

TEST_CASE("chords of a circle become its arcs, as soon as the tolerance allows") {
  const std::string bytes = ascii(prism_facets(circle(10.0, 60), 0.0, 8.0));
  const double sagitta = 10.0 * (1.0 - std::cos(pi / 60.0));  // 0.0137 mm
  SolidOptions options = at_height(3.3);
  const Drawing edges = drawing(bytes, options).drawing;
  CHECK(edges.regions.at(0).outer.size() == 60);
  REQUIRE(edges.notes.size() == 1);
  CHECK(edges.notes[0] == "it has many short edges: --tolerance-mm 0.025 would make arcs of them");
  options.drawing.tolerance_mm = 0.025;
  const Drawing arcs = drawing(bytes, options).drawing;
  CHECK(arcs.regions.at(0).outer.size() == 2);
  CHECK(outline_curve(arcs.regions[0].outer, 0).radius_mm == Approx(10.0).epsilon(1e-9));
  CHECK(arcs.area_mm2 == Approx(100.0 * pi).epsilon(1e-9));
  CHECK(arcs.curve_error_mm == Approx(sagitta).epsilon(1e-6));
}

TEST_CASE("a section's polygon is nowhere farther from what replaces it than is told") {
  Random random(11);
  for (int k = 0; k < 300; ++k) {
    // Wavy loops, of few corners and of many, some with straight stretches.
    Polygon2 polygon;
    const int n = 5 + random.index(200);
    const double wave = random.uniform(0.0, 0.3);
    const int waves = 2 + random.index(5);
    for (int i = 0; i < n; ++i) {
      const double a = 2.0 * pi * i / n;
      polygon.push_back((20.0 + 20.0 * wave * std::cos(waves * a)) *
                        Vec2(std::cos(a), std::sin(a)));
    }
    const double tolerance = std::pow(10.0, random.uniform(-4.0, -0.5));
    const SolidSection section = section_of({polygon}, tolerance);
    CHECK(section.deviation_mm <= tolerance);
    CHECK(section.curves.size() <= polygon.size());
    double most = 0.0;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      for (const double share : {0.0, 0.25, 0.5, 0.75}) {
        const Vec2 p = polygon[i] + share * (polygon[(i + 1) % polygon.size()] - polygon[i]);
        double nearest = 1e9;
        for (const SectionCurve& curve : section.curves) {
          const auto& stroke = std::get<SectionStroke>(curve);
          nearest = std::min(
              nearest, distance_mm(outline_curve(stroke.begin_mm, stroke.end_mm, stroke.bulge), p));
        }
        most = std::max(most, nearest);
      }
    }
    CHECK(most <= section.deviation_mm + 1e-9);
  }
}

TEST_CASE("a silhouette is the union of all facets seen from above") {
  Random random(5);
  for (int k = 0; k < 100; ++k) {
    // Boxes one above the other, with air between them: their rectangles overlap in any way.
    Triangles facets;
    std::vector<Eigen::AlignedBox2d> boxes;
    const int count = 1 + random.index(4);
    for (int i = 0; i < count; ++i) {
      // Half of the corners lie on a coarse grid, so that edges coincide.
      const auto some = [&](double low, double high) {
        const double x = random.uniform(low, high);
        return random.index(2) == 0 ? std::round(x / 5.0) * 5.0 : x;
      };
      const Vec2 low(some(0, 20), some(0, 20));
      const Vec2 high(low.x() + std::abs(some(5, 20)), low.y() + std::abs(some(5, 20)));
      boxes.emplace_back(low, high);
      const Triangles more = prism_facets({low, {high.x(), low.y()}, high, {low.x(), high.y()}},
                                          3.0 * i, 3.0 * i + 2.0);
      facets.insert(facets.end(), more.begin(), more.end());
    }
    const std::unique_ptr<SolidBody> solid = parse_stl(ascii(facets), "made.stl", 1.0);
    // The area of a union of rectangles, on the grid of all their sides.
    std::vector<double> xs;
    std::vector<double> ys;
    for (const auto& box : boxes) {
      xs.insert(xs.end(), {box.min().x(), box.max().x()});
      ys.insert(ys.end(), {box.min().y(), box.max().y()});
    }
    std::sort(xs.begin(), xs.end());
    std::sort(ys.begin(), ys.end());
    const double above = 3.0 * random.index(count) + 1.0;
    const auto united = [&](double from) {
      double area = 0.0;
      for (std::size_t i = 0; i + 1 < xs.size(); ++i) {
        for (std::size_t j = 0; j + 1 < ys.size(); ++j) {
          const Vec2 middle(0.5 * (xs[i] + xs[i + 1]), 0.5 * (ys[j] + ys[j + 1]));
          for (int b = 0; b < count; ++b) {
            if (3.0 * b + 2.0 <= from || !boxes[index(b)].contains(middle)) continue;
            area += (xs[i + 1] - xs[i]) * (ys[j + 1] - ys[j]);
            break;
          }
        }
      }
      return area;
    };
    const auto seen = [&](double from) {
      double area = 0.0;
      for (const Polygon2& polygon :
           mesh_silhouette(solid->mesh(), SolidPose::Identity(), from, 1e9)) {
        for (std::size_t i = 0; i < polygon.size(); ++i) {
          area += 0.5 * cross(polygon[i], polygon[(i + 1) % polygon.size()]);
        }
      }
      return area;
    };
    CHECK(seen(-1e9) == Approx(united(-1e9)).epsilon(1e-7));
    CHECK(seen(above) == Approx(united(above)).epsilon(1e-7));
  }
}

TEST_CASE("what reaches out above the section is found, up to the fingers' height") {
  // A stem of radius 5 under a head of radius 9, from 10 mm up.
  Triangles facets = prism_facets(circle(5.0, 90), 0.0, 10.0);
  const Triangles head = prism_facets(circle(9.0, 90), 10.0, 14.0);
  facets.insert(facets.end(), head.begin(), head.end());
  SolidOptions options = at_height(4);
  options.drawing.tolerance_mm = 0.02;
  const SolidDrawing all = drawing(ascii(facets), options);
  REQUIRE(all.overhang);
  CHECK(all.overhang->out_mm == Approx(4.0).margin(0.01));
  CHECK(all.overhang->at_mm.norm() == Approx(9.0).margin(0.01));
  options.finger_height_mm = 5.0;
  CHECK_FALSE(drawing(ascii(facets), options).overhang);
  options.finger_height_mm = 7.0;
  CHECK(drawing(ascii(facets), options).overhang);
}

TEST_CASE("rests of meshes: plane faces, not those of round ones") {
  const auto count = [](const Triangles& facets) {
    return drawing(binary(facets), {}).rests.size();
  };
  CHECK(count(box_facets(10, 20, 30)) == 6);
  for (const int corners : {24, 60, 200})
    CHECK(count(prism_facets(circle(10, corners), 0, 20)) == 2);
  CHECK(count(prism_facets(circle(10, 6), 0, 20)) == 8);
  const SolidDrawing box = drawing(binary(box_facets(10, 20, 30)), {});
  CHECK(box.rests[0].margin_rad == Approx(std::atan2(10.0, 5.0)));
  CHECK(box.height_mm == Approx(10.0));
  const std::string text = solid_text(box, "made.stl", 1e-6);
  CHECK_THAT(
      text,
      Contains("  rest 1    +x up, tips over at 63.4 deg: 10 mm high, centre at 5 mm, support "
               "600 mm^2, silhouette 30 x 20 mm (taken)\n"));
  CHECK_THAT(text, Contains("  mass      0.006 kg, 0.65 kg mm^2 about the vertical axis\n"));
}

TEST_CASE("rotation and origin move the centre of mass with the outline") {
  SolidOptions options = at_height(5);
  options.drawing.rotation_rad = 0.3;
  options.drawing.origin = DrawingOrigin::kCentroid;
  const SolidDrawing solid = drawing(ascii(box_facets(30, 20, 12)), options);
  CHECK(solid.center_of_mass_mm.head<2>().norm() < 1e-9);
  CHECK(solid.drawing.centroid_mm.norm() < 1e-9);
}

TEST_CASE("broken STL files are refused in one line") {
  const auto message = [](const std::string& bytes) {
    return config_error([&] { parse_stl(bytes, "made.stl", 1.0); });
  };
  const Triangles box = box_facets(3, 2, 1);
  const std::string whole = binary(box);
  CHECK(message("") == "made.stl: is empty; give an STL file");
  CHECK(message(" \n") == "made.stl: is empty; give an STL file");
  CHECK_THAT(message("garbage"), Contains("is no STL file: it neither begins with 'solid'"));
  CHECK_THAT(message(whole.substr(0, whole.size() - 7)),
             Contains("says 12 facets, which are 684 bytes, but has 677"));
  std::string huge = whole;
  huge[83] = '\x7f';
  CHECK_THAT(message(huge), Contains("says 2130706444 facets"));
  CHECK(message(std::string(84, '\0')) == "made.stl: has no facets");
  CHECK(message("solid empty\nendsolid\n") == "made.stl: has no facets");
  CHECK(message("solid\nfacet\nvertex 1 2\n") ==
        "made.stl:4: the file ends; 'vertex' must be followed by three numbers");
  CHECK(message("solid\nfacet\nvertex 1 nan 3\n") ==
        "made.stl:3: 'nan'; 'vertex' must be followed by three numbers");
  CHECK(message("solid\nfacet\nvertex 1 2 3\nendfacet\n") ==
        "made.stl:4: the facet has 1 corners; must have 3");
  CHECK(message("solid\nvertex 1 2 3\n") == "made.stl:2: 'vertex' outside of a facet");
  CHECK(message("solid\nfacet\nvertex 1 2 3\n") == "made.stl:4: the file ends within a facet");
  CHECK_THAT(message("solid\nfacet\nvertex 1e300 2 3\n"),
             Contains("must lie within 1000000 mm of the origin"));
  std::string nan = whole;
  std::memcpy(nan.data() + 84 + 12, "\0\0\xc0\x7f", 4);
  CHECK_THAT(message(nan), Contains("facet 1: is at (nan, 0, 0); must lie within"));
  nan = whole;
  std::memcpy(nan.data() + 84 + 20, "\0\0\xc0\xff", 4);
  CHECK_THAT(message(nan), Contains("facet 1: is at (0, 0, "));
  Triangles open = box;
  open.pop_back();
  CHECK_THAT(message(ascii(open)),
             Contains("is not closed: the edge ") && Contains(" has one facet only; "));
  Triangles turned = box;
  std::swap(turned[3][0], turned[3][1]);
  CHECK_THAT(message(ascii(turned)), Contains("has facets that face opposite ways"));
  Triangles fin = box;
  fin.push_back({Vec3(0, 0, 0), Vec3(3, 0, 0), Vec3(0, -5, 0)});
  CHECK_THAT(message(ascii(fin)), Contains("is not closed"));
  Triangles flat = box;
  for (auto& facet : flat) {
    for (Vec3& p : facet) p.z() = 0.0;
  }
  CHECK(message(ascii(flat)) != "(no error)");
  CHECK(message(ascii(box_facets(1e-7, 1e-7, 1e-7))) ==
        "made.stl: is no larger than 1e-6 mm; is the unit right?");
  // Degenerate facets are left out.
  Triangles degenerate = box;
  degenerate.push_back({Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(3, 0, 0)});
  CHECK(parse_stl(ascii(degenerate), "made.stl", 1.0)->source ==
        "STL, 12 facets, 1 without area left out");
}

}  // namespace
}  // namespace graspmap::testing
