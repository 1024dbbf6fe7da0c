#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <numbers>

#include "bench/compare/comparison_report.hpp"
#include "bench/compare/limits.hpp"
#include "bench/compare/machine.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/base/io/printable_text.hpp"

namespace graspmap::bench {
namespace {

constexpr double kDegrees = 180.0 / std::numbers::pi;

using Row = std::vector<std::string>;

std::string text_table(const std::vector<Row>& rows) {
  TextTable table(rows.front());
  for (std::size_t k = 1; k < rows.size(); ++k) table.add(rows[k]);
  return table.text();
}

std::string markdown_table(const std::vector<Row>& rows) {
  std::string text;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    text += fmt::format("| {} |\n", fmt::join(rows[k], " | "));
    if (k > 0) continue;
    text += fmt::format("| {} |\n", fmt::join(Row(rows[k].size(), "---"), " | "));
  }
  return text;
}

std::string number(double value) { return std::isnan(value) ? "-" : fmt::format("{:.2g}", value); }

/// Trials per second with three digits.
std::string rate(double trials_per_s) {
  const double unit = std::pow(10.0, std::floor(std::log10(trials_per_s)) - 2.0);
  return fmt::format("{:g}", std::round(trials_per_s / unit) * unit);
}

std::string percent(double share) { return fmt::format("{:.2f} %", 100.0 * share); }

std::vector<Row> score_rows(const std::vector<const Score*>& scores) {
  std::vector<Row> rows{{"engine", "setting", "trials/s", "robust right", "95 % interval", "wrong",
                         "all right", "median mm", "90 % mm", "99 % mm", "median deg", "90 % deg",
                         "99 % deg", "overlap mm", "failed"}};
  for (const Score* score : scores) {
    const Agreement& a = score->agreement;
    const Interval share = a.robust_interval();
    rows.push_back({score->curve, score->setting, rate(score->median_trials_per_s()),
                    percent(a.robust_share()),
                    fmt::format("{:.2f}-{:.2f}", 100.0 * share.low, 100.0 * share.high),
                    fmt::format("{}", a.robust_wrong()),
                    percent(static_cast<double>(a.agreeing) / a.trials), number(a.median_mm),
                    number(a.p90_mm), number(a.p99_mm), number(kDegrees * a.median_rad),
                    number(kDegrees * a.p90_rad), number(kDegrees * a.p99_rad),
                    number(a.worst_overlap_mm), fmt::format("{}", a.failed)});
  }
  return rows;
}

/// The columns that matter most, for a page.
std::vector<Row> main_columns(const std::vector<Row>& rows) {
  std::vector<Row> narrow;
  for (const Row& row : rows) {
    narrow.emplace_back();
    for (const std::size_t column : {0, 1, 2, 3, 7, 8, 13}) narrow.back().push_back(row[column]);
  }
  return narrow;
}

std::vector<Row> limit_rows() {
  std::vector<Row> rows{{"", "graspmap", "Box2D", "MuJoCo"}};
  for (const Limit& limit : limits()) {
    rows.push_back({limit.what, limit.graspmap, limit.box2d, limit.mujoco});
  }
  return rows;
}

/// How many times as fast as another engine graspmap is to be; 0: no target.
double target(const std::string& curve) {
  if (curve.starts_with("Box2D")) return 2.0;
  if (curve.starts_with("MuJoCo")) return 10.0;
  return 0.0;
}

const char* met(bool yes) { return yes ? "met" : "missed"; }

std::string name_of(const Score& score) {
  return fmt::format("{} at {} ({} trials/s)", score.curve, score.setting,
                     rate(score.median_trials_per_s()));
}

/// Of an engine that gets enough robust trials right at no step: the step with the most.
std::string best_text(const Score& best, const Score* ours) {
  std::string text =
      fmt::format("{} {} at {}", best.curve, percent(best.agreement.robust_share()), best.setting);
  if (ours != nullptr) {
    text += fmt::format(" ({:.1f} times slower)",
                        ours->median_trials_per_s() / best.median_trials_per_s());
  }
  return text;
}

/// The verdict, a line each: ours, then what it is held against.
std::vector<std::string> verdict(const Comparison& comparison) {
  std::vector<std::string> lines;
  const Score* ours = fastest_right(comparison);
  const std::string rule = fmt::format(
      "every robust trial right, final poses within {:g} mm and {:g} degree in the median",
      kRightMedian_mm, kRightMedian_deg);
  if (ours == nullptr) {
    lines.push_back(fmt::format("No setting of graspmap has {}: missed.", rule));
  } else {
    lines.push_back(fmt::format("{} has {}: met.", name_of(*ours), rule));
  }
  std::vector<std::string> unusable;
  for (const std::string& curve : comparison.curves()) {
    if (curve.starts_with(kOurs)) continue;
    const Score* peer = fastest_usable(comparison, curve);
    if (peer == nullptr) {
      unusable.push_back(best_text(*most_right(comparison, curve), ours));
    } else if (ours != nullptr) {
      const double ratio = ours->median_trials_per_s() / peer->median_trials_per_s();
      lines.push_back(fmt::format(
          "{:.1f} times as fast as {}, its fastest step with {:g} % of the robust trials right "
          "(target: {:g} times): {}.",
          ratio, name_of(*peer), 100.0 * kUsableShare, target(curve), met(ratio >= target(curve))));
    }
  }
  if (!unusable.empty()) {
    lines.push_back(
        fmt::format("Less than {:g} % of the robust trials right at every step, at most: {}.",
                    100.0 * kUsableShare, fmt::join(unusable, "; ")));
  }
  return lines;
}

std::string reference_text(const Comparison& comparison) {
  const Agreement half = convergence(comparison.reference);
  const double step_ms = kMillisecondsPerSecond * comparison.reference_step_s;
  return fmt::format(
      "Reference: the implicit stepper at {:g} ms. At {:g} ms it gives {} of {} trials the same "
      "outcome,\nand final poses that differ by {} mm and {} degree in the median, {} mm and {} "
      "degree at 90 %.\n",
      step_ms, 0.5 * step_ms, half.agreeing, half.trials, number(half.median_mm),
      number(kDegrees * half.median_rad), number(half.p90_mm), number(kDegrees * half.p90_rad));
}

std::string robust_text(const Comparison& comparison) {
  const auto trials = static_cast<double>(comparison.reference.size());
  std::string text = fmt::format(
      "Robust: {} of {} trials ({:.1f} %), whose outcome none of these changes of the reference "
      "changes:\n",
      comparison.robust(), comparison.reference.size(), 100.0 * comparison.robust() / trials);
  for (std::size_t k = 0; k < kDisturbances.size(); ++k) {
    text += fmt::format("  {:<30} changes {:>4}\n", kDisturbances[k].name,
                        changed_outcomes(comparison.reference, k));
  }
  return text;
}

/// Engines must give the same bits in each repetition; which do not is worth knowing.
std::string unrepeatable_text(const Comparison& comparison) {
  std::string text;
  for (const Score& score : comparison.scores) {
    if (score.measured.unrepeatable == 0) continue;
    text += fmt::format("{} at {}: {} trials depend on those before them.\n", score.curve,
                        score.setting, score.measured.unrepeatable);
  }
  return text;
}

std::string measured_text(const Comparison& comparison) {
  return fmt::format(
      "{} trials of {} on {}; one core, its processor time, the median of {} repetitions in which "
      "all took turns",
      comparison.reference.size(), comparison.name, machine_name(), comparison.repetitions);
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  std::vector<const Score*> all;
  for (const Score& score : comparison.scores) all.push_back(&score);
  return fmt::format(
      "{}.\n\n{}{}\n{}{}\nErrors of final poses are over trials with the reference's outcome; "
      "overlaps are by the exact shapes.\n\n{}\n\n{}",
      measured_text(comparison), reference_text(comparison), robust_text(comparison),
      text_table(score_rows(all)), unrepeatable_text(comparison),
      fmt::join(verdict(comparison), "\n"), text_table(limit_rows()));
}

std::string comparison_markdown(const Comparison& comparison) {
  return fmt::format("{}.\n\n{}\n{}", measured_text(comparison),
                     markdown_table(main_columns(score_rows(main_scores(comparison)))),
                     markdown_table(limit_rows()));
}

}  // namespace graspmap::bench
