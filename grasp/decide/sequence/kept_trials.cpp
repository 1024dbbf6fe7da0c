#include "grasp/decide/sequence/kept_trials.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include "grasp/base/process/stop.hpp"

namespace graspmap {
namespace {

SearchTables trial_tables() {
  return {"program", "phase_end",
          "  program INTEGER NOT NULL, trial INTEGER NOT NULL, phase INTEGER NOT NULL,\n"
          "  x_mm NOT NULL, y_mm NOT NULL, theta_rad NOT NULL, time_s NOT NULL,\n"
          "  trial_end INTEGER NOT NULL, PRIMARY KEY (program, trial, phase)"};
}

std::map<std::int64_t, ProgramTrial> stored_trials(const sqlite::Database& database,
                                                   std::int64_t program) {
  std::map<std::int64_t, ProgramTrial> trials;
  sqlite::Statement query(database,
                          "SELECT trial, x_mm, y_mm, theta_rad, time_s, trial_end FROM phase_end "
                          "WHERE program = ? ORDER BY trial, phase");
  query.bind(program);
  while (query.step()) {
    ProgramTrial& trial = trials[query.next_integer()];
    LyingPose& pose = trial.poses.emplace_back();
    query.read(pose.center_mm.x());
    query.read(pose.center_mm.y());
    query.read(pose.angle_rad);
    query.read(trial.times_s.emplace_back());
    query.read(trial.end);
  }
  return trials;
}

void store_trial(sqlite::Statement& insert, std::int64_t program, std::int64_t number,
                 const ProgramTrial& trial) {
  for (std::size_t phase = 0; phase < trial.poses.size(); ++phase) {
    const LyingPose& pose = trial.poses[phase];
    insert.bind(program);
    insert.bind(number);
    insert.bind(phase);
    insert.bind(pose.center_mm.x());
    insert.bind(pose.center_mm.y());
    insert.bind(pose.angle_rad);
    insert.bind(trial.times_s[phase]);
    insert.bind(trial.end);
    insert.run();
  }
}

/// As progress shows it: success is a program that ended.
Outcome shown_outcome(const ProgramTrial& trial) {
  if (trial.is_failed()) return Outcome::kFailed;
  if (!trial.is_lost()) return Outcome::kSuccess;
  return trial.end == EndReason::kBlocked ? Outcome::kBlocked : Outcome::kTimeout;
}

}  // namespace

KeptTrials::KeptTrials(const std::filesystem::path& file, const std::string& search,
                       ShowTrials show)
    : file_(std::make_unique<const SearchFile>(file, search, trial_tables())),
      show_(std::move(show)),
      found_(file_->database().integer("SELECT count(*) FROM phase_end WHERE phase = 0")) {}

std::vector<ProgramTrial> KeptTrials::run(const std::string& program,
                                          std::span<const std::int64_t> numbers, int threads,
                                          const Simulate& simulate) const {
  constexpr double kChunk_s = 0.3;
  std::vector<ProgramTrial> trials(numbers.size());
  std::vector<std::size_t> missing;
  TrialCounters counters;
  std::map<std::int64_t, ProgramTrial> there;
  std::int64_t id = 0;
  if (file_) {
    id = file_->kind_number(program);
    there = stored_trials(file_->database(), id);
  }
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const auto found = there.find(numbers[k]);
    if (found == there.end()) {
      missing.push_back(k);
    } else {
      trials[k] = std::move(found->second);
      counters.add(shown_outcome(trials[k]));
    }
  }
  if (missing.empty()) return trials;
  const auto bar = shown(show_, counters, static_cast<std::int64_t>(numbers.size()));
  ChunkPacer pacer(kChunk_s, 64, 1 << 16);
  std::span<const std::size_t> left = missing;
  while (!left.empty()) {
    const auto chunk = left.first(std::min(left.size(), static_cast<std::size_t>(pacer.trials())));
    const auto begin = std::chrono::steady_clock::now();
    const std::int64_t done =
        run_trials(static_cast<std::int64_t>(chunk.size()), {threads, stop_flag(), nullptr},
                   [&](std::int64_t k, Workspace& workspace, SimulationResult& result) {
                     const std::size_t place = chunk[static_cast<std::size_t>(k)];
                     trials[place] = simulate(numbers[place], workspace, result);
                     return Outcome::kSuccess;
                   });
    left = left.subspan(static_cast<std::size_t>(done));
    const auto simulated = chunk.first(static_cast<std::size_t>(done));
    // Stored chunk by chunk, and before a stop ends the search: nothing simulated is lost.
    if (file_) {
      sqlite::Transaction transaction(file_->database());
      sqlite::Statement insert(file_->database(),
                               "INSERT INTO phase_end VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
      for (const std::size_t k : simulated) store_trial(insert, id, numbers[k], trials[k]);
      transaction.commit();
    }
    for (const std::size_t k : simulated) counters.add(shown_outcome(trials[k]));
    if (simulated.size() < chunk.size()) throw AnalysisStopped();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    pacer.took(done, took.count());
  }
  return trials;
}

}  // namespace graspmap
