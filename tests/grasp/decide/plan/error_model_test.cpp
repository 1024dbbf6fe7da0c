#include "grasp/decide/plan/error_model.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/decide/plan/best_placement.hpp"
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
  request.error.emplace().position_sigma_mm = std::array{1.0, 1.0};
  const PlacementPlan before =
      make_plan(field_of(plane({-6, 6, 12}, {-6, 6, 12}), 60, 2,
                         [](const auto& at) { return std::hypot(at[0], at[1]) < 3 ? 1.0 : 0.0; }),
                request);
  request.error->offset_sigma_mm = std::array{0.7, 0.7};
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

// ---- What a person knows of a robot ------------------------------------------------------------

/// P of a placement by drawing the error: the share of draws that land where success is sure.
template <typename Succeeds, typename Draw>
double share_of_draws(const Succeeds& succeeds, const PlacementVector& nominal, const Draw& draw) {
  constexpr int kDraws = 200'000;
  int successes = 0;
  for (int n = 0; n < kDraws; ++n) {
    const auto uniform = [&](std::uint32_t k) {
      return uniform_open(11, static_cast<std::uint64_t>(n), k);
    };
    const std::array<double, 2> off = draw(uniform);
    successes += succeeds(nominal[0] + off[0], nominal[1] + off[1]) ? 1 : 0;
  }
  return static_cast<double>(successes) / kDraws;
}

bool in_disc(double x, double y) { return std::hypot(x, y) < 3; }

const SuccessField& disc_field() {
  static const SuccessField kField =
      field_of(plane({-12, 12, 80}, {-12, 12, 80}), 8, 3,
               [](const PlacementVector& at) { return in_disc(at[0], at[1]) ? 1.0 : 0.0; });
  return kField;
}

/// The mixture of an error against draws of it, at some placements.
template <typename Draw>
void check_against_draws(const RobotError& error, const Draw& draw) {
  const ErrorMixture mixture = make_mixture(error_model(error));
  for (const PlacementVector& at : {PlacementVector{0, 0, 0}, {1.5, -1, 0}, {2.5, 1, 0}}) {
    CAPTURE(at[0], mixture.components.size());
    CHECK(expected_success_probability(disc_field(), mixture, at) ==
          Approx(share_of_draws(in_disc, at, draw)).margin(0.012));
  }
}

TEST_CASE("a uniform error is exact, and one component", "[plan]") {
  RobotError error;
  error.position_range_mm = 1.5;
  CHECK(error_model(error).is_simple());
  CHECK(make_mixture(error_model(error)).components.size() == 1);
  check_against_draws(error, [](const auto& u) {
    return std::array{3 * u(0) - 1.5, 3 * u(1) - 1.5};
  });
}

TEST_CASE("a spread that is given goes before the calibration's noise", "[plan]") {
  PosteriorDraw draw;
  draw.noise = PlacementVector{4, 4, 0};
  const auto variance_with = [&](ErrorModel model) {
    model.draws = {draw};
    const auto [xx, xy, yy] = moments_of(make_mixture(model));
    return xx;
  };
  CHECK(variance_with({}) == Approx(16));
  CHECK(variance_with(model_of(1, 0, 1)) == Approx(1));
  ErrorModel uniform;
  uniform.half_width = {1.5, 1.5, 0};
  CHECK(variance_with(uniform) == Approx(1.5 * 1.5));  // its width is half of it
  ErrorModel measured;
  measured.measured = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  CHECK(variance_with(measured) < 2);
}

TEST_CASE("a widened mixture has the spread that its components have", "[plan]") {
  ErrorModel model = model_of(0.01, 0, 0.01);
  model.offset_sigma = {1, 0, 0};
  const ErrorMixture fine = make_mixture(model);
  const ErrorMixture wide = widened(fine, {0.5, 0.5, 0});
  CHECK(wide.overall[0].width() == Approx(std::hypot(1, 0.5)).epsilon(0.01));
  CHECK(wide.overall[1].width() == Approx(0.5));
  CHECK(widened(fine, {0.1, 0.05, 0}).overall == fine.overall);
}

TEST_CASE("robot and camera add, whichever kinds their errors have", "[plan]") {
  RobotError error;
  error.camera.emplace();
  SECTION("normal and normal") {
    error.position_sigma_mm = std::array{1.0, 0.5};
    error.camera->position_sigma_mm = std::array{0.5, 1.0};
    CHECK(error_model(error).is_simple());
    check_against_draws(error, [](const auto& u) {
      return std::array{std::sqrt(1.25) * normal_score(u(0)), std::sqrt(1.25) * normal_score(u(1))};
    });
  }
  SECTION("normal and a wider uniform one") {
    error.position_sigma_mm = std::array{0.4, 0.4};
    error.camera->position_range_mm = 2.0;
    check_against_draws(error, [](const auto& u) {
      return std::array{4 * u(0) - 2 + 0.4 * normal_score(u(2)),
                        4 * u(1) - 2 + 0.4 * normal_score(u(3))};
    });
  }
  SECTION("correlated and uniform") {
    error.position_covariance_mm2 = std::array{1.0, 0.9, 1.0};
    error.camera->position_range_mm = 0.5;
    check_against_draws(error, [](const auto& u) {
      const double a = normal_score(u(0));
      const double b = 0.9 * a + std::sqrt(0.19) * normal_score(u(1));
      return std::array{a + u(2) - 0.5, b + u(3) - 0.5};
    });
  }
  SECTION("measured and normal") {
    error.deviations = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {5, 5, 0}};
    error.camera->position_sigma_mm = std::array{0.5, 0.5};
    const ErrorMixture mixture = make_mixture(error_model(error));
    CHECK(mixture.components.size() == 5);
    // The smoothing's own variance is in the mixture; an outlier of a fifth stays one of a fifth.
    const double smoothed = mixture.components[0].spread[0].width();
    CHECK(smoothed > 0.5);
    CHECK(smoothed < 1.3);
    check_against_draws(error, [&](const auto& u) {
      const auto& at = error.deviations[static_cast<std::size_t>(5 * u(0))];
      return std::array{at[0] + smoothed * normal_score(u(1)),
                        at[1] + smoothed * normal_score(u(2))};
    });
  }
}

TEST_CASE("an outlier does not widen what lies together", "[plan]") {
  RobotError error;
  for (int k = 0; k < 50; ++k) {
    const double u = (k + 0.5) / 50;
    error.deviations.push_back({0.1 * normal_score(u), 0.1 * normal_score(u), 0});
  }
  const double before = make_mixture(error_model(error)).components[0].spread[0].width();
  error.deviations.push_back({20, 20, 0});
  const ErrorMixture mixture = make_mixture(error_model(error));
  CHECK(mixture.components[0].spread[0].width() == Approx(before).epsilon(0.1));
  // Scott's rule in two coordinates.
  CHECK(before == Approx(0.1 * std::pow(50, -1.0 / 6)).epsilon(0.05));
  CHECK(expected_success_probability(disc_field(), mixture, {0, 0, 0}) ==
        Approx(50.0 / 51).margin(0.002));
}

TEST_CASE("placements are found with a coarser error, and judged with all of it", "[plan][slow]") {
  PlanQuestion request;
  RobotError& error = request.error.emplace();
  for (std::uint32_t k = 0; k < 200; ++k) {
    error.deviations.push_back({0.4 + 1.0 * normal_score(uniform_open(1, k, 0)),
                                0.6 * normal_score(uniform_open(1, k, 1)), 0});
  }
  error.offset_sigma_mm = std::array{0.5, 0.5};
  const ErrorMixture fine = make_mixture(request.model());
  const ErrorMixture coarse = make_mixture(request.model(), Grain::kCoarse);
  CHECK(fine.components.size() == 64 * 200);
  CHECK(coarse.components.size() == 1024);
  for (const std::size_t k : {0U, 1U}) {
    CHECK(coarse.overall[k].width() == Approx(fine.overall[k].width()).epsilon(0.03));
  }
  // A plateau that is narrow beside the error, so that the error decides; the reference is the
  // search with all components.
  const auto plateau = [](const PlacementVector& at) {
    return std::abs(at[0]) < 2.5 && std::abs(at[1]) < 1.5 ? 0.99 : 0.1;
  };
  const SuccessField field = field_of(plane({-6, 6, 8}, {-6, 6, 8}), 30, 4, plateau);
  const auto best = best_placement(field, fine);
  const auto found = first_placement(field, request);
  REQUIRE(best);
  REQUIRE(found);
  CHECK(expected_success_probability(field, fine, found->at) >
        best->success.probability - best->standard_error);
  CHECK(found->success.probability ==
        Approx(expected_success_probability(field, fine, found->at)).epsilon(1e-9));
  const PlacementPlan plan = make_plan(field, request);
  CHECK(plan.for_error->placements.front().success.probability ==
        Approx(found->success.probability).epsilon(1e-9));
}

/// The answers about maps whose success is p everywhere on a plateau, with an error that is finer
/// than their cells.
struct AnswerTally {
  int yes = 0;
  int no = 0;
  int unknown = 0;
};

AnswerTally answers_of(double p, int trials_per_cell, int maps) {
  AnswerTally tally;
  PlanQuestion request;
  request.error.emplace().position_sigma_mm = std::array{0.1, 0.1};
  for (int map = 0; map < maps; ++map) {
    const SuccessField field =
        field_of(plane({-10, 10, 10}, {-10, 10, 10}), trials_per_cell,
                 static_cast<std::uint64_t>(map) + 10001, [=](const PlacementVector& at) {
                   return std::abs(at[0]) < 6 && std::abs(at[1]) < 6 ? p : 0.0;
                 });
    const Answer answer = answer_of(first_placement(field, request), request.reliable());
    ++(answer == Answer::kYes ? tally.yes : answer == Answer::kNo ? tally.no : tally.unknown);
  }
  return tally;
}

TEST_CASE("an answer about an error finer than the cells is wrong in 5 % at most", "[plan][slow]") {
  constexpr int kMaps = 400;
  for (const auto& [p, trials] :
       {std::pair{0.90, 20}, {0.94, 20}, {0.949, 80}, {0.951, 80}, {0.96, 20}, {0.99, 20}}) {
    const AnswerTally tally = answers_of(p, trials, kMaps);
    CAPTURE(p, trials, tally.yes, tally.no, tally.unknown);
    CHECK((p >= 0.95 ? tally.no : tally.yes) <= 0.05 * kMaps);
  }
}

TEST_CASE("a plan aims against the mean of measured deviations", "[plan]") {
  PlanQuestion request;
  RobotError& error = request.error.emplace();
  for (int k = 0; k < 20; ++k) error.deviations.push_back({2 + 0.05 * k, -1.0 + 0.02 * k, 0});
  const PlacementPlan plan = make_plan(disc_field(), request);
  const PlannedPlacement& best = plan.for_error->placements.front();
  CHECK(best.at[0] == Approx(-2.475).margin(1.0));
  CHECK(best.at[1] == Approx(0.81).margin(1.0));
  CHECK(best.success.probability > 0.999);
}

TEST_CASE("a plan says yes, no, or too few trials", "[plan]") {
  PlanQuestion request;
  RobotError& error = request.error.emplace();
  error.position_sigma_mm = std::array{0.5, 0.5};
  const auto plan = [&](const SuccessField& field) { return plan_text(make_plan(field, request)); };
  CHECK_THAT(plan(disc_field()), Catch::StartsWith("Put the gripper at ("));
  const auto coarse = [&](double p, int trials) {
    return field_of(plane({-6, 6, 6}, {-6, 6, 6}), trials, 5, [=](const auto&) { return p; });
  };
  CHECK_THAT(
      plan(coarse(0.5, 50)),
      Catch::StartsWith("No placement succeeds reliably, in 95 % or more, with a positioning "
                        "error of\n0.5 mm in x and 0.5 mm in y (standard deviations):\n"
                        "the best, (") &&
          Catch::Contains(": wedged "));
  CHECK_THAT(plan(coarse(0.0, 50)), Catch::StartsWith("No grasp succeeds, wherever"));
  request.required_probability = 0.99;
  PlacementPlan few = make_plan(coarse(1.0, 6), request);
  few.more = MoreTrials{"graspmap", "a folder", 6};
  const std::string text = plan_text(few);
  CHECK_THAT(
      text, Catch::StartsWith("Too few trials to tell whether a placement succeeds reliably, "
                              "in 99 % or more,\n") &&
                Catch::Contains("To know: graspmap run 'a folder/config.toml' --out 'a "
                                "folder' --trials-per-cell ") &&
                Catch::Contains("too few trials") && !Catch::Contains("not even without an error"));
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
  // A distribution without width is as wide as stored trials can tell, and stays inside.
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

TEST_CASE("a plan after a calibration is that of its distributions and its offset",
          "[plan][slow]") {
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
  request.error.emplace().position_sigma_mm = std::array{1.0, 1.0};
  CHECK(make_plan(field, request).for_error->placements.front().success.probability ==
        Approx(0.5).margin(0.06));
  request.after = "calibrate.json";
  for (const double low : {0.3, 0.35}) {
    PosteriorDraw draw;
    draw.friction[0] = Uniform{low, low + 0.2};
    draw.offset = {1.0, 0, 0};
    request.draws.push_back(draw);
    request.draw_weights.push_back(draw_weights(draw, kStored, samples));
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
