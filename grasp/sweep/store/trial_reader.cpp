#include <stdexcept>

#include "grasp/base/process/stop.hpp"
#include "grasp/sweep/store/run_store_state.hpp"
#include "grasp/sweep/store/store_blocks.hpp"

namespace graspmap {

struct TrialReader::State {
  const RunStore::State* store;
  std::vector<StoredBlock> blocks;
  std::size_t block = 0;       ///< of the next row
  std::vector<TrialRow> rows;  ///< of that block; none before its first row is asked for
  std::size_t row = 0;         ///< the next one
};

TrialReader::TrialReader(const RunStore& store) : state_(std::make_unique<State>()) {
  state_->store = store.state_.get();
  state_->blocks = list_blocks(state_->store->database, state_->store->run.asked());
}

TrialReader::~TrialReader() = default;
TrialReader::TrialReader(TrialReader&&) noexcept = default;

std::optional<std::int64_t> TrialReader::next_index() const {
  if (state_->block == state_->blocks.size()) return std::nullopt;
  return state_->blocks[state_->block].range.first + static_cast<std::int64_t>(state_->row);
}

TrialRow TrialReader::next() {
  State& state = *state_;
  if (state.block == state.blocks.size()) throw std::logic_error("there is no next trial");
  if (state.rows.empty()) {
    check_stop();
    state.rows = read_block(state.store->database, state.store->run.config.placement,
                            state.blocks[state.block]);
  }
  const TrialRow row = state.rows[state.row++];
  if (state.row == state.rows.size()) {
    state.rows = {};  // the memory too: others may read many stores at once
    state.row = 0;
    ++state.block;
  }
  return row;
}

}  // namespace graspmap
