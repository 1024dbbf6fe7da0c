#include "grasp/sweep/trials/trial_record.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include "geometry/assert.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {
namespace {

static_assert(std::endian::native == std::endian::little, "records are little-endian");
static_assert(std::numeric_limits<double>::is_iec559 && sizeof(double) == 8);

/// Every NaN is the same one: its sign and payload differ from machine to machine.
double with_one_nan(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
}

std::string value_text(std::integral auto value) { return fmt::format("{}", value); }
std::string value_text(Outcome value) { return name(value); }
std::string value_text(double value) { return fmt::format("{}", with_one_nan(value)); }

/// The name and the value of each field.
std::vector<std::pair<std::string, std::string>> field_texts(const TrialRow& row) {
  std::vector<std::pair<std::string, std::string>> texts;
  visit_trial_fields(row, [&](const char* name, const auto& value) {
    texts.emplace_back(name, value_text(value));
  });
  return texts;
}

std::string hex(XXH128_hash_t hash) {
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

TrialRecord encode(const TrialRow& row) {
  TrialRecord record;
  std::byte* next = record.data();
  const auto put = [&](auto number) {
    static_assert(sizeof number == 8);
    std::memcpy(next, &number, sizeof number);
    next += sizeof number;
  };
  visit_trial_fields(row, [&](const char*, const auto& value) {
    if constexpr (std::is_same_v<decltype(value), const double&>) {
      put(with_one_nan(value));
    } else {
      put(static_cast<std::int64_t>(value));
    }
  });
  GRASPMAP_ASSERT(next == record.data() + record.size());
  return record;
}

TrialRow decode(const TrialRecord& record) {
  TrialRow row;
  const std::byte* next = record.data();
  visit_trial_fields(row, [&](const char*, auto& value) {
    using Value = std::decay_t<decltype(value)>;
    std::conditional_t<std::is_same_v<Value, double>, double, std::int64_t> number;
    std::memcpy(&number, next, sizeof number);
    next += sizeof number;
    value = static_cast<Value>(number);
  });
  return row;
}

bool identical(const TrialRow& a, const TrialRow& b) { return encode(a) == encode(b); }

std::vector<FieldDifference> different_fields(const TrialRow& a, const TrialRow& b) {
  const TrialRecord first = encode(a);
  const TrialRecord second = encode(b);
  const auto first_texts = field_texts(a);
  const auto second_texts = field_texts(b);
  std::vector<FieldDifference> differences;
  for (std::size_t k = 0; k < kTrialFields; ++k) {
    if (std::memcmp(first.data() + 8 * k, second.data() + 8 * k, 8) != 0) {
      differences.push_back({first_texts[k].first, first_texts[k].second, second_texts[k].second});
    }
  }
  return differences;
}

struct TrialDigest::State {
  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> hash{XXH3_createState()};
};

TrialDigest::TrialDigest() : state_(std::make_unique<State>()) {
  if (state_->hash == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(state_->hash.get());
}

TrialDigest::~TrialDigest() = default;

void TrialDigest::add(const TrialRow& row) {
  const TrialRecord record = encode(row);
  XXH3_128bits_update(state_->hash.get(), record.data(), record.size());
}

std::string TrialDigest::hex() const {
  return graspmap::hex(XXH3_128bits_digest(state_->hash.get()));
}

std::string text_digest(std::string_view text) {
  return hex(XXH3_128bits(text.data(), text.size()));
}

std::string probe_digest(const SweepConfig& config) {
  constexpr std::int64_t kTrials = 8;
  Workspace workspace;
  SimulationResult result;
  TrialDigest digest;
  // As many as every run of the sweep has, however many trials there are in a cell.
  const std::int64_t trials = std::min<std::int64_t>(kTrials, config.placement.cell_count());
  for (std::int64_t i = 0; i < trials; ++i) digest.add(run_trial(config, i, workspace, result));
  return digest.hex();
}

}  // namespace graspmap
