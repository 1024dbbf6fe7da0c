#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/assert.hpp"
#include "grasp/base/probability/distribution.hpp"
#include "lab/measured_pushes/least_squares.hpp"
#include "lab/measured_pushes/repeat_spread.hpp"
#include "lab/validation/examples.hpp"

namespace graspmap {
namespace {

constexpr const char* kRepeatPaper =
    "runs of open-loop plans, github.com/robinzhoucmu/Pushing (differential_flat, May 2017)";
constexpr int kRepeatDraws = 60;  // of each plan
constexpr std::uint64_t kRepeatSeed = 1;
const Pose2 kPlannedEnd{{0.0, -317.5}, 0.0};  // of all plans
constexpr double kLeastDeviation = 1e-4;      // mm or rad
constexpr double kDegrees = 180.0 / std::numbers::pi;
constexpr std::array kCoordinates{"x, mm", "y, mm", "angle, degrees"};

/// Distances of positions and angles of many ends from where they were said to be.
struct EndsSeen {
  std::vector<double> position_mm;
  std::vector<double> angle_deg;

  void add(const Pose2& said, const Pose2& measured) {
    const Vec3 d = difference(said, measured);
    position_mm.push_back(d.head<2>().norm());
    angle_deg.push_back(kDegrees * std::abs(d[2]));
  }
};

/// The mean end of the other runs of the plan.
Pose2 mean_of_others(const RepeatedPushes& data, const PlanSpread& plan, std::size_t run) {
  std::vector<Pose2> ends;
  for (const std::size_t other : plan.runs) {
    if (other != run) ends.push_back(data.runs[other].end);
  }
  return mean_of(ends);
}

/// In mm, mm and degrees.
Vec3 shown_spread(const Vec3& spread) { return spread.cwiseProduct(Vec3(1.0, 1.0, kDegrees)); }

bool holds(const PlanSpread& plan, Eigen::Index k) {
  return plan.low[k] <= plan.measured_end[k] && plan.measured_end[k] <= plan.high[k];
}

/// The log of how many times one deviation is the other, which may be 0.
double log_factor(double a, double b) {
  return std::abs(std::log(std::max(a, kLeastDeviation) / std::max(b, kLeastDeviation)));
}

class RepeatReport {
 public:
  RepeatReport(const RepeatedPushes& data, const RepeatStudy& study, ExampleReport& report)
      : data_(data), study_(study), report_(report) {}

  void add_errors() const;
  void add_spreads() const;
  void add_figure() const;
  void add_tables() const;
  void add_remarks() const;

 private:
  /// x, y and the angle as one length, mm.
  [[nodiscard]] double size_mm(const PlanSpread& plan, const Vec3& spread) const {
    const double length_mm =
        hand_law(data_.shapes.at(plan.object), HandParameters::Zero()).length_mm;
    return Vec3(spread[0], spread[1], kAngleWeight * length_mm * spread[2]).norm();
  }

  const RepeatedPushes& data_;
  const RepeatStudy& study_;
  ExampleReport& report_;
};

/// Of runs that no law was fitted on.
void RepeatReport::add_errors() const {
  struct Errors {
    EndsSeen ours, others, goal;
  };
  std::map<std::string, Errors> by_object;
  for (const PlanSpread& plan : study_.plans) {
    for (const std::size_t k : plan.runs) {
      const RepeatedRun& run = data_.runs[k];
      if (run.is_fitted_on() || !study_.ends[k]) continue;
      for (const std::string& name : {run.object, std::string("all")}) {
        Errors& errors = by_object[name];
        errors.ours.add(*study_.ends[k], run.end);
        errors.others.add(mean_of_others(data_, plan, k), run.end);
        errors.goal.add(kPlannedEnd, run.end);
      }
    }
  }
  const auto median_of = [](const std::vector<double>& values) {
    return sample_quantile(values, 0.5);
  };
  for (const auto& [name, errors] : by_object) {
    const std::string of = fmt::format("{} ({} runs not fitted on): median error of ", name,
                                       errors.ours.angle_deg.size());
    for (const auto& [said, source] : {std::pair{&errors.goal, "the plan's goal"},
                                       std::pair{&errors.others, "the mean of its other runs"}}) {
      report_.shown(of + "position, mm", median_of(said->position_mm), source,
                    median_of(errors.ours.position_mm), "");
      report_.shown(of + "angle, degrees", median_of(said->angle_deg), source,
                    median_of(errors.ours.angle_deg), "");
    }
  }
}

void RepeatReport::add_spreads() const {
  for (const bool fitted : {false, true}) {
    int plans = 0;
    int inside = 0;
    std::vector<double> factors;
    std::vector<double> start_factors;
    std::vector<double> sizes;
    std::vector<double> start_sizes;
    for (const PlanSpread& plan : study_.plans) {
      if (plan.fitted_on != fitted) continue;
      ++plans;
      for (Eigen::Index k = 0; k < 3; ++k) {
        inside += holds(plan, k) ? 1 : 0;
        factors.push_back(log_factor(plan.measured_end[k], plan.predicted[k]));
        start_factors.push_back(log_factor(plan.measured_end[k], plan.measured_start[k]));
      }
      const double end_mm = size_mm(plan, plan.measured_end);
      sizes.push_back(log_factor(end_mm, size_mm(plan, plan.predicted)));
      start_sizes.push_back(log_factor(end_mm, size_mm(plan, plan.measured_start)));
    }
    if (plans == 0) continue;
    const std::string of =
        fmt::format("{} plans {}: ", plans, fitted ? "fitted on" : "not fitted on");
    const auto factor = [](const std::vector<double>& logs) {
      return std::exp(sample_quantile(logs, 0.5));
    };
    report_.shown(of + "share of measured deviations in the interval of 90 %", 0.9, "the level",
                  inside / (3.0 * plans), "");
    report_.shown(of + "median factor between predicted and measured deviation",
                  factor(start_factors), "as at the start", factor(factors), "");
    report_.shown(of + "the same of x, y and angle as one length", factor(start_sizes),
                  "as at the start", factor(sizes), "");
  }
}

void RepeatReport::add_figure() const {
  CurvesFigure figure{"r2_spread", "R2: spread of the ends of repeated plans",
                      "a point for each plan and coordinate: standard deviations of 5 or 6 runs",
                      "predicted", "measured"};
  figure.points = true;
  figure.equal_axes = true;
  double largest = 0.0;
  for (std::size_t k = 0; k < kCoordinates.size(); ++k) {
    Curve& curve = figure.curves.emplace_back(Curve{kCoordinates[k], "ps 1.5"});
    for (const PlanSpread& plan : study_.plans) {
      const auto row = static_cast<Eigen::Index>(k);
      curve.add(shown_spread(plan.predicted)[row], shown_spread(plan.measured_end)[row]);
      largest = std::max({largest, curve.x.back(), curve.y.back()});
    }
  }
  Curve& equal = figure.curves.emplace_back(Curve{.title = "equal", .style = "lw 1 dt 2"});
  equal.line = true;
  equal.x = equal.y = {0.0, largest};
  report_.figures.push_back(curves_figure(figure));
}

void RepeatReport::add_tables() const {
  Table plans;
  for (const PlanSpread& plan : study_.plans) {
    Object row{{"plan", plan.plan}, {"runs", plan.runs.size()}, {"fitted_on", plan.fitted_on}};
    for (const auto& [what, spread] :
         {std::pair{"start", &plan.measured_start}, std::pair{"end", &plan.measured_end},
          std::pair{"starts_alone", &plan.starts_alone}, std::pair{"predicted", &plan.predicted},
          std::pair{"low", &plan.low}, std::pair{"high", &plan.high}}) {
      const Vec3 shown = shown_spread(*spread);
      row.add({fmt::format("{}_x_mm", what), shown[0]});
      row.add({fmt::format("{}_y_mm", what), shown[1]});
      row.add({fmt::format("{}_deg", what), shown[2]});
    }
    const double start_mm = std::max(size_mm(plan, plan.measured_start), kLeastDeviation);
    row.add({"end_over_start", size_mm(plan, plan.measured_end) / start_mm});
    row.add({"predicted_over_start", size_mm(plan, plan.predicted) / start_mm});
    plans.add(row);
  }
  report_.tables.push_back({"r2_plans.csv", plans});
  Table runs;
  for (std::size_t k = 0; k < data_.runs.size(); ++k) {
    const RepeatedRun& run = data_.runs[k];
    const auto& said = study_.ends[k];
    const auto number = [&](const auto& of) {
      return maybe(said, [&](const Pose2& end) { return of(end); });
    };
    runs.add({{"run_id", run.id},
              {"fitted_on", run.is_fitted_on()},
              {"x_mm", number([](const Pose2& end) { return end.position_mm.x(); })},
              {"y_mm", number([](const Pose2& end) { return end.position_mm.y(); })},
              {"theta_rad", number([](const Pose2& end) { return end.angle_rad; })},
              {"error_mm",
               number([&](const Pose2& end) { return difference(end, run.end).head<2>().norm(); })},
              {"error_deg", number([&](const Pose2& end) {
                 return kDegrees * std::abs(difference(end, run.end)[2]);
               })}});
  }
  report_.tables.push_back({"r2_runs.csv", runs});
}

void RepeatReport::add_remarks() const {
  for (const auto& [object, fit] : study_.fits) {
    const HandLaw law = hand_law(data_.shapes.at(object), fit.parameters);
    report_.remarks.push_back(fmt::format(
        "{}, from {} runs: the hand is off by ({:.2f}, {:.2f}) mm and {:.2f} degrees in its frame, "
        "the camera's part by ({:.2f}, {:.2f}) mm and {:.2f} degrees; friction of the fingers "
        "{:.2f}, the limit "
        "surface {:.2f} times as long as that of uniform pressure.",
        object, fit.runs, law.hand.position_mm.x(), law.hand.position_mm.y(),
        kDegrees * law.hand.angle_rad, law.part.position_mm.x(), law.part.position_mm.y(),
        kDegrees * law.part.angle_rad, law.mu_finger, std::exp(fit.parameters[kLogLength])));
  }
  const Vec3 camera = shown_spread(study_.errors.camera);
  report_.remarks.push_back(fmt::format(
      "From run to run: friction +-{:.1f} %, the length +-{:.1f} %, {:g} times what R1 finds from "
      "push to push; fitted on the spread of the first plan of each object. Camera, from parts at "
      "rest: {:.2f} mm, {:.2f} mm, {:.2f} degrees.",
      100.0 * study_.errors.log_friction, 100.0 * study_.errors.log_length, study_.share, camera[0],
      camera[1], camera[2]));
  report_.remarks.push_back(
      "A standard deviation of 5 runs is itself uncertain: 90 % of such are 0.42 to 1.54 times the "
      "true one, were ends normal.");
  if (study_.unsolved == 0) return;
  report_.remarks.push_back(
      fmt::format("{} simulated runs failed, and are left out.", study_.unsolved));
}

}  // namespace

ExampleReport validate_repeated_pushes(const ValidationContext& context) {
  GRASPMAP_CHECK(context.pushes.has_value());
  ExampleReport report{"R2", "repeated pushes with two fingers", kRepeatPaper};
  const RepeatedPushes data = read_repeated_pushes(*context.pushes);
  context.say(fmt::format("R2: {} runs", data.runs.size()));
  const RepeatStudy study = study_repeats(data, kRepeatDraws, kRepeatSeed, {});
  const RepeatReport runs(data, study, report);
  runs.add_errors();
  runs.add_spreads();
  runs.add_figure();
  runs.add_tables();
  runs.add_remarks();
  return report;
}

}  // namespace graspmap
