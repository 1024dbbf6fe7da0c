#include "grasp/sweep/mpi/messages.hpp"

#include <cstring>

#include "grasp/sweep/trials/trial_record.hpp"

namespace graspmap {
namespace {

/// Numbers travel as they are in memory: all ranks run the same build.
template <typename Value>
void append(MessageBytes& bytes, const Value& value) {
  const std::size_t size = bytes.size();
  bytes.resize(size + sizeof value);
  std::memcpy(bytes.data() + size, &value, sizeof value);
}

/// The value at the front, which is taken away.
template <typename Value>
Value take(std::span<const std::byte>& bytes) {
  Value value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes = bytes.subspan(sizeof value);
  return value;
}

}  // namespace

MessageBytes pack(const BeginMessage& message) {
  MessageBytes bytes;
  append(bytes, static_cast<std::int64_t>(message.threads));
  append(bytes, static_cast<std::int64_t>(message.config_toml.size()));
  for (const MessageBytes& part : {pack(message.config_toml), pack(message.probes)}) {
    bytes.insert(bytes.end(), part.begin(), part.end());
  }
  return bytes;
}

BeginMessage unpack_begin(std::span<const std::byte> bytes) {
  BeginMessage message;
  message.threads = static_cast<int>(take<std::int64_t>(bytes));
  const auto size = static_cast<std::size_t>(take<std::int64_t>(bytes));
  message.config_toml = unpack_text(bytes.first(size));
  message.probes = unpack_rows(bytes.subspan(size));
  return message;
}

MessageBytes pack(const TrialRanges& ranges) {
  MessageBytes bytes;
  for (const TrialRange& range : ranges) append(bytes, range);
  return bytes;
}

TrialRanges unpack_ranges(std::span<const std::byte> bytes) {
  TrialRanges ranges;
  while (!bytes.empty()) ranges.push_back(take<TrialRange>(bytes));
  return ranges;
}

MessageBytes pack(std::int64_t number) {
  MessageBytes bytes;
  append(bytes, number);
  return bytes;
}

std::int64_t unpack_number(std::span<const std::byte> bytes) { return take<std::int64_t>(bytes); }

MessageBytes pack(std::span<const TrialRow> rows) {
  MessageBytes bytes;
  bytes.reserve(rows.size() * kTrialRecordBytes);
  for (const TrialRow& row : rows) append(bytes, encode(row));
  return bytes;
}

std::vector<TrialRow> unpack_rows(std::span<const std::byte> bytes) {
  std::vector<TrialRow> rows;
  rows.reserve(bytes.size() / kTrialRecordBytes);
  while (!bytes.empty()) rows.push_back(decode(take<TrialRecord>(bytes)));
  return rows;
}

MessageBytes pack(const std::string& text) {
  const auto view = std::as_bytes(std::span(text));
  return {view.begin(), view.end()};
}

std::string unpack_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace graspmap
