#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "grasp/base/io/errors.hpp"
#include "grasp/sweep/store/run_store.hpp"

// A run in memory: what a browser has in place of run.sqlite. Blocks are of any size, and of one
// process. What the page does not call is not here.
namespace graspmap {

struct RunStore::State {
  std::filesystem::path file;
  SweepConfig config;
  std::string config_toml;
  std::map<std::int64_t, std::vector<TrialRow>> blocks = {};  ///< by their first index
};

RunStore::RunStore(std::unique_ptr<State> state) : state_(std::move(state)) {}
RunStore::RunStore(RunStore&&) noexcept = default;
RunStore& RunStore::operator=(RunStore&&) noexcept = default;
RunStore::~RunStore() = default;

RunStore RunStore::create(const std::filesystem::path& file, const SweepConfig& config,
                          Shard /*shard*/, int /*engine*/) {
  return RunStore(std::make_unique<State>(State{file, config, to_toml(config)}));
}

const std::filesystem::path& RunStore::file() const { return state_->file; }
const SweepConfig& RunStore::config() const { return state_->config; }
const std::string& RunStore::config_toml() const { return state_->config_toml; }
Shard RunStore::shard() const { return {}; }
int RunStore::engine() const { return kEngine; }
TrialRange RunStore::asked() const { return {0, config().trials()}; }
std::vector<StoreProcess> RunStore::processes() const { return {}; }

std::int64_t RunStore::trials_asked() const {
  return config().adaptive ? config().most_trials() : asked().trials();
}

TrialRanges RunStore::stored() const {
  std::vector<TrialRange> ranges;
  for (const auto& [first, rows] : state_->blocks) {
    ranges.push_back({first, first + std::ssize(rows)});
  }
  return joined(std::move(ranges));
}

std::optional<TrialRow> RunStore::row(std::int64_t index) const {
  const auto next = state_->blocks.upper_bound(index);
  if (next == state_->blocks.begin()) return std::nullopt;
  const auto& [first, rows] = *std::prev(next);
  if (index - first >= std::ssize(rows)) return std::nullopt;
  return rows[static_cast<std::size_t>(index - first)];
}

void RunStore::for_each(const std::function<void(const TrialRow&)>& visit) const {
  for (const auto& [first, rows] : state_->blocks) {
    for (const TrialRow& row : rows) visit(row);
  }
}

void RunStore::extend(int trials_per_cell) {
  state_->config.trials_per_cell = trials_per_cell;
  state_->config_toml = to_toml(state_->config);
}

void RunStore::append_blocks(std::span<const TrialRow> rows, double /*process_wall_s*/) {
  while (!rows.empty()) {
    std::size_t n = 1;
    while (n < rows.size() && rows[n].index == rows[n - 1].index + 1) ++n;
    const TrialRange range{rows.front().index, rows[n - 1].index + 1};
    if (range.first < 0 || range.end > asked().end || row(range.first) || row(range.end - 1)) {
      throw config_error({}, "", "these trials already exist, or are not asked for");
    }
    state_->blocks.emplace(range.first, std::vector<TrialRow>(rows.begin(), rows.begin() + n));
    rows = rows.subspan(n);
  }
}

struct TrialReader::State {
  std::map<std::int64_t, std::vector<TrialRow>>::const_iterator block;
  std::map<std::int64_t, std::vector<TrialRow>>::const_iterator end;
  std::size_t row = 0;  ///< in the block
};

TrialReader::TrialReader(const RunStore& store)
    : state_(std::make_unique<State>(
          State{store.state_->blocks.begin(), store.state_->blocks.end()})) {}
TrialReader::~TrialReader() = default;

std::optional<std::int64_t> TrialReader::next_index() const {
  if (state_->block == state_->end) return std::nullopt;
  return state_->block->second[state_->row].index;
}

TrialRow TrialReader::next() {
  const std::vector<TrialRow>& rows = state_->block->second;
  const TrialRow& row = rows[state_->row];
  if (++state_->row == rows.size()) {
    ++state_->block;
    state_->row = 0;
  }
  return row;
}

}  // namespace graspmap
