#include "grasp/decide/pose/delivered_pose.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "tests/support/success_fields.hpp"

namespace graspmap::testing {
namespace {

using Samples = std::vector<TrialSample>;

/// A pose for each sample: `pose(x, y)` of where it was intended.
template <typename Pose>
Eigen::MatrixXd poses_of(const Samples& samples, const Pose& pose) {
  Eigen::MatrixXd poses(static_cast<Eigen::Index>(samples.size()), 4);
  for (std::size_t k = 0; k < samples.size(); ++k) {
    poses.row(static_cast<Eigen::Index>(k)) =
        pose(samples[k].intended.x_mm, samples[k].intended.y_mm).transpose();
  }
  return poses;
}

/// As it was intended: the part moves with the gripper.
Eigen::Vector4d as_intended(double x, double y) { return {x, y, 0.01 * x, 20}; }

const FieldAxes kMap = plane({-6, 6, 12}, {-6, 6, 12});

Samples all_succeed(int trials_per_cell) {
  return samples_of(kMap, trials_per_cell, 1,
                    [](const PlacementVector&, double) { return Outcome::kSuccess; });
}

TEST_CASE("a pose that follows the placement has the error's moments", "[pose]") {
  const Samples samples = all_succeed(40);
  PoseQuestion request;
  request.placement = PlacementVector{0.3, -0.4, 0};
  request.error = {normal_error(1.2), normal_error(0.8), {}};
  const auto poses = delivered_poses({kMap, samples}, poses_of(samples, as_intended), request);
  REQUIRE(poses);
  const Moments& m = poses->moments;
  CHECK(m.mean[0] == Approx(0.3).margin(4 * m.standard_errors()[0]));
  CHECK(m.mean[1] == Approx(-0.4).margin(4 * m.standard_errors()[1]));
  CHECK(m.standard_deviations()[0] == Approx(1.2).epsilon(0.06));
  CHECK(m.standard_deviations()[1] == Approx(0.8).epsilon(0.06));
  CHECK(m.standard_deviations()[2] == Approx(0.012).epsilon(0.06));
  CHECK(m.covariance(0, 2) == Approx(0.01 * m.covariance(0, 0)));
  CHECK(poses->outcome_share == Approx(1).margin(1e-5));
  CHECK(poses->quantiles[0][4] == Approx(0.3 + 1.96 * 1.2).margin(0.2));
  CHECK(poses->quantiles[0][2] == Approx(0.3).margin(0.15));
  CHECK(poses->modes.size() == 1);
  CHECK(poses->spread == std::array{true, true, true, false});
}

TEST_CASE("an unknown offset is in the standard errors of the means", "[pose]") {
  const Samples samples = all_succeed(40);
  PoseQuestion request;
  request.placement = PlacementVector{0.3, -0.4, 0};
  ErrorModel error;
  error.covariance[0][0] = error.covariance[1][1] = 0.25;
  error.offset_sigma = {0.8, 0, 0};
  request.error = make_mixture(error);
  const auto poses = delivered_poses({kMap, samples}, poses_of(samples, as_intended), request);
  REQUIRE(poses);
  const Eigen::VectorXd errors = poses->moments.standard_errors();
  CHECK(errors[0] == Approx(0.8).epsilon(0.1));
  CHECK(errors[1] < 0.05);
  CHECK(errors[2] == Approx(0.008).epsilon(0.1));
  REQUIRE(poses->modes.size() == 1);
  CHECK(poses->modes[0].moments.standard_errors()[0] == Approx(errors[0]));
}

TEST_CASE("errors of the angle that leave a whole turn at one end come in at the other",
          "[pose][plan]") {
  using std::numbers::pi;
  const FieldAxes turn{Axis{-1, 1, 1}, Axis{-1, 1, 1}, Axis{-pi, pi, 24}};
  const auto outcome = [&](const PlacementVector& at, double) {
    return std::abs(at[2]) > pi - 0.4 ? Outcome::kSuccess : Outcome::kMissed;
  };
  const Samples samples = samples_of(turn, 400, 1, outcome);
  const SuccessField field(turn, samples);
  Eigen::MatrixXd all(static_cast<Eigen::Index>(samples.size()), 4);
  for (std::size_t k = 0; k < samples.size(); ++k) {
    all.row(static_cast<Eigen::Index>(k)) << 0, 0, samples[k].intended.theta_rad, 20;
  }
  PoseQuestion request;
  for (const double theta : {pi - 0.1, 0.1 - pi}) {
    request.placement = PlacementVector{0, 0, theta};
    request.error = {{}, {}, normal_error(0.2)};
    const auto poses = delivered_poses(field, all, request);
    REQUIRE(poses);
    CHECK(poses->unknown_share == 0);
    // Half of 0.4 is 0.3 or 0.5 off.
    const double share = normal_cdf(0.3 / 0.2) - normal_cdf(-0.5 / 0.2);
    CHECK(poses->outcome_share == Approx(share).margin(0.02));
    CHECK(std::abs(poses->moments.mean[2] - theta) < 0.1);
    CHECK(poses->moments.standard_deviations()[2] < 0.2);
    const ExpectedSuccess success = expected_success(field, request.error, *request.placement);
    CHECK(success.probability == Approx(share).margin(0.02));
    CHECK(success.outside_share == Approx(0).margin(1e-9));
    // The same as a mixture, and on a grid.
    ErrorMixture twice = request.error;
    twice.components.push_back(twice.components.front());
    CHECK(expected_success_probability(field, twice, *request.placement) ==
          Approx(success.probability));
    const PlacementGrid grid{{{{0}, {0}, {theta}}}};
    CHECK(expected_success_on(field, request.error.overall, grid)[0] ==
          Approx(success.probability));
  }
}

TEST_CASE("what of the error lies beyond the map is told", "[pose]") {
  const Samples samples = all_succeed(40);
  PoseQuestion request;
  request.placement = PlacementVector{6, 0, 0};
  request.error = {normal_error(0.5), normal_error(0.5), {}};
  request.error_words = "0.5 mm";
  const auto poses = delivered_poses({kMap, samples}, poses_of(samples, as_intended), request);
  REQUIRE(poses);
  CHECK(poses->outcome_share == Approx(0.5));
  CHECK(poses->unknown_share == Approx(0.5));
  CHECK_THAT(pose_text(*poses), Catch::Contains("50.0 % of the error lies beyond the map"));
  CHECK_THAT(json_document(pose_fields(*poses)), Catch::Contains("\"unknown_share\": 0.5"));
  request.placement = PlacementVector{0, 0, 0};
  const auto inside = delivered_poses({kMap, samples}, poses_of(samples, as_intended), request);
  CHECK_THAT(pose_text(*inside), !Catch::Contains("beyond"));
}

TEST_CASE("the picture leaves out few poses far from all others, and says how many", "[pose]") {
  const Samples samples = all_succeed(10);
  Eigen::MatrixXd poses = poses_of(samples, as_intended);
  const auto figure = [&] {
    return pose_figure(*delivered_poses({kMap, samples}, poses, {})).script;
  };
  CHECK_THAT(figure(), !Catch::Contains("lie beyond"));
  poses(0, 1) = 500;
  CHECK_THAT(figure(),
             Catch::Contains("0.1 % of the grasps lie beyond") && Catch::Contains("mm, σ = "));
}

TEST_CASE("cells weigh by their area however many trials they have", "[pose]") {
  // The left half of the map has five times the trials.
  Samples samples = all_succeed(25);
  Samples fewer;
  std::vector<int> seen(144, 0);
  for (const TrialSample& sample : samples) {
    if (++seen[sample.cell] <= (sample.intended.x_mm < 0 ? 25 : 5)) fewer.push_back(sample);
  }
  const auto poses = delivered_poses({kMap, fewer}, poses_of(fewer, as_intended), {});
  REQUIRE(poses);
  CHECK(poses->cells == 144);
  CHECK(poses->moments.mean[0] == Approx(0).margin(0.1));
  CHECK(poses->moments.standard_deviations()[0] == Approx(12 / std::sqrt(12.0)).epsilon(0.02));
  // 72 cells, each 1/144: n = 1 / (72/144^2 (1/25 + 1/5)).
  CHECK(poses->moments.effective_number == Approx(144.0 * 144 / 72 / 0.24));
}

TEST_CASE("only the trials with the outcome count and failed ones not at all", "[pose]") {
  const Samples samples = samples_of(kMap, 40, 2, [](const PlacementVector& at, double u) {
    if (u < 0.2) return Outcome::kFailed;
    return at[0] < 0.5 ? Outcome::kSuccess : Outcome::kMissed;
  });
  const SuccessField field(kMap, samples);
  const Eigen::MatrixXd all = poses_of(samples, as_intended);
  PoseQuestion request;
  request.placement = PlacementVector{0, 0, 0};
  request.error = {normal_error(1), normal_error(1), {}};
  const auto success = delivered_poses(field, all, request);
  CHECK(success->outcome_share == Approx(normal_cdf(0.5)).margin(0.03));
  // The mean of a normal number below 0.5: -density / distribution.
  const double expected = -std::exp(-0.125) / std::sqrt(2 * M_PI) / normal_cdf(0.5);
  CHECK(success->moments.mean[0] == Approx(expected).margin(0.1));
  CHECK(success->sample.values.col(0).maxCoeff() < 0.5);
  request.outcome = Outcome::kMissed;
  CHECK(delivered_poses(field, all, request)->outcome_share + success->outcome_share ==
        Approx(1).margin(1e-6));
  request.outcome = Outcome::kBlocked;
  CHECK_FALSE(delivered_poses(field, all, request));
}

TEST_CASE("the cell of a placement and the plateau are taken alone", "[pose]") {
  const Samples samples = samples_of(kMap, 10, 3, [](const PlacementVector& at, double) {
    return at[1] < 0 ? Outcome::kSuccess : Outcome::kWedged;
  });
  const SuccessField field(kMap, samples);
  const Eigen::MatrixXd all = poses_of(samples, as_intended);
  const auto plateau = delivered_poses(field, all, {});
  CHECK(plateau->cells == 72);
  CHECK(plateau->sample.size() == 720);
  PoseQuestion request;
  request.placement = PlacementVector{2.7, -3.2, 0};
  const auto cell = delivered_poses(field, all, request);
  CHECK(cell->sample.size() == 10);
  CHECK(cell->sample.values.col(0).minCoeff() > 2);
  CHECK(cell->sample.values.col(1).maxCoeff() < -3);
  CHECK(cell->outcome_share == Approx(1));
}

TEST_CASE("groups of poses are told apart with their shares", "[pose]") {
  const Samples samples = all_succeed(20);
  const Eigen::MatrixXd all = poses_of(samples, [](double x, double y) {
    return x < -2 ? Eigen::Vector4d(0.01 * y, 15, 0, 27) : Eigen::Vector4d(0.01 * y, 17, 0.1, 28);
  });
  const auto poses = delivered_poses({kMap, samples}, all, {});
  REQUIRE(poses->modes.size() == 2);
  CHECK(poses->modes[0].share == Approx(2.0 / 3));
  CHECK(poses->modes[0].moments.mean[1] == Approx(17));
  CHECK(poses->modes[1].moments.mean[3] == Approx(27));
  CHECK(poses->modes[1].trials == 48 * 20);
  const std::string text = pose_text(*poses);
  CHECK_THAT(text, Catch::StartsWith("In the hand the part lies at (") &&
                       Catch::Contains("2 groups (modes)"));
  CHECK_THAT(csv_text(pose_table(*poses)), Catch::Contains("\nmode_2,0.333"));
}

TEST_CASE("poses that touch different features are different groups", "[pose]") {
  const Samples samples = all_succeed(20);
  const Eigen::MatrixXd all =
      poses_of(samples, [](double, double y) { return Eigen::Vector4d(0.01 * y, 15, 0, 27); });
  std::vector<Touches> touches;
  for (const TrialSample& sample : samples) {
    touches.push_back(sample.intended.x_mm < -3 ? Touches{{0}, {1, 2}, {}} : Touches{{0}, {1}, {}});
  }
  CHECK(delivered_poses({kMap, samples}, all, {})->modes.size() == 1);
  auto poses = delivered_poses({kMap, samples}, all, {}, touches);
  REQUIRE(poses->modes.size() == 2);
  CHECK(poses->modes[0].share == Approx(0.75));
  CHECK(poses->modes[0].touches->right == std::vector{1});
  CHECK(poses->modes[1].touches->right == std::vector{1, 2});
  poses->features = {"foot", "lobe", "tip"};
  CHECK_THAT(pose_text(*poses), Catch::Contains("\nmode 2 touches left: foot; right: lobe, tip\n"));
  CHECK_THAT(json_document(pose_fields(*poses)),
             Catch::Contains("\"right_touches\": [\n        \"lobe\",\n"));
}

TEST_CASE("one trial is enough for an answer", "[pose]") {
  const FieldAxes axes = plane({0, 1, 1}, {0, 1, 1});
  const Samples samples =
      samples_of(axes, 1, 4, [](const auto&, double) { return Outcome::kSuccess; });
  const auto poses = delivered_poses({axes, samples}, poses_of(samples, as_intended), {});
  REQUIRE(poses);
  CHECK(poses->modes.size() == 1);
  CHECK_THAT(json_document(pose_fields(*poses)),
             Catch::Contains("\"covariance\": [\n    [\n      null"));
  CHECK_THAT(pose_text(*poses),
             Catch::Contains("rad:\none trial shows no spread, after the grasps") &&
                 Catch::Contains(": 1 trial, worth 1 of") && !Catch::Contains("nan"));
  CHECK_THAT(pose_figure(*poses).script, !Catch::Contains("nan"));
}

}  // namespace
}  // namespace graspmap::testing
