#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {

/// The uncertain numbers of a sweep's trials as columns of a table: one for each, named by its key.
/// The configuration must live as long.
class UncertainColumns {
 public:
  UncertainColumns() = default;  ///< none
  explicit UncertainColumns(const SweepConfig& config) : config_(&config) {}

  [[nodiscard]] std::size_t size() const {
    return config_ == nullptr ? 0 : config_->uncertain.size();
  }
  [[nodiscard]] const std::string& key(std::size_t k) const { return config_->uncertain[k].key; }

  /// The values in trial `index`.
  [[nodiscard]] std::vector<double> of(std::int64_t index) const {
    if (size() == 0) return {};
    return sample_uncertain(*config_, config_->seed, static_cast<std::uint64_t>(index));
  }

 private:
  const SweepConfig* config_ = nullptr;
};

}  // namespace graspmap
