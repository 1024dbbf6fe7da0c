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

#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {
namespace {

static_assert(std::endian::native == std::endian::little, "records are little-endian");
static_assert(std::numeric_limits<double>::is_iec559 && sizeof(double) == 8);

/// Every NaN is the same one: its sign and payload differ from machine to machine.
double with_one_nan(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
}

/// Puts numbers of 8 bytes into a record, one after the other.
class RecordWriter {
 public:
  explicit RecordWriter(TrialRecord& record) : next_(record.data()) {}

  template <typename Integer>
  requires std::is_integral_v<Integer> || std::is_enum_v<Integer>
  void operator()(const char*, Integer value) { put(static_cast<std::int64_t>(value)); }
  void operator()(const char*, double value) { put(with_one_nan(value)); }

 private:
  template <typename Number>
  void put(Number value) {
    std::memcpy(next_, &value, sizeof value);
    next_ += sizeof value;
  }

  std::byte* next_;
};

/// Takes them out again.
class RecordReader {
 public:
  explicit RecordReader(const TrialRecord& record) : next_(record.data()) {}

  template <typename Integer>
  requires std::is_integral_v<Integer> || std::is_enum_v<Integer>
  void operator()(const char*, Integer& value) {
    value = static_cast<Integer>(take<std::int64_t>());
  }
  void operator()(const char*, double& value) { value = take<double>(); }

 private:
  template <typename Number>
  Number take() {
    Number value;
    std::memcpy(&value, next_, sizeof value);
    next_ += sizeof value;
    return value;
  }

  const std::byte* next_;
};

std::string value_text(std::integral auto value) { return fmt::format("{}", value); }
std::string value_text(Outcome value) { return name(value); }
std::string value_text(double value) { return fmt::format("{}", with_one_nan(value)); }

/// A field as a text.
struct NamedText {
  std::string name;
  std::string value;
};

std::vector<NamedText> field_texts(const TrialRow& row) {
  std::vector<NamedText> texts;
  visit_trial_fields(row, [&](const char* name, const auto& value) {
    texts.push_back({name, value_text(value)});
  });
  return texts;
}

std::string hex(XXH128_hash_t hash) {
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

TrialRecord encode(const TrialRow& row) {
  TrialRecord record;
  visit_trial_fields(row, RecordWriter(record));
  return record;
}

TrialRow decode(const TrialRecord& record) {
  TrialRow row;
  visit_trial_fields(row, RecordReader(record));
  return row;
}

bool identical(const TrialRow& a, const TrialRow& b) { return encode(a) == encode(b); }

std::vector<FieldDifference> different_fields(const TrialRow& a, const TrialRow& b) {
  const TrialRecord first = encode(a);
  const TrialRecord second = encode(b);
  const std::vector<NamedText> first_texts = field_texts(a);
  const std::vector<NamedText> second_texts = field_texts(b);
  std::vector<FieldDifference> differences;
  for (std::size_t k = 0; k < kTrialFields; ++k) {
    if (std::memcmp(first.data() + 8 * k, second.data() + 8 * k, 8) != 0) {
      differences.push_back({first_texts[k].name, first_texts[k].value, second_texts[k].value});
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
