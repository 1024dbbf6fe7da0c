#include "grasp/decide/support_fit/support_fit.hpp"

#include <catch2/catch.hpp>

#include "grasp/decide/statistics/uniformity.hpp"
#include "grasp/decide/support_fit/model_fits.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "sim/support/fourth_order.hpp"
#include "tests/support/config_error.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/noisy_pushes.hpp"
#include "tests/support/ranks.hpp"
#include "tests/support/supports.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;

namespace {

PointsSliding unequal_points() { return on_three_points(2.0, 0.2, 0.5); }

std::string push_file_error(const std::string& text) {
  return config_error_of_file("pushes.csv", text,
                              [](const auto& file) { (void)read_pushes(file, Vec2(0.0, 0.0)); });
}

const std::string kHead =
    "# origin = measured\nfx_n,fy_n,moment_n_mm,vx_mm_s,vy_mm_s,omega_rad_s\n";

}  // namespace

TEST_CASE("each sliding model: the twist of the wrench of a twist is that twist") {
  Random random(71);
  const PointsSliding points = unequal_points();
  const EllipsoidSliding ellipsoid(random_matrix(random));
  const FourthOrderSliding form(random_fourth_order(random));
  for (const SlidingModel* model :
       {static_cast<const SlidingModel*>(&points), static_cast<const SlidingModel*>(&ellipsoid),
        static_cast<const SlidingModel*>(&form)}) {
    for (int k = 0; k < 30; ++k) {
      const Vec3 twist = random_direction(random);
      const Vec3 wrench = model->wrench_of(twist);
      CHECK(angle_deg(model->twist_of(wrench), twist) < 0.1);
      CHECK(model->radius(wrench.normalized()) == Approx(wrench.norm()).epsilon(1e-3));
    }
  }
}

TEST_CASE("from pushes without noise each fit finds the model that made them") {
  Random random(72);
  const Eigen::Matrix3d A = random_matrix(random);
  const auto ellipsoid = fit_ellipsoid(exact_pushes(EllipsoidSliding(A), 60, random), false);
  CHECK((ellipsoid->matrix() - A).norm() < 1e-5 * A.norm());

  const FourthOrderSliding form(random_fourth_order(random));
  const auto fourth = fit_fourth_order(exact_pushes(form, 120, random));
  for (std::size_t k = 0; k < 15; ++k) {
    CHECK(fourth->coefficients()[k] == Approx(form.coefficients()[k]).margin(1e-3));
  }

  const std::vector<Vec2> places{{1.4, 0.3}, {-0.5, 0.6}, {-0.1, -1.2}};
  const auto points = fit_points(exact_pushes(unequal_points(), 60, random), places, {});
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(points->forces()[k] == Approx(unequal_points().forces()[k]).epsilon(1e-3));
  }
}

TEST_CASE("the fitted fourth order is convex where the best one is not") {
  FourthOrderCoefficients bent{};
  bent[0] = bent[10] = bent[14] = 1.0;
  bent[3] = -1.0;  // not convex
  REQUIRE(convexity_margin(FourthOrderForm(bent)) < -1e-3);
  const FourthOrderForm form(bent);
  for (unsigned seed = 73; seed < 83; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<MeasuredPush> rows;
    for (int k = 0; k < 100; ++k) {
      const Vec3 y = random_direction(random);
      const Vec3 wrench = y / std::sqrt(std::sqrt(form.value(y)));
      rows.push_back({static_cast<std::size_t>(k), wrench, form.gradient(wrench)});
    }
    const auto fitted = fit_fourth_order(rows);
    CHECK(convexity_margin(FourthOrderForm(fitted->coefficients())) > -1e-9);
    CHECK(limit_surface_fault(FourthOrderForm(fitted->coefficients())).empty());
  }
}

TEST_CASE("non-negative least squares: the conditions of its minimum hold") {
  Random random(74);
  for (int k = 0; k < 20; ++k) {
    Eigen::MatrixXd A(12, 6);
    Eigen::VectorXd b(12);
    for (int i = 0; i < 12; ++i) {
      b[i] = random.uniform(-1.0, 1.0);
      for (int j = 0; j < 6; ++j) A(i, j) = random.uniform(-1.0, 1.0);
    }
    const Eigen::VectorXd w = non_negative_least_squares(A.transpose() * A, A.transpose() * b);
    const Eigen::VectorXd gradient = A.transpose() * (A * w - b);
    for (int j = 0; j < 6; ++j) {
      CHECK(w[j] >= 0.0);
      CHECK(gradient[j] >= -1e-9);
      CHECK(w[j] * gradient[j] < 1e-9);
    }
  }
}

TEST_CASE("noisy pushes on three points: the points explain them best, and the block is read",
          "[slow]") {
  Random random(75);
  const PointsSliding truth = unequal_points();
  const std::vector<MeasuredPush> rows = noisy_pushes(truth, 48, 0.1, 0.6, random);
  SupportFitOptions options = three_points_options();
  options.resamples = 4;
  const SupportFit fit = fit_support(file_of(rows), options);
  REQUIRE(fit.models.size() == 6);
  const auto of = [&](SlidingKind kind) -> const FittedSliding& { return fitted(fit, kind); };
  const FittedSliding& points = of(SlidingKind::kPoints);
  CHECK(points.twist.mean < of(SlidingKind::kFourthOrder).twist.mean);
  CHECK(of(SlidingKind::kFourthOrder).twist.mean < of(SlidingKind::kEllipsoid).twist.mean);
  CHECK(of(SlidingKind::kEllipsoid).behind_interval.low > 0.0);
  CHECK(fit.models.front().behind == 0.0);
  CHECK(points.force_n == Approx(2.0).epsilon(0.05));
  CHECK(points.parameters[1].value == Approx(0.5).margin(0.05));
  CHECK(points.parameters[1].interval.low < points.parameters[1].value);
  CHECK(points.parameters[1].interval.high > points.parameters[1].value);

  for (const FittedSliding& model : fit.models) {
    SupportFit only = fit;
    only.models = {model};
    const std::string block = support_fit_toml(only);
    INFO(block);
    const SweepConfig config = parse_sweep_config(
        replaced(kConfigText, "[support]\nmodel = \"ellipsoid\"\ne_r_mm = 10\n", block),
        "sweep.toml");
    CHECK(config.scenario.support.index() == model.support.index());
  }
  CHECK_THAT(support_fit_text(fit), Contains("explains the pushes best"));
  CHECK_THAT(json_document(support_fit_fields(fit)), Contains("\"best\": \""));

  options.points_mm = {{28.0, 6.0}, {10.0, 12.0}, {20.0, -24.0}};
  CHECK_THROWS_WITH(fit_support(file_of(rows), options),
                    Contains("--points: the centre of mass (0, 0) lies outside"));
}

TEST_CASE("forces that the part does work on are refused") {
  Random random(76);
  std::vector<MeasuredPush> rows = noisy_pushes(unequal_points(), 24, 0.1, 0.6, random);
  for (MeasuredPush& row : rows) row.wrench = -row.wrench;
  CHECK_THROWS_WITH(fit_support(file_of(rows), three_points_options()),
                    Contains("the forces do no work on the part, all in all"));
}

TEST_CASE("force and loads of pushes have uniform ranks among their draws", "[slow]") {
  std::vector<double> of_load;
  std::vector<double> of_force;
  for (int k = 0; k < 24; ++k) {
    Random random(static_cast<std::uint64_t>(800 + k));
    const double force_n = random.uniform(1.0, 4.0);
    const double first = random.uniform(0.1, 0.7);
    const PointsSliding truth = on_three_points(force_n, first, 0.2);
    SupportFitOptions options = three_points_options();
    options.resamples = 39;
    const SupportFit fit =
        fit_support(file_of(noisy_pushes(truth, 60, 0.2 * force_n, 0.0, random)), options);
    const FittedSliding& points = fitted(fit, SlidingKind::kPoints);
    const double u = random.uniform(0.0, 1.0);
    of_load.push_back(rank_among(points.parameters[0].draws, first, u));
    of_force.push_back(rank_among(points.force_draws, force_n, u));
  }
  CHECK(distance_from_uniform(of_load) < kSeldomDistance);
  CHECK(distance_from_uniform(of_force) < kSeldomDistance);
}

TEST_CASE("pushes are read about the centre of mass, from wrenches or from contact points") {
  std::string rows;
  std::string contacts =
      "# origin = measured\n# source = a bench\n"
      "force_x_n,force_y_n,contact_x_mm,contact_y_mm,vx_mm_s,vy_mm_s,"
      "omega_rad_s,push\n";
  for (int k = 1; k <= 40; ++k) {
    rows += "0.5,2," + std::to_string(10 + k) + ",3,-1,0.2\n";
    contacts += "0.5,2,6,4,3,-1,0.2," + std::to_string(k / 2) + "\n";
  }
  const auto read = [](const std::string& text) {
    const TemporaryFolder folder;
    const auto file = folder.path() / "pushes.csv";
    std::ofstream(file) << text;
    return read_pushes(file, Vec2(1.0, -2.0));
  };
  const PushFile wrenches = read(kHead + rows);
  CHECK(wrenches.groups == 40);
  // About the centre: m - c x f = 11 - (1 * 2 + 2 * 0.5), v + omega perp(c).
  CHECK(wrenches.rows[0].wrench == Vec3(0.5, 2.0, 8.0));
  CHECK((wrenches.rows[0].twist - Vec3(3.4, -0.8, 0.2)).norm() < 1e-15);
  const PushFile points = read(contacts);
  CHECK(points.groups == 21);
  CHECK(points.source == "a bench");
  CHECK(points.rows[0].wrench == Vec3(0.5, 2.0, 5.0 * 2.0 - 6.0 * 0.5));
}

TEST_CASE("a file of pushes that cannot be used is named with file, line and column") {
  CHECK_THAT(push_file_error("fx_n\n1\n"), Contains("pushes.csv:1: origin: missing"));
  CHECK_THAT(
      push_file_error("# origin = guessed\n"),
      Contains(
          "pushes.csv:1: origin: is \"guessed\"; must be measured (counted in a lab), digitised"));
  CHECK_THAT(push_file_error("# origin = measured\nvx_mm_s,vy_mm_s,omega_rad_s\n1,1,1\n"),
             Contains("fx_n: missing; give the columns fx_n, fy_n, moment_n_mm, or force_x_n"));
  CHECK_THAT(push_file_error("# origin = measured\nfx_n,fy_n,moment_n_mm\n1,1,1\n"),
             Contains("vx_mm_s"));
  CHECK_THAT(push_file_error(kHead + "1,1,1,0,0,0\n"),
             Contains("pushes.csv:3: vx_mm_s: no motion"));
  CHECK_THAT(push_file_error(kHead + "0,0,0,1,0,0\n"), Contains("pushes.csv:3: fx_n: no force"));
  CHECK_THAT(push_file_error(kHead + "1,x,1,0,0,0\n"), Contains("pushes.csv:3: fy_n"));
  CHECK_THAT(push_file_error(kHead + "1,1,1,1,0,0\n"), Contains("has 1 pushes; at least 20"));
}
