#include "grasp/sweep/figures/map_figures.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>
#include <vector>

#include "tests/support/maps.hpp"

namespace graspmap {
namespace {

using testing::map_of;

struct Face {
  std::array<std::array<double, 3>, 4> corners{};
  double probability = 0.0;
  int kind = 0;
};

/// Reads the faces back as gnuplot does: two scans of two points, two blank lines after each face.
std::vector<Face> faces(const std::string& csv) {
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  REQUIRE(line == "x_mm,y_mm,height,probability,face");
  std::vector<Face> result;
  std::size_t corner = 0;
  while (std::getline(lines, line)) {
    if (line.empty()) continue;
    if (corner % 4 == 0) result.emplace_back();
    Face& face = result.back();
    auto& point = face.corners[corner++ % 4];
    char comma = 0;
    std::istringstream(line) >> point[0] >> comma >> point[1] >> comma >> point[2] >> comma >>
        face.probability >> comma >> face.kind;
  }
  REQUIRE(corner % 4 == 0);
  return result;
}

/// Corners 0, 1 and 2 span each face, a rectangle along the axes.
double area(const Face& face) {
  double product = 1.0;
  for (const std::size_t corner : {1U, 2U}) {
    double squared = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      squared += std::pow(face.corners[corner][k] - face.corners[0][k], 2);
    }
    product *= std::sqrt(squared);
  }
  return product;
}

TEST_CASE("a long map is drawn larger than a square one, and fills the picture as well") {
  const auto map = [](double width, double depth) {
    return SuccessMap({0, width, 2}, {0, depth, 2});
  };
  CHECK(histogram_size(map(7, 7), 0) == Approx(1));
  CHECK(histogram_size(map(10, 4), 0) > 1.2);
  CHECK(histogram_size(map(4, 10), 0) > 1.1);
  CHECK(histogram_size(map(4, 4), 1) == Approx(histogram_size(map(2, 4), 0)));
}

TEST_CASE("bar_faces_csv: the tops tile the map at the cells' heights") {
  const SuccessMap map = map_of({-2, 2, 4}, {0, 3, 2}, 4, [](double x, double y) {
    return x < 0 ? 0.25 : y < 1.5 ? 0.5 : 0;
  });
  double top_area = 0.0;
  double volume = 0.0;
  for (const Face& face : faces(bar_faces_csv(map, 0))) {
    if (face.kind != 0) continue;
    CHECK(face.corners[0][2] == face.probability);
    top_area += area(face);
    volume += area(face) * face.corners[0][2];
  }
  CHECK(top_area == Approx(4 * 3));
  CHECK(volume == Approx(2 * 3 * 0.25 + 2 * 1.5 * 0.5));
}

TEST_CASE("bar_faces_csv: sides cover the differences in height, and nothing that is hidden") {
  // Heights 1, 0.5, 0 in a row of cells of 1 mm: towards x the steps are 1, 0.5, 0.5.
  const SuccessMap map = map_of({0, 3, 3}, {0, 1, 1}, 2, [](double x, double) {
    return x < 1 ? 1 : x < 2 ? 0.5 : 0;
  });
  std::array<double, 4> area_of_kind{};
  for (const Face& face : faces(bar_faces_csv(map, 0))) {
    area_of_kind[static_cast<std::size_t>(face.kind)] += area(face);
  }
  CHECK(area_of_kind[0] == Approx(3.0));
  CHECK(area_of_kind[1] == Approx(1.0 + 0.5 + 0.5));
  CHECK(area_of_kind[2] == Approx(2 * (1.0 + 0.5)));
  CHECK(area_of_kind[3] == 0.0);
}

TEST_CASE("bar_faces_csv: from a column on, its outer sides are whole") {
  const SuccessMap map = map_of({-2, 2, 4}, {0, 1, 1}, 1, [](double, double) { return 1.0; });
  double section = 0.0;
  for (const Face& face : faces(bar_faces_csv(map, 2))) {
    for (const auto& corner : face.corners) CHECK(corner[0] >= 0.0);
    if (face.kind == 1 && face.corners[0][0] == 0.0) section += area(face);
  }
  CHECK(section == Approx(1.0));
}

TEST_CASE("bar_faces_csv: a cell without counted trials is a floor of its own kind") {
  SuccessMap map({0, 2, 2}, {0, 1, 1});
  testing::add_trials(map, 0, 0, Outcome::kSuccess, 3);
  testing::add_trials(map, 1, 0, Outcome::kFailed, 3);
  const std::vector<Face> all = faces(bar_faces_csv(map, 0));
  const auto floors =
      std::count_if(all.begin(), all.end(), [](const Face& f) { return f.kind == 3; });
  CHECK(floors == 1);
  CHECK(all.size() == 1 + 4 + 1);  // the bar's top and sides, and the floor
}

}  // namespace
}  // namespace graspmap
