#include "grasp/decide/sequence/kept_trials.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include "grasp/base/process/stop.hpp"

namespace graspmap {
namespace {

/// Numbers have no type: SQLite would write -0.0 into a REAL column as 0.
constexpr const char* kTables = R"sql(
CREATE TABLE IF NOT EXISTS search (text TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS program (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS phase_end (
  program INTEGER NOT NULL, trial INTEGER NOT NULL, phase INTEGER NOT NULL,
  x_mm NOT NULL, y_mm NOT NULL, theta_rad NOT NULL, time_s NOT NULL,
  trial_end INTEGER NOT NULL, PRIMARY KEY (program, trial, phase)) WITHOUT ROWID;
)sql";

std::string stored_search(const sqlite::Database& database) {
  sqlite::Statement query(database, "SELECT text FROM search");
  return query.step() ? query.next_text() : "";
}

std::int64_t program_id(const sqlite::Database& database, const std::string& program) {
  database.run("INSERT OR IGNORE INTO program (text) VALUES (?)", program);
  sqlite::Statement query(database, "SELECT id FROM program WHERE text = ?");
  query.bind(program);
  query.step();
  return query.next_integer();
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
    : database_(std::make_unique<sqlite::Database>(file, sqlite::Database::Mode::kCreate)),
      show_(std::move(show)) {
  sqlite::Transaction transaction(*database_);
  database_->execute(kTables);
  const std::string there = stored_search(*database_);
  if (there != search) {
    has_replaced_ = !there.empty();
    database_->execute("DELETE FROM search; DELETE FROM program; DELETE FROM phase_end");
    database_->run("INSERT INTO search VALUES (?)", search);
  }
  found_ = database_->integer("SELECT count(*) FROM phase_end WHERE phase = 0");
  transaction.commit();
}

std::vector<ProgramTrial> KeptTrials::run(const std::string& program,
                                          std::span<const std::int64_t> numbers, int threads,
                                          const Simulate& simulate) const {
  constexpr double kChunk_s = 0.3;
  std::vector<ProgramTrial> trials(numbers.size());
  std::vector<std::size_t> missing;
  TrialCounters counters;
  std::map<std::int64_t, ProgramTrial> there;
  std::int64_t id = 0;
  if (database_) {
    id = program_id(*database_, program);
    there = stored_trials(*database_, id);
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
    if (database_) {
      sqlite::Transaction transaction(*database_);
      sqlite::Statement insert(*database_, "INSERT INTO phase_end VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
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
