#include "grasp/decide/plan/error_model.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>

#include "grasp/base/io/errors.hpp"
#include "grasp/decide/plan/expected_success.hpp"
#include "grasp/decide/plan/placement_plan.hpp"
#include "tests/support/success_fields.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap::testing {
namespace {

ErrorModel model_of(double xx, double xy, double yy) {
  ErrorModel model;
  model.covariance = {{{xx, xy, 0}, {xy, yy, 0}, {0, 0, 0}}};
  return model;
}

/// The covariance of x and y over a mixture.
std::array<double, 3> moments_of(const ErrorMixture& mixture) {
  double xx = 0;
  double xy = 0;
  double yy = 0;
  const auto n = static_cast<double>(mixture.components.size());
  for (const ErrorComponent& c : mixture.components) {
    xx += (c.shift[0] * c.shift[0] + c.spread[0].width() * c.spread[0].width()) / n;
    xy += c.shift[0] * c.shift[1] / n;
    yy += (c.shift[1] * c.shift[1] + c.spread[1].width() * c.spread[1].width()) / n;
  }
  return {xx, xy, yy};
}

/// Success left of a line through the origin with this normal, on a map of fine cells.
SuccessField half_plane(double nx, double ny, int trials = 8) {
  return field_of(plane({-12, 12, 80}, {-12, 12, 80}), trials, 3, [=](const PlacementVector& at) {
    return nx * at[0] + ny * at[1] < 0 ? 1.0 : 0.0;
  });
}

TEST_CASE("an error without more is the simple one", "[plan]") {
  const ErrorModel model = model_of(4, 0, 1);
  CHECK(model.is_simple());
  const ErrorMixture mixture = make_mixture(model);
  REQUIRE(mixture.components.size() == 1);
  CHECK(mixture.overall[0].width() == Approx(2));
  CHECK(mixture.overall[1].width() == Approx(1));
  CHECK(mixture.overall[2].is_fixed());
}

TEST_CASE("a mixture has the covariance that was asked for", "[plan]") {
  for (const double xy : {1.2, -1.9}) {
    const ErrorModel model = model_of(4, xy, 1);
    CHECK_FALSE(model.is_simple());
    const auto [xx, found, yy] = moments_of(make_mixture(model));
    CHECK(xx == Approx(4).epsilon(0.02));
    CHECK(found == Approx(xy).epsilon(0.02));
    CHECK(yy == Approx(1).epsilon(0.02));
    CHECK(make_mixture(model).worlds == 1);
  }
  // Three coordinates.
  ErrorModel model = model_of(4, 1, 1);
  model.covariance[2][2] = 0.01;
  model.covariance[0][2] = model.covariance[2][0] = 0.12;
  double xt = 0;
  double tt = 0;
  const ErrorMixture mixture = make_mixture(model);
  for (const ErrorComponent& c : mixture.components) {
    xt += c.shift[0] * c.shift[2] / 64;
    tt += (c.shift[2] * c.shift[2] + c.spread[2].width() * c.spread[2].width()) / 64;
  }
  CHECK(xt == Approx(0.12).epsilon(0.1));
  CHECK(tt == Approx(0.01).epsilon(0.05));
}

TEST_CASE("correlated errors matter where the plateau is askew", "[plan]") {
  const SuccessField field = half_plane(1, 1);
  // x + y is normal with variance xx + 2 xy + yy.
  for (const double xy : {-0.9, 0.0, 0.9}) {
    const ErrorMixture mixture = make_mixture(model_of(1, xy, 1));
    const double sigma = std::sqrt(2 + 2 * xy);
    const ExpectedSuccess p = expected_success(field, mixture, {-0.4, -0.3, 0});
    CHECK(p.probability == Approx(normal_cdf(0.7 / sigma)).margin(0.03));
  }
}

TEST_CASE("an offset adds its variance and is told apart", "[plan]") {
  ErrorModel model = model_of(1, 0, 1);
  model.offset_sigma = {1.5, 0, 0};
  const ErrorMixture mixture = make_mixture(model);
  CHECK(mixture.worlds == kWorlds);
  CHECK(mixture.overall[0].width() == Approx(std::hypot(1, 1.5)).epsilon(0.03));
  CHECK(mixture.overall[1].width() == Approx(1));
  const SuccessField field = half_plane(1, 0);
  CHECK(expected_success_probability(field, mixture, {-2, 0, 0}) ==
        Approx(normal_cdf(2 / std::hypot(1, 1.5))).margin(0.02));
  // In a world the offset is constant: at -2 + 1.96 * 1.5 the grasp mostly fails.
  const std::vector<double> worlds = success_in_worlds(field, mixture, {-2, 0, 0});
  REQUIRE(worlds.size() == kWorlds);
  CHECK(*std::min_element(worlds.begin(), worlds.end()) < normal_cdf(2 - 1.96 * 1.5) + 0.02);
  CHECK(*std::max_element(worlds.begin(), worlds.end()) > 0.99);
}

TEST_CASE("a spread known from few repeats makes the error Student's", "[plan]") {
  ErrorModel model = model_of(1, 0, 1);
  model.repeats = 5;
  const SuccessField field = half_plane(1, 0);
  const boost::math::students_t student(4);
  for (const double mu : {-1.0, -2.5}) {
    // The mean of the repeats is known to sigma / sqrt(n).
    const double truth = boost::math::cdf(student, -mu / std::sqrt(1.2));
    CHECK(expected_success_probability(field, make_mixture(model), {mu, 0, 0}) ==
          Approx(truth).margin(0.02));
    // With many repeats it is next to normal.
    ErrorModel many = model;
    many.repeats = 100'000;
    CHECK(expected_success_probability(field, make_mixture(many), {mu, 0, 0}) ==
          Approx(normal_cdf(-mu)).margin(0.01));
  }
  // With correlations: the mean of S is (n - 1) / (n - 1 - d - 1) C.
  ErrorModel correlated = model_of(1, 0.6, 1);
  correlated.repeats = 30;
  const auto [xx, xy, yy] = moments_of(make_mixture(correlated));
  const double factor = 29.0 / 26 * (1 + 1.0 / 30);
  CHECK(xx == Approx(factor).epsilon(0.08));
  CHECK(xy == Approx(0.6 * factor).epsilon(0.15));
  CHECK(yy == Approx(factor).epsilon(0.08));
}

TEST_CASE("what is unknown but constant is in the interval of a plan", "[plan]") {
  PlanQuestion request;
  request.position_sigma_mm = std::array{1.0, 1.0};
  const PlacementPlan before =
      make_plan(field_of(plane({-6, 6, 12}, {-6, 6, 12}), 60, 2,
                         [](const auto& at) { return std::hypot(at[0], at[1]) < 3 ? 1.0 : 0.0; }),
                request);
  request.model = model_of(1, 0, 1);
  request.model.offset_sigma = {0.7, 0.7, 0};
  const PlacementPlan after =
      make_plan(field_of(plane({-6, 6, 12}, {-6, 6, 12}), 60, 2,
                         [](const auto& at) { return std::hypot(at[0], at[1]) < 3 ? 1.0 : 0.0; }),
                request);
  const PlannedPlacement& with = after.for_error->placements.front();
  REQUIRE(with.unknowns);
  CHECK_FALSE(before.for_error->placements.front().unknowns);
  CHECK(with.success.probability < before.for_error->placements.front().success.probability);
  CHECK(with.success.interval.low < with.unknowns->trials.low);
  CHECK(with.success.interval.low <= with.unknowns->worlds.low + 1e-9);
  CHECK(with.unknowns->random_part_success > with.success.probability);
  CHECK_THAT(plan_text(after), Catch::Contains("Unknown but the same in each grasp: the offset."));
  CHECK_THAT(json_document(plan_fields(after)),
             Catch::Contains("\"unknown_but_constant\"") && Catch::Contains("\"offset_sigma\""));
}

// ---- The posterior of a calibration ----------------------------------------------------------

const std::array<Distribution, 2> kStored = {Uniform{0.0, 1.0}, Uniform{0.2, 0.6}};

/// calibrate.json and its posterior in a folder.
std::filesystem::path calibration(const TemporaryFolder& folder, const std::string& csv,
                                  const std::string& json = "{\n  \"name\": \"x\"\n}\n",
                                  const std::string& csv_name = "posterior.csv") {
  std::ofstream(folder.path() / "calibrate.json") << json;
  std::ofstream(folder.path() / csv_name) << csv;
  return folder.path() / "calibrate.json";
}

TEST_CASE("draws of a posterior are read in each of their forms", "[plan]") {
  const TemporaryFolder folder;
  const auto bounds = read_posterior(
      calibration(folder,
                  "friction.jaw.min,friction.jaw.max,friction.jaw.mean,log_likelihood\n"
                  "0.1,0.3,0.2,-5\n0.4,0.8,0.6,-6\n"),
      kStored, 64, "outputs/x/run.sqlite");
  REQUIRE(bounds.size() == 2);
  CHECK(bounds[0].friction[0]->range().low == 0.1);
  CHECK(bounds[1].friction[0]->range().high == 0.8);
  CHECK_FALSE(bounds[0].friction[1]);
  CHECK_FALSE(bounds[0].noise);
  const auto width =
      read_posterior(calibration(folder,
                                 "friction.jaw.mean,friction.jaw.width,friction.support.mean,"
                                 "friction.support.sigma,offset.x_mm,offset.theta_rad,noise.xy_mm\n"
                                 "0.5,0.2,0.4,0.05,0.7,0.01,0.3\n0.98,0.001,0.4,0.0,0,0,0\n",
                                 "{ \"posterior_file\": \"draws.csv\" }", "draws.csv"),
                     kStored, 64, "outputs/x/run.sqlite");
  CHECK(width[0].friction[0]->range().low == Approx(0.4));
  CHECK(width[0].friction[0]->range().high == Approx(0.6));
  CHECK(width[0].friction[1]->is<TruncatedNormal>());
  CHECK(width[0].friction[1]->range().high == 0.6);
  CHECK(width[0].offset == PlacementVector{0.7, 0, 0.01});
  CHECK(width[0].noise == PlacementVector{0.3, 0.3, 0});
  // A law without width is as wide as stored trials can tell, and stays inside.
  CHECK(width[1].friction[0]->range().high - width[1].friction[0]->range().low == Approx(0.05));
  CHECK(width[1].friction[0]->range().high <= 1.0);
}

TEST_CASE("a posterior that cannot be used is one line that says why", "[plan]") {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& csv, const std::string& json = "{}") {
    try {
      read_posterior(calibration(folder, csv, json), kStored, 64, "outputs/x/run.sqlite");
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  CHECK_THAT(message("a,b\n1,2\n"), Catch::Contains("no column of a posterior"));
  CHECK_THAT(message("friction.jaw.min,friction.jaw.max\n"), Catch::Contains("has no draw"));
  CHECK_THAT(message("friction.jaw.min,friction.jaw.max\n0.1,x\n"),
             Catch::Contains("posterior.csv:2: friction.jaw.max: \"x\""));
  CHECK_THAT(
      message("friction.jaw.mean,friction.jaw.width\n1.4,0.1\n"),
      Catch::Contains("posterior.csv:2: friction.jaw: 1.4 is outside of the run's distribution") &&
          Catch::Contains("; simulate what the posterior reaches, and plan with that run: graspmap "
                          "run outputs/x/config.toml --set 'friction.jaw={ distribution = "
                          "\"uniform\", min = 1.35, max = 1.45 }' --out outputs/x_calibrated"));
  CHECK_THAT(message("", "mu = 3"), Catch::Contains("is no calibrate.json"));
}

TEST_CASE("a plan after a calibration is that of its laws and its offset", "[plan][slow]") {
  // A grasp succeeds when its friction is below 0.5, within 3 mm of the origin.
  const FieldAxes axes = plane({-6, 6, 12}, {-6, 6, 12});
  std::vector<TrialSample> samples =
      samples_of(axes, 1000, 5, [](const auto&, double) { return Outcome::kWedged; });
  for (std::size_t k = 0; k < samples.size(); ++k) {
    samples[k].parameters.mu_jaw = uniform_open(9, k, 0);
    samples[k].parameters.mu_support = 0.3;
    const bool near = std::hypot(samples[k].intended.x_mm, samples[k].intended.y_mm) < 3;
    if (near && samples[k].parameters.mu_jaw < 0.5) samples[k].outcome = Outcome::kSuccess;
  }
  const SuccessField field(axes, samples);
  PlanQuestion request;
  request.position_sigma_mm = std::array{1.0, 1.0};
  CHECK(make_plan(field, request).for_error->placements.front().success.probability ==
        Approx(0.5).margin(0.06));
  request.model = model_of(1, 0, 1);
  request.after = "calibrate.json";
  for (const double low : {0.3, 0.35}) {
    PosteriorDraw draw;
    draw.friction[0] = Uniform{low, low + 0.2};
    draw.offset = {1.0, 0, 0};
    request.model.draws.push_back(draw);
    request.law_weights.push_back(law_weights(draw, kStored, samples));
  }
  // Success in (0.3, 0.5) always, in (0.35, 0.55) three times of four. The robot lands 1 mm to the
  // right of where it is sent.
  const PlacementPlan plan = make_plan(field, request);
  const PlannedPlacement& best = plan.for_error->placements.front();
  CHECK(best.success.probability == Approx(0.875).margin(0.05));
  CHECK(best.at[0] == Approx(-1).margin(0.6));
  REQUIRE(best.unknowns);
  CHECK(best.unknowns->worlds.low == Approx(0.75).margin(0.07));
  CHECK(best.unknowns->worlds.high == Approx(1.0).margin(0.03));
  CHECK(best.success.interval.low < 0.77);
}

}  // namespace
}  // namespace graspmap::testing
