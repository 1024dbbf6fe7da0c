#include "grasp/decide/design/kept_grasps.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "grasp/base/process/stop.hpp"

namespace graspmap {
namespace {

SearchTables grasp_tables() {
  return {"kind", "grasp",
          "  kind INTEGER NOT NULL, number INTEGER NOT NULL, outcome INTEGER NOT NULL,\n"
          "  x_mm NOT NULL, y_mm NOT NULL, theta_rad NOT NULL, PRIMARY KEY (kind, number)"};
}

}  // namespace

KeptGrasps::KeptGrasps(const std::filesystem::path& file, const std::string& search,
                       ShowTrials show)
    : file_(std::make_unique<const SearchFile>(file, search, grasp_tables())),
      show_(std::move(show)),
      found_(file_->database().integer("SELECT count(*) FROM grasp")) {}

/// Fills in what the file has of a job: all of it, or none, for a job is stored as a whole.
void KeptGrasps::load(GraspJob& job) const {
  if (!file_) return;
  sqlite::Statement query(
      file_->database(),
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

void KeptGrasps::store(std::span<GraspJob* const> jobs) const {
  if (!file_) return;
  sqlite::Transaction transaction(file_->database());
  sqlite::Statement insert(file_->database(),
                           "INSERT OR REPLACE INTO grasp VALUES (?, ?, ?, ?, ?, ?)");
  for (const GraspJob* job : jobs) {
    const std::int64_t id = file_->kind_number(job->kind);
    for (std::size_t k = 0; k < job->ends.size(); ++k) {
      insert.bind(id);
      insert.bind(job->first + static_cast<std::int64_t>(k));
      insert.bind(job->ends[k].outcome);
      for (const double number : job->ends[k].pose) insert.bind(number);
      insert.run();
    }
  }
  transaction.commit();
}

namespace {

/// Simulates whole jobs, one after the other; false when they were stopped.
bool simulate_jobs(std::span<GraspJob* const> jobs, int threads) {
  std::vector<std::int64_t> begins = {0};  // where each begins among them
  for (GraspJob* job : jobs) {
    job->ends.resize(static_cast<std::size_t>(job->count));
    begins.push_back(begins.back() + job->count);
  }
  const std::int64_t done =
      run_trials(begins.back(), {threads, stop_flag(), nullptr},
                 [&](std::int64_t index, Workspace& workspace, SimulationResult& result) {
                   const auto above = std::upper_bound(begins.begin(), begins.end(), index);
                   const auto place = static_cast<std::size_t>(above - begins.begin()) - 1;
                   GraspJob& job = *jobs[place];
                   const std::int64_t k = index - begins[place];
                   GraspEnd& end = job.ends[static_cast<std::size_t>(k)];
                   end = job.simulate(job.first + k, workspace, result);
                   return end.outcome;
                 });
  return done == begins.back();
}

/// Every size-th job from a rank's own on.
std::vector<GraspJob*> jobs_of(std::span<GraspJob* const> jobs, const SearchRanks& ranks) {
  std::vector<GraspJob*> own;
  for (auto k = static_cast<std::size_t>(ranks.rank); k < jobs.size();
       k += static_cast<std::size_t>(ranks.size)) {
    own.push_back(jobs[k]);
  }
  return own;
}

}  // namespace

bool KeptGrasps::exchange(std::span<GraspJob* const> jobs, bool first_has_all, bool is_done) const {
  constexpr std::size_t kEnd = 1 + 3 * sizeof(double);
  std::size_t ends = 0;
  for (const GraspJob* job : jobs) ends += static_cast<std::size_t>(job->count);
  const auto owner = [&](std::size_t number) {
    return first_has_all ? 0 : static_cast<int>(number % static_cast<std::size_t>(ranks_.size));
  };
  std::vector<std::byte> bytes(1 + ends * kEnd);
  bytes[0] = static_cast<std::byte>(is_done ? 1 : 0);
  std::size_t at = 1;
  for (std::size_t number = 0; number < jobs.size(); ++number) {
    const GraspJob& job = *jobs[number];
    for (std::int64_t k = 0; k < job.count; ++k, at += kEnd) {
      if (!is_done || owner(number) != ranks_.rank) continue;
      const GraspEnd& end = job.ends[static_cast<std::size_t>(k)];
      bytes[at] = static_cast<std::byte>(end.outcome);
      std::memcpy(&bytes[at + 1], end.pose.data(), kEnd - 1);
    }
  }
  const std::vector<std::vector<std::byte>> all = ranks_.all_gather(bytes);
  if (std::any_of(all.begin(), all.end(), [](const auto& one) { return one[0] == std::byte{0}; })) {
    return false;
  }
  at = 1;
  for (std::size_t number = 0; number < jobs.size(); ++number) {
    GraspJob& job = *jobs[number];
    const std::vector<std::byte>& from = all[static_cast<std::size_t>(owner(number))];
    job.ends.resize(static_cast<std::size_t>(job.count));
    for (GraspEnd& end : job.ends) {
      end.outcome = static_cast<Outcome>(from[at]);
      std::memcpy(end.pose.data(), &from[at + 1], kEnd - 1);
      at += kEnd;
    }
  }
  return true;
}

/// What the first rank found in its file.
void KeptGrasps::share_loaded(std::span<GraspJob> jobs) const {
  std::vector<std::byte> has(jobs.size());
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    has[k] = static_cast<std::byte>(jobs[k].ends.empty() ? 0 : 1);
  }
  const std::vector<std::byte> first = ranks_.all_gather(has).front();
  std::vector<GraspJob*> loaded;
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    if (first[k] != std::byte{0}) loaded.push_back(&jobs[k]);
  }
  if (!loaded.empty()) exchange(loaded, /*first_has_all=*/true, true);
}

void KeptGrasps::run_shared(std::span<GraspJob* const> missing, int threads) const {
  const bool is_done = simulate_jobs(jobs_of(missing, ranks_), threads);
  if (!exchange(missing, /*first_has_all=*/false, is_done)) throw AnalysisStopped();
  store(missing);
}

void KeptGrasps::run(std::span<GraspJob> jobs, int threads) {
  constexpr double kChunk_s = 0.3;
  TrialCounters counters;
  std::int64_t total = 0;
  std::vector<GraspJob*> missing;
  for (GraspJob& job : jobs) load(job);
  if (ranks_.size > 1) share_loaded(jobs);
  const auto count_ends = [&](const GraspJob& job) {
    for (const GraspEnd& end : job.ends) counters.add(end.outcome);
  };
  for (GraspJob& job : jobs) {
    total += job.count;
    if (job.ends.empty() && job.count > 0) missing.push_back(&job);
    count_ends(job);
  }
  used_ += total;
  if (missing.empty()) return;
  const auto bar = shown(show_, counters, total);
  if (ranks_.size > 1) {
    run_shared(missing, threads);
    for (const GraspJob* job : missing) count_ends(*job);
    return;
  }
  ChunkPacer pacer(kChunk_s, 64, 1 << 16);
  for (std::size_t next = 0; next < missing.size();) {
    // As many jobs as take a chunk's time.
    const std::size_t first = next;
    std::int64_t grasps = missing[next++]->count;
    while (next < missing.size() && grasps + missing[next]->count <= pacer.trials()) {
      grasps += missing[next++]->count;
    }
    const auto some = std::span(missing).subspan(first, next - first);
    const auto begun = std::chrono::steady_clock::now();
    if (!simulate_jobs(some, threads)) throw AnalysisStopped();
    store(some);
    for (const GraspJob* job : some) count_ends(*job);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    pacer.took(grasps, took.count());
  }
}

}  // namespace graspmap
