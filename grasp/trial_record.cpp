#include "grasp/trial_record.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <bit>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>

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
  void number(Integer value) { put(static_cast<std::int64_t>(value)); }
  void number(double value) { put(with_one_nan(value)); }

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
  void number(Integer& value) { value = static_cast<Integer>(take<std::int64_t>()); }
  void number(double& value) { value = take<double>(); }

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

/// Writes numbers as texts, one after the other.
class RecordPrinter {
 public:
  explicit RecordPrinter(std::vector<std::string>& texts) : texts_(&texts) {}

  void number(std::integral auto value) { texts_->push_back(fmt::format("{}", value)); }
  void number(Outcome value) { texts_->emplace_back(name(value)); }
  void number(double value) { texts_->push_back(fmt::format("{}", with_one_nan(value))); }

 private:
  std::vector<std::string>* texts_;
};

/// The names of the fields, in the order of the record.
constexpr std::array<const char*, kTrialFields> kFieldNames = {
    "index",
    "cell_x",
    "cell_y",
    "outcome",
    "steps",
    "newton_iterations",
    "steps_warm",
    "steps_cold",
    "steps_damped",
    "steps_pattern",
    "steps_halved",
    "x_mm",
    "y_mm",
    "theta_rad",
    "mu_jaw",
    "mu_support",
    "end_time_s",
    "part_x_mm",
    "part_y_mm",
    "part_theta_rad",
    "jaw_right_x_mm",
    "jaw_left_x_mm",
    "worst_residual",
    "worst_gap_mm",
    "least_dissipation_mn_mm",
};

/// Visits the fields of a row in the order of the record.
template <typename Record, typename Row>
void visit_fields(Record record, Row& row) {
  record.number(row.index);
  record.number(row.cell_x);
  record.number(row.cell_y);
  record.number(row.outcome);
  record.number(row.statistics.steps);
  record.number(row.statistics.newton_iterations);
  for (auto& steps : row.statistics.by_rung) record.number(steps);
  record.number(row.parameters.placement_x_mm);
  record.number(row.parameters.placement_y_mm);
  record.number(row.parameters.theta_rad);
  record.number(row.parameters.mu_jaw);
  record.number(row.parameters.mu_support);
  record.number(row.end_time_s);
  record.number(row.final_pose.position_mm.x());
  record.number(row.final_pose.position_mm.y());
  record.number(row.final_pose.angle_rad);
  record.number(row.jaw_right_mm);
  record.number(row.jaw_left_mm);
  record.number(row.statistics.worst_residual);
  record.number(row.statistics.worst_gap_mm);
  record.number(row.statistics.least_dissipation);
}

std::vector<std::string> field_texts(const TrialRow& row) {
  std::vector<std::string> texts;
  visit_fields(RecordPrinter(texts), row);
  return texts;
}

std::string hex(XXH128_hash_t hash) {
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

TrialRecord encode(const TrialRow& row) {
  TrialRecord record;
  visit_fields(RecordWriter(record), row);
  return record;
}

TrialRow decode(const TrialRecord& record) {
  TrialRow row;
  visit_fields(RecordReader(record), row);
  return row;
}

bool identical(const TrialRow& a, const TrialRow& b) { return encode(a) == encode(b); }

std::vector<FieldDifference> different_fields(const TrialRow& a, const TrialRow& b) {
  const TrialRecord first = encode(a);
  const TrialRecord second = encode(b);
  const std::vector<std::string> first_texts = field_texts(a);
  const std::vector<std::string> second_texts = field_texts(b);
  std::vector<FieldDifference> differences;
  for (std::size_t k = 0; k < kFieldNames.size(); ++k) {
    if (std::memcmp(first.data() + 8 * k, second.data() + 8 * k, 8) != 0) {
      differences.push_back({kFieldNames[k], first_texts[k], second_texts[k]});
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

}  // namespace graspmap
