#include "grasp/app/commands/progress.hpp"

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <optional>

namespace graspmap {
namespace {

constexpr std::chrono::milliseconds kWakeInterval(200);
constexpr double kLineInterval_s = 10.0;
constexpr std::size_t kBarCells = 12;

/// Trials per second, the mean so far; nothing before the first trial.
std::optional<double> rate(const ProgressState& state) {
  const std::int64_t done = state.done() - state.before;
  if (done == 0 || state.elapsed_s <= 0) return std::nullopt;
  return static_cast<double>(done) / state.elapsed_s;
}

/// "0:33 left" behind `separator`; empty at the end or before the first trial.
std::string time_left_text(const ProgressState& state, const char* separator) {
  if (!rate(state) || state.done() >= state.total) return "";
  const double left_s = static_cast<double>(state.total - state.done()) / *rate(state);
  return fmt::format("{}{} left", separator, clock_text(left_s));
}

std::int64_t percent(const ProgressState& state) {
  return state.total > 0 ? 100 * state.done() / state.total : 100;
}

}  // namespace

std::string progress_text(const ProgressState& state) {
  std::string text =
      fmt::format("{:3} % ({} of {} trials)", percent(state), state.done(), state.total);
  if (rate(state)) text += fmt::format(", {:.0f} per second", *rate(state));
  text += time_left_text(state, ", ");
  const char* separator = ": ";
  for (const std::string& outcome : outcome_texts(state.counts)) {
    text += separator + outcome;
    separator = ", ";
  }
  return text;
}

std::string progress_bar(const ProgressState& state, std::size_t width) {
  const auto full = static_cast<std::size_t>(percent(state)) * kBarCells / 100;
  std::string line = fmt::format("[{:-<{}}] {:3} %  {}/{}", std::string(full, '#'), kBarCells,
                                 percent(state), state.done(), state.total);
  if (rate(state)) line += fmt::format("  {:.0f}/s", *rate(state));
  line += time_left_text(state, "  ");
  for (const std::string& outcome : outcome_texts(state.counts)) {
    if (line.size() + 2 + outcome.size() > width) break;
    line += "  " + outcome;
  }
  return line.substr(0, width);
}

bool LinePacer::is_due(const ProgressState& state) {
  const std::int64_t tenth = state.total > 0 ? 10 * state.done() / state.total : 0;
  if (tenth == last_tenth_ && state.elapsed_s < last_time_s_ + kLineInterval_s) return false;
  last_tenth_ = tenth;
  last_time_s_ = state.elapsed_s;
  return true;
}

ProgressReporter::ProgressReporter(const TrialCounters& counters, std::int64_t total,
                                   ProgressStyle style, std::ostream& out)
    : counters_(counters),
      total_(total),
      style_(style),
      out_(out),
      before_(counters.snapshot().trials()) {
  if (style_ != ProgressStyle::kNone) thread_ = std::thread([this] { watch(); });
}

ProgressReporter::~ProgressReporter() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ended_changed_.notify_one();
  thread_.join();
  show(true);
}

void ProgressReporter::watch() {
  std::unique_lock lock(mutex_);
  while (!ended_changed_.wait_for(lock, kWakeInterval, [this] { return ended_; })) show(false);
}

void ProgressReporter::show(bool last) {
  const ProgressState now = state();
  if (style_ == ProgressStyle::kBar) {
    overwrite_line(out_, progress_bar(now, terminal_width() - 1), last);
  } else if (pacer_.is_due(now) || (last && now.done() != shown_)) {
    out_ << progress_text(now) << std::endl;
    shown_ = now.done();
  }
}

ProgressState ProgressReporter::state() const {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  return {counters_.snapshot(), total_, elapsed.count(), before_};
}

ShowTrials show_on_stderr(ProgressStyle style) {
  return [style](const TrialCounters& counters, std::int64_t total) {
    return std::make_shared<const ProgressReporter>(counters, total, style, std::cerr);
  };
}

}  // namespace graspmap
