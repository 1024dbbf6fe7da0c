#include "grasp/base/pictures/label_placer.hpp"

#include <catch2/catch.hpp>

namespace graspmap {
namespace {

TEST_CASE("a label takes the first place that is free, and others keep off it") {
  LabelPlacer placer({{0, 0}, {100, 100}});
  const Vec2 size(20, 10);
  CHECK(placer.place(size, {{50, 50}, {20, 20}}) == Vec2(50, 50));
  CHECK(placer.place(size, {{60, 55}, {20, 20}}) == Vec2(20, 20));
  CHECK(placer.place(size, {{70, 50}}) == Vec2(70, 50));  // touching is no overlap
  CHECK_FALSE(placer.place(size, {{50, 50}, {20, 20}}));
  CHECK_FALSE(placer.place(size, {}));
}

TEST_CASE("labels stay within their area") {
  LabelPlacer placer({{0, 0}, {100, 100}});
  CHECK_FALSE(placer.place({20, 10}, {{9, 50}}));
  CHECK_FALSE(placer.place({20, 10}, {{50, 96}}));
  CHECK(placer.place({20, 10}, {{10, 5}}));
}

TEST_CASE("labels keep off lines") {
  LabelPlacer placer({{0, 0}, {100, 100}});
  placer.block_path({{0, 0}, {50, 50}, {100, 50}}, 2.0);
  for (double x = 1; x < 50; x += 1) CHECK_FALSE(placer.is_free(box_about({x, x}, {1, 1})));
  for (double x = 50; x < 99; x += 1) CHECK_FALSE(placer.is_free(box_about({x, 51}, {1, 1})));
  CHECK(placer.is_free(box_about({20, 30}, {1, 1})));
  CHECK(placer.is_free(box_about({75, 55}, {1, 1})));
}

}  // namespace
}  // namespace graspmap
