#include "lab/scenes/scene_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geometry/assert.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/process/environment.hpp"

namespace graspmap {
namespace {

std::string report_row(const char* what, const std::string& text) {
  return fmt::format("  {:<16} {}\n", what, text);
}

const NamedBody& body_at(const SceneFacts& scene, int body) {
  return scene.bodies[static_cast<std::size_t>(body)];
}

std::string overlap_text(const SceneFacts& scene, const SampledOverlap& deepest) {
  const BodyOverlap& overlap = deepest.overlap;
  return fmt::format("{:.4g} mm of {} at {:.6g} s", overlap.depth_mm,
                     scene.pair_text(overlap.body_a, overlap.body_b), deepest.time_s);
}

std::string passing_text(const SceneFacts& scene, const PassingBodies& passing) {
  return fmt::format(
      "{} moved past each other by {:.4g} mm in the step to {:.6g} s, more than their thicknesses "
      "together ({:.4g} mm): they may have passed through each other; try a smaller step",
      scene.pair_text(passing.body_a, passing.body_b), passing.moved_mm, passing.time_s,
      passing.thickness_mm);
}

std::int64_t count_moving(const SceneFacts& scene) {
  return std::count_if(scene.bodies.begin(), scene.bodies.end(),
                       [](const NamedBody& body) { return body.moves; });
}

std::string sampling_text(std::int64_t steps_per_sample) {
  if (steps_per_sample == 1) return "every step is kept";
  return fmt::format("one step in {} is kept (--every 1 keeps all)", steps_per_sample);
}

Object setting_fields(const SceneFacts& scene) {
  return {{scene.solver_key, scene.solver},     {"step_s", scene.run.step_s},
          {"duration_s", scene.run.duration_s}, {"tolerance", scene.tolerance},
          {"bodies", scene.bodies.size()},      {"moving_bodies", count_moving(scene)}};
}

Object total_fields(const SceneReport& report) {
  const SceneRunTotals& totals = report.outcome.run.totals;
  return {{"simulated_s", report.end_s},
          {"steps", totals.steps},
          {"halved_steps", totals.halved},
          {"iterations", totals.iterations},
          {"worst_residual", totals.worst_residual},
          {"worst_overlap_mm", totals.worst_overlap_mm},
          {"overlap_found_mm", report.deepest ? report.deepest->overlap.depth_mm : 0.0}};
}

Object energy_fields(const SceneEnergy& start, const SceneEnergy& end) {
  return {{"start", start.total_j()},
          {"end", end.total_j()},
          {"change", end.total_j() - start.total_j()},
          {"kinetic_end", end.kinetic_j},
          {"potential_end", end.potential_j},
          {"elastic_end", end.elastic_j}};
}

std::string pair_of(const SceneFacts& scene, const SceneRunFailure& failure) {
  return scene.pair_text((*failure.bodies)[0], (*failure.bodies)[1]);
}

Object failure_fields(const SceneFacts& scene, const SceneRunFailure& failure) {
  return {{"time_s", failure.time_s},
          {"step_s", failure.step_s},
          {"status", mcp::name(failure.status)},
          {"residual", failure.residual},
          {"contact", failure.bodies ? Value(pair_of(scene, failure)) : Value()}};
}

}  // namespace

const char* name(SceneEnd end) {
  switch (end) {
    case SceneEnd::kFinished:
      return "finished";
    case SceneEnd::kFailed:
      return "failed";
    case SceneEnd::kInterrupted:
      break;
  }
  return "interrupted";
}

SceneEnd SceneOutcome::end() const {
  if (run.failure) return SceneEnd::kFailed;
  return interrupted ? SceneEnd::kInterrupted : SceneEnd::kFinished;
}

double SceneOutcome::steps_per_s() const {
  return static_cast<double>(run.totals.steps) / std::max(wall_time_s, 1e-9);
}

const char* name(ContactHold hold) {
  switch (hold) {
    case ContactHold::kOpen:
      return "open";
    case ContactHold::kSticking:
      return "sticking";
    case ContactHold::kSliding:
      break;
  }
  return "sliding";
}

std::string SceneFacts::pair_text(int body_a, int body_b) const {
  return fmt::format("{} and {}", body_at(*this, body_a).name, body_at(*this, body_b).name);
}

double SceneReport::most_overlap_mm() const {
  return std::max(outcome.run.totals.worst_overlap_mm, deepest ? deepest->overlap.depth_mm : 0.0);
}

std::string failure_text(const SceneReport& report) {
  GRASPMAP_CHECK(report.outcome.run.failure.has_value());
  const SceneRunFailure& failure = *report.outcome.run.failure;
  return fmt::format(
      "the step at {:.6g} s is not solved, nor in steps of {:.3g} s: {}, residual {:.3g}{}",
      failure.time_s, failure.step_s, mcp::name(failure.status), failure.residual,
      failure.bodies ? ", worst at the contact of " + pair_of(report.scene, failure) : "");
}

std::optional<std::string> overlap_warning(const SceneReport& report) {
  constexpr double kMuch = 0.01;
  const SceneFacts& scene = report.scene;
  if (report.deepest) {
    const BodyOverlap& overlap = report.deepest->overlap;
    const double size_mm =
        std::min(body_at(scene, overlap.body_a).size_mm, body_at(scene, overlap.body_b).size_mm);
    if (overlap.depth_mm > kMuch * size_mm) {
      return fmt::format("bodies overlap: {}; try a smaller step, {}",
                         overlap_text(scene, *report.deepest), scene.overlap_advice);
    }
  }
  if (report.passing) return passing_text(scene, *report.passing);
  return std::nullopt;
}

std::string summary_text(const SceneReport& report) {
  const SceneFacts& scene = report.scene;
  const SceneOutcome& outcome = report.outcome;
  const SceneRunTotals& totals = outcome.run.totals;
  const double start_j = report.start_energy.total_j();
  const double end_j = report.end_energy.total_j();
  std::string text = fmt::format(
      "{}\n{}: {:.6g} of {:.6g} s simulated by {} with steps of {:.6g} "
      "s\n",
      scene.title, name(outcome.end()), report.end_s, scene.run.duration_s, scene.solver,
      scene.run.step_s);
  text += report_row("bodies",
                     fmt::format("{}, {} of them move", scene.bodies.size(), count_moving(scene)));
  text += report_row("steps", fmt::format("{}, {} of them halved, {} iterations", totals.steps,
                                          totals.halved, totals.iterations));
  text += report_row("worst residual", fmt::format("{:.3g} (tolerance {:.3g})",
                                                   totals.worst_residual, scene.tolerance));
  text += report_row("worst overlap", fmt::format("{:.4g} mm of the contacts that took part",
                                                  totals.worst_overlap_mm));
  text += report_row("overlap found", report.deepest ? overlap_text(scene, *report.deepest)
                                                     : "none, of all pairs in all samples");
  text += report_row(
      "energy", fmt::format("{:.6g} J at the start, {:.6g} J at the end, change {:.4g} J", start_j,
                            end_j, end_j - start_j));
  text += report_row("time", fmt::format("{:.3g} s, {:.4g} steps per second", outcome.wall_time_s,
                                         outcome.steps_per_s()));
  return text + report_row("samples", fmt::format("{}, {}", report.samples,
                                                  sampling_text(report.steps_per_sample)));
}

std::string summary_json(const SceneReport& report) {
  const SceneOutcome& outcome = report.outcome;
  const auto of_failure = [&](const SceneRunFailure& failure) {
    return failure_fields(report.scene, failure);
  };
  return json_text(Object{{"scene", report.scene.name},
                          {"title", report.scene.title},
                          {"graspmap_version", version()},
                          {"git_commit", git_commit()},
                          {"complete", outcome.end() == SceneEnd::kFinished},
                          {"end", name(outcome.end())},
                          setting_fields(report.scene),
                          total_fields(report),
                          {"energy_j", energy_fields(report.start_energy, report.end_energy)},
                          {"failure", maybe(outcome.run.failure, of_failure)},
                          {"samples", report.samples},
                          {"steps_per_sample", report.steps_per_sample},
                          {"wall_time_s", outcome.wall_time_s},
                          {"steps_per_s", outcome.steps_per_s()}});
}

namespace {

constexpr double kBarInterval_s = 0.2;
constexpr double kLineInterval_s = 10.0;
constexpr std::size_t kBarCells = 12;

}  // namespace

std::string scene_progress_bar(double time_s, double duration_s, double steps_per_s,
                               double elapsed_s, std::size_t width) {
  const double done = duration_s > 0.0 ? std::clamp(time_s / duration_s, 0.0, 1.0) : 1.0;
  const auto cells = static_cast<std::size_t>(done * static_cast<double>(kBarCells));
  std::string line = fmt::format("[{:-<{}}] {:3.0f} %  {:.4g} of {:.4g} s", std::string(cells, '#'),
                                 kBarCells, std::floor(100.0 * done), time_s, duration_s);
  if (steps_per_s > 0.0) line += fmt::format("  {:.0f} steps/s", steps_per_s);
  if (done > 0.0 && done < 1.0) {
    line += fmt::format("  {} left", clock_text(elapsed_s * (1.0 - done) / done));
  }
  return line.substr(0, width);
}

double SceneProgress::elapsed_s() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void SceneProgress::step_done(double time_s) {
  ++steps_;
  time_s_ = time_s;
  if (style_ == ProgressStyle::kNone) return;
  const double elapsed = elapsed_s();
  const double interval = style_ == ProgressStyle::kBar ? kBarInterval_s : kLineInterval_s;
  if (elapsed < shown_s_ + interval) return;
  show(elapsed, false);
}

void SceneProgress::finish() {
  if (any_shown_) show(elapsed_s(), true);
}

void SceneProgress::show(double elapsed, bool last) {
  any_shown_ = true;
  shown_s_ = elapsed;
  const bool bar = style_ == ProgressStyle::kBar;
  const std::string line = scene_progress_bar(
      time_s_, duration_s_, static_cast<double>(steps_) / std::max(elapsed, 1e-9), elapsed,
      bar ? terminal_width() - 1 : std::string::npos);
  if (bar) {
    overwrite_line(out_, line, last);
  } else {
    out_ << line << std::endl;
  }
}

}  // namespace graspmap
