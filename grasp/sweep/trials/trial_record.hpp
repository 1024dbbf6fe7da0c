#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {

/// A trial row as bytes, the same on every machine: what digests are made of and what processes
/// send each other. The 25 fields of visit_trial_fields in their order, as numbers of 8 bytes
/// without gaps, little-endian: counts and outcome as integers, all others as IEEE doubles. Every
/// NaN becomes the same one, 0x7ff8000000000000.
inline constexpr std::size_t kTrialFields = 25;
inline constexpr std::size_t kTrialRecordBytes = kTrialFields * 8;
using TrialRecord = std::array<std::byte, kTrialRecordBytes>;

TrialRecord encode(const TrialRow& row);
/// The row of a record that `encode` made.
TrialRow decode(const TrialRecord& record);

/// True when the records of two rows are equal: every field, to the last bit.
bool identical(const TrialRow& a, const TrialRow& b);

/// A field in which two rows differ.
struct FieldDifference {
  std::string field;   ///< its name, as in the record
  std::string first;   ///< its value with all digits; an outcome as its word
  std::string second;  ///< in the second row
};

/// The fields in which two rows differ, in the order of the record.
std::vector<FieldDifference> different_fields(const TrialRow& a, const TrialRow& b);

/// The digest of a trial table: 128-bit XXH3 of the records of its trials in the order of their
/// indices. It does not depend on how the table was made or stored.
class TrialDigest {
 public:
  TrialDigest();
  ~TrialDigest();
  TrialDigest(const TrialDigest&) = delete;
  TrialDigest& operator=(const TrialDigest&) = delete;

  void add(const TrialRow& row);
  /// 32 hexadecimal digits, for the rows so far.
  [[nodiscard]] std::string hex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// 128-bit XXH3 of a text, 32 hexadecimal digits.
std::string text_digest(std::string_view text);

/// Counts the changes since which the same trials come out differently, be it in last bits only:
/// runs of another engine can be read, and cannot continue.
///   1  sine, power and others of the C library
///   2  elementary functions of our own: the same bits on every machine
///   3  steps of second order, sized by their error, are the default
///   4  those begin nearer to their solution, and solve stick and slip in fewer iterations
///   5  closest points and slides by fewer operations; the default tolerance is twice as large
///   6  impacts in one piece; landings, passages and losses of contacts are events; one rule of
///   scaling
///   7  a support that holds the part or slips is judged by what it does to the part; impacts in
///   fewer iterations
///   8  Sobol points are even in the sum of placement and normal noise, and in the angle's noise
///   before friction
inline constexpr int kEngine = 8;

/// The digest of a sweep's first few trials as they come out here. It distinguishes programs and
/// machines that compute other bits: another compiler, or a C library that has other code for
/// another processor.
std::string probe_digest(const SweepConfig& config);

}  // namespace graspmap
