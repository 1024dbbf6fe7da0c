#include "grasp/decide/design/kept_grasps.hpp"

#include <algorithm>
#include <chrono>

#include "grasp/base/process/stop.hpp"

namespace graspmap {
namespace {

/// Numbers have no type: SQLite would write -0.0 into a REAL column as 0.
constexpr const char* kGraspTables = R"sql(
CREATE TABLE IF NOT EXISTS search (text TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS kind (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS grasp (
  kind INTEGER NOT NULL, number INTEGER NOT NULL, outcome INTEGER NOT NULL,
  x_mm NOT NULL, y_mm NOT NULL, theta_rad NOT NULL, PRIMARY KEY (kind, number)) WITHOUT ROWID;
)sql";

std::int64_t kind_id(const sqlite::Database& database, const std::string& kind) {
  database.run("INSERT OR IGNORE INTO kind (text) VALUES (?)", kind);
  sqlite::Statement query(database, "SELECT id FROM kind WHERE text = ?");
  query.bind(kind);
  query.step();
  return query.next_integer();
}

}  // namespace

KeptGrasps::KeptGrasps(const std::filesystem::path& file, const std::string& search,
                       ShowTrials show)
    : database_(std::make_unique<sqlite::Database>(file, sqlite::Database::Mode::kCreate)),
      show_(std::move(show)) {
  sqlite::Transaction transaction(*database_);
  database_->execute(kGraspTables);
  std::string there;
  {
    sqlite::Statement query(*database_, "SELECT text FROM search");
    if (query.step()) there = query.next_text();
  }
  if (there != search) {
    has_replaced_ = !there.empty();
    database_->execute("DELETE FROM search; DELETE FROM kind; DELETE FROM grasp");
    database_->run("INSERT INTO search VALUES (?)", search);
  }
  found_ = database_->integer("SELECT count(*) FROM grasp");
  transaction.commit();
}

/// Fills in what the file has of a job: all of it, or none, for a job is stored as a whole.
void KeptGrasps::load(GraspJob& job) const {
  if (!database_) return;
  sqlite::Statement query(
      *database_,
      "SELECT outcome, x_mm, y_mm, theta_rad FROM grasp WHERE kind = (SELECT id FROM kind WHERE "
      "text = ?) AND number >= ? AND number < ? ORDER BY number");
  query.bind(job.kind);
  query.bind(job.first);
  query.bind(job.first + job.count);
  while (query.step()) {
    GraspEnd& end = job.ends.emplace_back();
    query.read(end.outcome);
    for (double& number : end.pose) query.read(number);
  }
  if (static_cast<std::int64_t>(job.ends.size()) != job.count) job.ends.clear();
}

void KeptGrasps::store(const GraspJob& job) const {
  const std::int64_t id = kind_id(*database_, job.kind);
  sqlite::Statement insert(*database_, "INSERT OR REPLACE INTO grasp VALUES (?, ?, ?, ?, ?, ?)");
  for (std::size_t k = 0; k < job.ends.size(); ++k) {
    insert.bind(id);
    insert.bind(job.first + static_cast<std::int64_t>(k));
    insert.bind(job.ends[k].outcome);
    for (const double number : job.ends[k].pose) insert.bind(number);
    insert.run();
  }
}

void KeptGrasps::run(std::span<GraspJob> jobs, int threads) {
  constexpr double kChunk_s = 0.3;
  TrialCounters counters;
  std::int64_t total = 0;
  std::vector<GraspJob*> missing;
  const auto count_ends = [&](const GraspJob& job) {
    for (const GraspEnd& end : job.ends) counters.add(end.outcome);
  };
  for (GraspJob& job : jobs) {
    total += job.count;
    load(job);
    if (job.ends.empty() && job.count > 0) missing.push_back(&job);
    count_ends(job);
  }
  used_ += total;
  if (missing.empty()) return;
  const auto bar = shown(show_, counters, total);
  ChunkPacer pacer(kChunk_s, 64, 1 << 16);
  for (std::size_t next = 0; next < missing.size();) {
    // Whole jobs, as many as take a chunk's time; `begins` has where each begins among them.
    const std::size_t first = next;
    std::vector<std::int64_t> begins = {0};
    do {
      GraspJob& job = *missing[next++];
      job.ends.resize(static_cast<std::size_t>(job.count));
      begins.push_back(begins.back() + job.count);
    } while (next < missing.size() && begins.back() + missing[next]->count <= pacer.trials());
    const auto begun = std::chrono::steady_clock::now();
    const std::int64_t done =
        run_trials(begins.back(), {threads, stop_flag(), nullptr},
                   [&](std::int64_t index, Workspace& workspace, SimulationResult& result) {
                     const auto above = std::upper_bound(begins.begin(), begins.end(), index);
                     const auto place = static_cast<std::size_t>(above - begins.begin()) - 1;
                     GraspJob& job = *missing[first + place];
                     const std::int64_t k = index - begins[place];
                     GraspEnd& end = job.ends[static_cast<std::size_t>(k)];
                     end = job.simulate(job.first + k, workspace, result);
                     return end.outcome;
                   });
    if (done < begins.back()) throw AnalysisStopped();
    if (database_) {
      sqlite::Transaction transaction(*database_);
      for (std::size_t k = first; k < next; ++k) store(*missing[k]);
      transaction.commit();
    }
    for (std::size_t k = first; k < next; ++k) count_ends(*missing[k]);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    pacer.took(done, took.count());
  }
}

}  // namespace graspmap
