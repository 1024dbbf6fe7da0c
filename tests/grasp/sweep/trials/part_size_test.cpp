#include "grasp/sweep/trials/part_size.hpp"

#include <catch2/catch.hpp>

#include "geometry/outline_shapes.hpp"
#include "tests/support/lock_piece.hpp"

using namespace graspmap;

TEST_CASE("a part twice as large has twice the lengths, four times the mass") {
  Scenario scenario = testing::small_lock_piece_sweep().scenario;
  scenario.part.outlines.push_back({"plate", {rectangle_loop(4.0, 2.0), {}}, {{1.0, 2.0}, 0.5}});
  scenario.support = PointsSupport{{{Vec2(3.0, -1.0), 1.0, 1.0}}};
  const Scenario large = with_part_scaled(scenario, 2.0);
  const Piece& piece = scenario.part.pieces.back();
  const Piece& large_piece = large.part.pieces.back();
  CHECK(large_piece.shape.a_mm == 2.0 * piece.shape.a_mm);
  CHECK(large_piece.shape.b_mm == 2.0 * piece.shape.b_mm);
  CHECK(large_piece.pose.position_mm == Vec2(2.0 * piece.pose.position_mm));
  CHECK(large.part.outlines[0].outline.outer[2].begin_mm ==
        Vec2(2.0 * scenario.part.outlines[0].outline.outer[2].begin_mm));
  CHECK(large.part.outlines[0].pose.position_mm == Vec2(2.0, 4.0));
  CHECK(large.mass.mass_kg == 4.0 * scenario.mass.mass_kg);
  CHECK(large.mass.inertia_kg_mm2 == 16.0 * scenario.mass.inertia_kg_mm2);
  CHECK(std::get<PointsSupport>(large.support).points[0].point_P_mm == Vec2(6.0, -2.0));
}

TEST_CASE("a support is scaled with its part") {
  Scenario scenario = testing::small_lock_piece_sweep().scenario;
  const auto scaled = [&](SupportModel support) {
    scenario.support = std::move(support);
    return with_part_scaled(scenario, 0.5).support;
  };
  CHECK(std::get<EllipsoidSupport>(scaled(EllipsoidSupport{1.0, 2.0, 8.0})).e_r_mm == 4.0);
  CHECK(std::get<TripodSupport>(scaled(TripodSupport{6.0, {}})).radius_mm == 3.0);
  CHECK(std::get<PartEllipsoidSupport>(scaled(PartEllipsoidSupport{10.0})).length_mm == 5.0);
  CHECK(std::get<FourthOrderSupport>(scaled(FourthOrderSupport{10.0, {}})).length_mm == 5.0);
}
