#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "grasp/base/io/csv.hpp"
#include "grasp/base/io/text_table.hpp"
#include "grasp/decide/compare/comparison_report.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kMostSessionsListed = 12;

std::string trials_text(std::int64_t count) {
  return fmt::format("{} trial{}", count, count == 1 ? "" : "s");
}

/// "p = 0.04", "p <= 0.0001" where no smaller one could have been found.
std::string p_text(double p_value, std::int64_t replicates) {
  const bool is_least = p_value * static_cast<double>(replicates + 1) < 1.5;
  return fmt::format("p {} {}", is_least ? "<=" : "=", p_value_text(p_value));
}

/// A change in its unit: "+7.3 points", "-0.21 mm".
std::string change_text(Change change, double value) {
  switch (change) {
    case Change::kLevel:
      return fmt::format("{:+.1f}", 100 * value);
    case Change::kShiftX:
    case Change::kShiftY:
      return fmt::format("{:+.2f}", value);
    case Change::kTurn:
    case Change::kJawFriction:
    case Change::kSupportFriction:
      return fmt::format("{:+.3f}", value);
  }
  return "";
}

/// The size of a change that would be found: "±5.1", or a dash.
std::string detectable_text(Change change, double value) {
  return std::isnan(value) ? "-" : "±" + change_text(change, value).substr(1);
}

std::string estimate_text(const ChangeResult& result) {
  const Interval& interval = result.estimate.interval;
  return fmt::format("{} ({} to {})", change_text(result.change, result.estimate.value),
                     change_text(result.change, interval.low),
                     change_text(result.change, interval.high));
}

std::string verdict_text(const Agreement& agreement) {
  const double within = 100 * agreement.within;
  const std::string p = p_text(agreement.p_value, agreement.replicates);
  switch (agreement.verdict) {
    case AgreementVerdict::kAgrees:
      if (agreement.significant) {
        return fmt::format(
            "The experiment and the run differ by more than chance explains ({}), but agree within "
            "{:.4g}\npercentage points (at {:.4g} % confidence).\n",
            p, within, 100 * agreement.confidence);
      }
      return fmt::format(
          "The experiment and the run agree within {:.4g} percentage points (at {:.4g} % "
          "confidence); no\ndifference beyond chance was found ({}).\n",
          within, 100 * agreement.confidence, p);
    case AgreementVerdict::kDiffers:
      return fmt::format("The experiment and the run differ by more than chance explains ({}).\n",
                         p);
    case AgreementVerdict::kCannotTell:
      return fmt::format(
          "It cannot be told whether the experiment and the run agree: no difference beyond chance "
          "was\nfound ({}), but agreement within {:.4g} percentage points is not shown either.\n",
          p, within);
  }
  return "";
}

std::string observed_text(const Agreement& agreement) {
  const ChangeResult& level = *agreement.of(Change::kLevel);
  const Interval& interval = level.estimate.interval;
  return fmt::format(
      "At the experiment's own placements: {} of {} succeeded, {:.1f} were expected (standard\n"
      "deviation {:.1f}): a difference of {:+.1f} points ({:.4g} % interval {:+.1f} to {:+.1f}).\n",
      agreement.successes, trials_text(agreement.trials), agreement.expected, agreement.expected_sd,
      100 * level.estimate.value, 100 * agreement.confidence, 100 * interval.low,
      100 * interval.high);
}

/// What was found, the clearest first.
std::string found_text(const Agreement& agreement) {
  if (!agreement.significant) return "";
  const double level = 1 - agreement.confidence;
  std::vector<std::pair<double, std::string>> found;
  const auto add = [&](double adjusted_p, const char* what) {
    if (adjusted_p <= level) found.emplace_back(adjusted_p, what);
  };
  for (const ChangeResult& change : agreement.changes) add(change.adjusted_p, name(change.change));
  add(agreement.places.adjusted_p, "differences by place");
  if (agreement.between_sessions) {
    add(agreement.between_sessions->adjusted_p, "differences between sessions");
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> words;
  for (const auto& [p, what] : found) words.push_back(what);
  if (words.empty()) return "";
  return fmt::format("Found: {}.{}\n", fmt::join(words, ", "),
                     words.size() > 1 ? "\nOne cause can show as several of these." : "");
}

std::string smallest_text(const Agreement& agreement) {
  if (agreement.smallest_within >= 1) return "";
  return fmt::format("Agreement within d points is shown for d = {:.1f} or more.\n",
                     std::ceil(1000 * agreement.smallest_within) / 10);
}

std::string sessions_text(const ExperimentComparison& comparison) {
  const Agreement& agreement = comparison.agreement;
  if (agreement.sessions.empty()) return "";
  std::string text = fmt::format(
      "\nSessions: friction is taken as constant in each, drawn from the run's laws. That makes\n"
      "the standard deviation of the total {:.2g} times that of trials with their own friction.\n",
      agreement.session_widening);
  TextTable table({"session", "successes", "expected", "sd", "difference in sd"});
  for (std::size_t k = 0; k < std::min(agreement.sessions.size(), kMostSessionsListed); ++k) {
    const SessionResult& session = agreement.sessions[k];
    const double difference = static_cast<double>(session.successes) - session.expected;
    table.add(
        {comparison.experiment.sessions[session.session],
         fmt::format("{}/{}", session.successes, session.trials),
         fmt::format("{:.1f}", session.expected), fmt::format("{:.1f}", session.expected_sd),
         session.expected_sd > 0 ? fmt::format("{:+.1f}", difference / session.expected_sd) : "-"});
  }
  text += table.text();
  if (agreement.sessions.size() > kMostSessionsListed) {
    text +=
        fmt::format("{} more in compare.json.\n", agreement.sessions.size() - kMostSessionsListed);
  }
  return text;
}

}  // namespace

std::string agreement_verdict_text(const Agreement& agreement) {
  return verdict_text(agreement) + observed_text(agreement) + found_text(agreement) +
         smallest_text(agreement);
}

std::string agreement_tests_text(const ExperimentComparison& comparison) {
  const Agreement& agreement = comparison.agreement;
  TextTable table({"what may be changed", "unit",
                   fmt::format("estimate ({:.4g} % interval)", 100 * agreement.confidence), "p",
                   "corrected p", "points at most", "found: 80 %", "90 %"});
  for (const ChangeResult& result : agreement.changes) {
    table.add({name(result.change), unit(result.change), estimate_text(result),
               p_value_text(result.p_value), p_value_text(result.adjusted_p),
               fmt::format("{:.1f}", 100 * result.largest_effect),
               detectable_text(result.change, result.detectable_80),
               detectable_text(result.change, result.detectable_90)});
  }
  const auto add_test = [&](const char* what, const TestResult& result) {
    table.add(
        {what, "", "", p_value_text(result.p_value), p_value_text(result.adjusted_p), "", "", ""});
  };
  add_test("places, in any pattern", agreement.places);
  if (agreement.between_sessions) add_test("between sessions", *agreement.between_sessions);
  return fmt::format(
             "\n{}Each change as if it were the only one, to first order. Points at most: the mean "
             "change of the\nsuccess that is not excluded. Found: a change of this size would be "
             "found with 80, 90 % probability.\n",
             table.text()) +
         sessions_text(comparison);
}

std::string placements_csv(const ExperimentComparison& comparison) {
  std::string text =
      "x_mm,y_mm,theta_min_rad,theta_max_rad,session,trials,successes,simulated_trials,"
      "simulated_successes,simulated_failed,expected_probability\n";
  const auto& sessions = comparison.experiment.sessions;
  for (const PredictedSite& site : comparison.prediction.sites) {
    const Place& place = comparison.prediction.places[site.place];
    text +=
        fmt::format("{},{},{},{},", site.x_mm, site.y_mm, place.theta_min_rad, place.theta_max_rad);
    if (!sessions.empty()) append_csv_field(text, sessions[site.session]);
    text += fmt::format(",{},{},{},{},{},{}\n", site.trials, site.successes, site.model.trials,
                        site.model.successes, site.model.failed, site.model.probability());
  }
  return text;
}

}  // namespace graspmap
