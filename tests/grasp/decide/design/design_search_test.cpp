#include "grasp/decide/design/design_search.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <numbers>
#include <utility>

#include "grasp/base/io/request.hpp"
#include "grasp/base/probability/distribution.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/decide/design/design_race.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/sweep_text.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/v_pads.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;

namespace {

constexpr const char* kV = R"([design]
placement = [0, 0]
[[design.variable]]
key = "gripper.finger.groove_angle_deg"
min = 60
max = 165
step = 15
[[design.variable]]
key = "gripper.finger.groove_depth_mm"
min = 2
max = 8
step = 1
)";

AskedDesign asked(const TemporaryFolder& folder, const std::string& design,
                  const DesignRequest& request) {
  return asked_design(folder.write("v_pads.toml", v_pads(design)).string(), request);
}

/// The success of these pads, by hand. With its centre y above their middle, below the mouth's
/// corner at w = depth tan(angle / 2), the disc first touches that corner. The line to its centre
/// has the angle phi with sin(phi) = (w - y) / R; the disc slides in where tan(phi) > mu. Above
/// that, and with a V so flat that a flank's normal lies in the cone of friction, it stays.
double v_pads_success(double angle_deg, double depth_mm) {
  constexpr double kRadius_mm = 12;
  constexpr double kMu = 0.2;
  constexpr double kSigma_mm = 4;
  const double half_rad = angle_deg / 2 * std::numbers::pi / 180;
  if (1 / std::tan(half_rad) <= kMu) return 0.0;
  const double mouth_mm = depth_mm * std::tan(half_rad);
  const double reach_mm = mouth_mm - kRadius_mm * kMu / std::sqrt(1 + kMu * kMu);
  return reach_mm > 0 ? 2 * normal_cumulative(reach_mm / kSigma_mm) - 1 : 0.0;
}

DesignRequest small_request() {
  DesignRequest request;
  request.designs = 12;
  request.generations = 1;
  request.most_trials = 128;
  request.trials = 500;
  request.threads = 2;
  return request;
}

DesignRequest larger_request() {
  DesignRequest request = small_request();
  request.designs = 24;
  request.generations = 2;
  request.most_trials = 256;
  request.trials = 1000;
  return request;
}

DesignAnswer answer_of(const AskedDesign& question) {
  KeptGrasps kept;
  return search_design(question.question, question.space, kept);
}

/// The share of successes of so many fresh grasps of a configuration at a placement.
double simulated_success(const SweepConfig& config, const PlacementVector& at, std::int64_t count,
                         std::uint64_t seed) {
  const auto error = std::make_shared<const ErrorMixture>(make_mixture(error_model(*config.robot)));
  const DesignedGrasp grasp(config, error, seed);
  std::vector<GraspJob> jobs = {grasp.job("", GraspAt::kAim, 0, count, at)};
  KeptGrasps().run(jobs, 2);
  return design_score({}, jobs[0].ends);
}

}  // namespace

TEST_CASE("a disc slides into a V as far as friction lets it") {
  for (const auto& [angle_deg, depth_mm] :
       {std::pair{120.0, 4.0}, {90.0, 6.0}, {60.0, 8.0}, {150.0, 2.0}}) {
    const SweepConfig config = sweep_of(v_pads("", angle_deg, depth_mm));
    CHECK(simulated_success(config, {}, 1024, 5) ==
          within(v_pads_success(angle_deg, depth_mm), 0.02));
  }
  // So flat that a flank holds it by friction.
  CHECK(simulated_success(sweep_of(v_pads("", 160, 1)), {}, 256, 5) < 0.05);
}

TEST_CASE("the tolerated error scales the spread about the mean, not the mean") {
  const SweepConfig config = sweep_of(v_pads(""));
  ErrorMixture error;
  error.components.front().shift = {0, 3, 0};
  const DesignedGrasp grasp(config, std::make_shared<const ErrorMixture>(error), 1);
  std::vector<GraspJob> jobs = {grasp.job("", GraspAt::kScaled, 0, 16)};
  KeptGrasps().run(jobs, 2);
  for (const GraspEnd& end : jobs[0].ends) CHECK(end == jobs[0].ends[0]);
}

TEST_CASE("the search finds the best V, as the closed form says", "[slow]") {
  const TemporaryFolder folder;
  const DesignAnswer answer = answer_of(asked(folder, kV, larger_request()));
  // The best that fits into the pad's 24 mm.
  double best = 0.0;
  for (int angle = 60; angle <= 165; angle += 15) {
    for (int depth = 2; depth <= 8; ++depth) {
      const double mouth = depth * std::tan(angle / 2.0 * std::acos(-1.0) / 180.0);
      if (mouth < 12) best = std::max(best, v_pads_success(angle, depth));
    }
  }
  const RatedDesign& found = answer.best.front();
  CHECK(v_pads_success(found.design.values[0], found.design.values[1]) > best - 0.01);
  const Estimate& value = answer.best_values.values[0];
  const double truth = v_pads_success(found.design.values[0], found.design.values[1]);
  CHECK(value.interval.low < truth + 0.01);
  CHECK(value.interval.high > truth - 0.01);
  CHECK(answer.today_values.values[0].value == within(v_pads_success(120, 4), 0.03));
  CHECK(answer.gains[0].value == within(truth - v_pads_success(120, 4), 0.03));
  CHECK(answer.gains[0].interval.low > 0.0);
  CHECK(answer.refused.count > 0);
  CHECK_THAT(answer.refused.first, Contains("groove"));
  // Both decide.
  REQUIRE(answer.profiles.size() == 2);
  CHECK(answer.profiles[0].matters);
  CHECK(answer.profiles[1].matters);
  for (const VariableProfile& profile : answer.profiles) {
    for (std::size_t level = 0; level < profile.levels.size(); ++level) {
      if (std::isnan(profile.values[level])) continue;
      Design moved = found.design;
      moved.values[profile.variable] = profile.numbers[level];
      CHECK(profile.values[level] ==
            within(v_pads_success(moved.values[0], moved.values[1]), 0.04));
    }
  }
  CHECK_THAT(design_text(answer), Contains("Best design: groove angle") &&
                                      Contains("could not be built") && Contains("gain"));
}

TEST_CASE("a variable that does not matter is said so", "[slow]") {
  const TemporaryFolder folder;
  const DesignAnswer answer = answer_of(asked(folder, R"([design]
placement = [0, 0]
[[design.variable]]
key = "gripper.finger.groove_depth_mm"
min = 2
max = 6
step = 2
[[design.variable]]
key = "gripper.closing_speed_mm_s"
min = 30
max = 60
)",
                                              larger_request()));
  REQUIRE(answer.profiles.size() == 2);
  CHECK(answer.profiles[0].matters);
  CHECK_FALSE(answer.profiles[1].matters);
  CHECK_FALSE(answer.profiles[1].down);
  CHECK_FALSE(answer.profiles[1].up);
  // A shallower groove loses: by hand, how much of it costs a point.
  REQUIRE(answer.profiles[0].down);
  const double angle_deg = 120;
  const double depth_mm = answer.best.front().design.values[0];
  double off = 0.0;
  while (v_pads_success(angle_deg, depth_mm - off) > v_pads_success(angle_deg, depth_mm) - 0.01) {
    off += 0.001;
  }
  CHECK(*answer.profiles[0].down == within(off, 0.12));
}

TEST_CASE("the tip's radius moves the border on the L-bracket as geometry says") {
  // The fillet has its centre at y = -15 and radius 5, and a smaller tip of radius r fits into it
  // up to y = r - 15. What counts as contact, a gap of g, lets the tip be further up by s, where
  // the circles are apart by s^2 / (2 (5 - r)).
  constexpr double kGap_mm = 0.002;
  for (const double radius_mm : {0.5, 1.0, 2.0, 3.0, 4.0}) {
    const SweepConfig config =
        read_sweep_config(testing::source_dir() + "/configs/l_bracket.toml",
                          {"gripper.finger.tip_radius_mm=" + std::to_string(radius_mm),
                           "stop.contact_gap_mm=0.002", "success.0.theta_rad=[-0.001, 0.001]"});
    Workspace workspace;
    SimulationResult result;
    TrialParameters trial;
    trial.placement_x_mm = 6;
    trial.mu_jaw = 0.2;
    trial.mu_support = 0.2;
    double low = -18.0;
    double high = -9.5;
    while (high - low > 1e-5) {
      trial.placement_y_mm = 0.5 * (low + high);
      const bool success = run_trial(config, trial, workspace, result).outcome == Outcome::kSuccess;
      (success ? low : high) = trial.placement_y_mm;
    }
    CHECK(low == within(radius_mm - 15.0 + std::sqrt(2.0 * kGap_mm * (5.0 - radius_mm)), 1e-3));
  }
}

TEST_CASE("each design gets its best placement", "[slow]") {
  const TemporaryFolder folder;
  std::string design = kV;
  design.erase(design.find("placement = [0, 0]\n"), 19);
  DesignRequest request = small_request();
  const AskedDesign question = asked(folder, design, request);
  const DesignAnswer answer = answer_of(question);
  REQUIRE(answer.best.front().aims.size() == 1);
  CHECK(std::abs(answer.best.front().aims[0][1]) < 1.0);
  CHECK(answer.best_values.values[0].value > answer.today_values.values[0].value);
}

TEST_CASE("a placement makes up for the mean of measured deviations") {
  const TemporaryFolder folder;
  std::string text = v_pads(R"([design]
[[design.variable]]
key = "gripper.closing_speed_mm_s"
min = 30
max = 60
)");
  const std::string normal = "position_sigma_mm = [0.1, 4]";
  text.replace(text.find(normal), normal.size(),
               "deviations = [[0, 5.5], [0, 6.5], [0.1, 6], [-0.1, 6.2], [0, 5.8]]");
  const AskedDesign question =
      asked_design(folder.write("v_pads.toml", text).string(), small_request());
  KeptGrasps kept;
  DesignRace race(question.question, question.space, kept);
  Candidate today = race.built({0, {40.0}}, {});
  race.find_aims({&today});
  race.refine_aims({&today}, 256);
  // The V takes the disc from 4.6 mm to each side (v_pads_success).
  CHECK(today.parts[0].aim[1] == within(-6.0, 2.0));
  race.extend({&today}, 256);
  CHECK(race.score(today, 0, 256) > 0.99);
}

TEST_CASE("a search has the same bits with any threads, and goes on where it ended", "[slow]") {
  const TemporaryFolder folder;
  DesignRequest request = small_request();
  AskedDesign question = asked(folder, kV, request);
  const std::string whole = json_document(design_fields(answer_of(question)));
  question.question.threads = 1;
  CHECK(json_document(design_fields(answer_of(question))) == whole);

  const auto file = folder.path() / "design.sqlite";
  const std::string text = design_search_text(question.question);
  std::int64_t simulated = 0;
  for (int round = 0; round < 200; ++round) {
    // Each round is stopped a little later.
    std::atomic<int> stop = 0;
    KeptGrasps kept(file, text, [&](const TrialCounters& /*counters*/, std::int64_t /*total*/) {
      if (--simulated < 0) stop = 1;
      return std::shared_ptr<const void>();
    });
    simulated = 1;
    const StopScope scope(&stop);
    try {
      const DesignAnswer answer = search_design(question.question, question.space, kept);
      CHECK(json_document(design_fields(answer)) == whole);
      CHECK(round > 2);
      break;
    } catch (const AnalysisStopped&) {
      CHECK(round < 199);
    }
  }
  // Another search begins anew.
  question.question.seed = 2;
  const KeptGrasps other(file, design_search_text(question.question), {});
  CHECK(other.has_replaced());
  CHECK(other.found() == 0);
}

TEST_CASE("of several parts the mean or the worst counts", "[slow]") {
  const TemporaryFolder folder;
  const std::string parts = R"([[design.part]]
name = "thin"
set = ["part.piece.0.semi_axes_mm=[8, 8]"]
weight = 3
)";
  DesignRequest request = small_request();
  request.generations = 0;
  request.designs = 8;
  const auto values_of = [&](const std::string& rule) {
    std::string design = kV;
    design.insert(design.find("placement"), rule);
    const DesignAnswer answer = answer_of(asked(folder, design + parts, request));
    REQUIRE(answer.best_values.successes.size() == 2);
    CHECK(answer.configs.size() == 2);
    return std::pair{answer.best_values.values[0].value,
                     std::pair{answer.best_values.successes[0].probability(),
                               answer.best_values.successes[1].probability()}};
  };
  const auto [mean, of_mean] = values_of("");
  CHECK(mean == within(0.25 * of_mean.first + 0.75 * of_mean.second, 1e-9));
  const auto [worst, of_worst] = values_of("parts = \"worst\"\n");
  CHECK(worst == std::min(of_worst.first, of_worst.second));
}

TEST_CASE("two objectives have a front", "[slow]") {
  const TemporaryFolder folder;
  std::string design = kV;
  design.insert(design.find("placement"), "second_objective = \"worst-cell\"\n");
  const DesignAnswer answer = answer_of(asked(folder, design, small_request()));
  CHECK(answer.best.front().on_front);
  REQUIRE(answer.best_values.values.size() == 2);
  CHECK(answer.best.front().values.size() == 2);
  CHECK(design_figures(answer).size() == 3);
}

TEST_CASE("constraints keep designs and placements out", "[slow]") {
  const TemporaryFolder folder;
  std::string design = kV;
  design.insert(design.find("placement"), "most_width_mm = 11\n");
  CHECK_THROWS_WITH(answer_of(asked(folder, design, small_request())),
                    Contains("12 mm wide; must be at most design.most_width_mm = 11"));
  // With the pads' corners 13 mm from the middle in x, and the shaft's radius 12, 1 mm is left at
  // each side; 20 mm more in opening leave 11.
  design = kV;
  design.erase(design.find("placement = [0, 0]\n"), 19);
  design.insert(design.find("[[design.variable]]"), "clearance_mm = 12\n");
  DesignRequest request = small_request();
  request.generations = 0;
  request.designs = 8;
  const AskedDesign question = asked(folder, design, request);
  const DesignAnswer answer = answer_of(question);
  const auto error = std::make_shared<const ErrorMixture>();
  const DesignedGrasp grasp(answer.configs[0], error, 1);
  CHECK(grasp.clearance_mm(answer.best[0].aims[0]) > 11.5);
}

TEST_CASE("the headline tells whether the best design or today's is better") {
  const TemporaryFolder folder;
  const AskedDesign question = asked(folder, kV, small_request());
  const auto text_of = [&](double gain, double low, double high) {
    DesignAnswer answer{
        question.question, question.space, {}, {}, {}, {}, {}, {}, {}, {}, 0, 0, {}};
    answer.best.emplace_back().values = {0.5};
    answer.best_values.values = answer.today_values.values = {{0.5, {0.4, 0.6}}};
    answer.gains = {{gain, {low, high}}};
    return design_text(answer);
  };
  const std::string worse = "The trials show that today's design is better.";
  const std::string open = "The trials do not show that it is better than today's design.";
  CHECK_THAT(text_of(-0.279, -0.302, -0.256), Contains(worse) && !Contains(open));
  CHECK_THAT(text_of(-0.01, -0.03, 0.01), Contains(open) && !Contains(worse));
  CHECK_THAT(text_of(0.1, 0.05, 0.15), !Contains(open) && !Contains(worse));
}

TEST_CASE("what cannot be asked of a design is said in a line") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(asked(folder, "", DesignRequest{}),
                    Contains("design: missing; must say what a design may choose"));
  DesignRequest request;
  request.most_trials = 100;
  CHECK_THROWS_WITH(asked(folder, kV, request), Contains("--most-trials: must be 64, 128"));
  request = small_request();
  request.set = {"robot="};
  CHECK_THROWS_WITH(asked(folder, kV, request), Contains("the robot's error is not known"));
  request = small_request();
  std::string unknown = kV;
  unknown.replace(unknown.find("groove_depth_mm"), 15, "groove_length_mm");
  CHECK_THROWS_WITH(answer_of(asked(folder, unknown, request)),
                    Contains("no design can be built") && Contains("groove_length_mm"));
}

TEST_CASE("brute force: design", "[.]") {
  // All designs of three spaces at a fixed placement, 4000 grasps each, against the search.
  const std::string source = testing::source_dir();
  const TemporaryFolder folder;
  const std::string pads = R"(
[robot]
position_sigma_mm = 3
[design]
placement = [0, PLACE]
[[design.variable]]
key = "gripper.finger.pad_width_mm"
min = 6
max = 40
step = 2
[[design.variable]]
key = "gripper.finger.tip_radius_mm"
min = 0.5
max = 3
step = 0.5
)";
  struct Case {
    std::string name;
    std::string text;
    std::vector<std::string> set;
  };
  std::string fine = kV;
  for (const auto& [from, to] :
       {std::pair<std::string, std::string>{"max = 165\nstep = 15", "max = 160\nstep = 5"},
        {"step = 1\n", "step = 0.5\n"}}) {
    fine.replace(fine.find(from), from.size(), to);
  }
  const auto with_pads = [&](const std::string& name, const std::string& y) {
    std::string text = file_text(source + "/configs/" + name + ".toml");
    std::string design = pads;
    design.replace(design.find("PLACE"), 5, y);
    return Case{name,
                text + design,
                {"gripper.finger.outline_mm=", "gripper.finger.names=",
                 "gripper.finger.pad_width_mm=16", "gripper.finger.pad_depth_mm=8"}};
  };
  std::vector<Case> cases = {
      {"v_pads", v_pads(fine), {}}, with_pads("connecting_rod", "44"), with_pads("hex_nut", "0")};
  cases[2].set = {"gripper.finger.pad_width_mm=16", "gripper.finger.pad_depth_mm=8",
                  "placement.theta_min_rad=",       "placement.theta_max_rad=",
                  "placement.theta_cells=",         "placement.theta_rad=0.3"};
  for (const Case& one : cases) {
    const auto drawings = folder.path() / "drawings";
    std::filesystem::copy(source + "/configs/drawings", drawings,
                          std::filesystem::copy_options::recursive |
                              std::filesystem::copy_options::overwrite_existing);
    DesignRequest request;
    request.designs = 48;
    request.generations = 3;
    request.most_trials = 512;
    request.trials = 2000;
    request.set = one.set;
    const AskedDesign question =
        asked_design(folder.write(one.name + ".toml", one.text).string(), request);
    const DesignAnswer answer = answer_of(question);
    const DesignedPart& part = question.question.parts[0];
    double best = 0.0;
    double of_found = 0.0;
    std::int64_t trials = 0;
    const std::size_t a = question.space.rule().variables[0].choices();
    const std::size_t b = question.space.rule().variables[1].choices();
    for (std::size_t k = 0; k < a * b; ++k) {
      const double u = (static_cast<double>(k % a) + 0.5) / static_cast<double>(a);
      const double v = (static_cast<double>(k / a) + 0.5) / static_cast<double>(b);
      const Design design = question.space.at(std::vector{0.5, u, v});
      std::optional<SweepConfig> config;
      try {
        config = parse_sweep_config(part.text, part.source, question.space.overrides(design));
      } catch (const ConfigError&) {
        continue;
      }
      const std::vector<double>& at = question.question.rule.placement;
      const double success =
          simulated_success(*config, {at[0], at[1], config->placement.theta_rad.min}, 4096, 99);
      trials += 4096;
      best = std::max(best, success);
      if (design == answer.best.front().design) of_found = success;
    }
    const Interval& interval = answer.best_values.values[0].interval;
    WARN(one.name << ": brute force " << best << " in " << trials << " trials; found " << of_found
                  << ", told " << interval.low << " to " << interval.high << " in "
                  << answer.searched << " trials");
    CHECK(of_found > best - 0.01);
    CHECK(interval.high >= best - 0.01);
    CHECK(answer.searched * 10 <= trials);
  }
}

TEST_CASE("coverage: design", "[.]") {
  // How often the interval of the answer holds the success of the design that was found: the closed
  // form's, of which simulation is checked above.
  const TemporaryFolder folder;
  DesignRequest request = small_request();
  request.designs = 16;
  int held = 0;
  constexpr int kSearches = 200;
  std::map<std::pair<double, double>, double> truths;
  for (int search = 0; search < kSearches; ++search) {
    request.seed = static_cast<std::uint64_t>(1000 + search);
    const DesignAnswer answer = answer_of(asked(folder, kV, request));
    const auto& found = answer.best.front().design.values;
    const auto [known, is_new] = truths.try_emplace({found[0], found[1]});
    if (is_new) known->second = simulated_success(answer.configs[0], {}, 1 << 16, 77);
    const Interval& interval = answer.best_values.values[0].interval;
    held += interval.low <= known->second && known->second <= interval.high ? 1 : 0;
  }
  WARN("the interval holds in " << held << " of " << kSearches << " searches, of " << truths.size()
                                << " designs");
  CHECK(held >= 0.92 * kSearches);
}
