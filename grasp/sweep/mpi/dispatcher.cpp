#include "grasp/sweep/mpi/dispatcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include "geometry/assert.hpp"
#include "grasp/base/io/errors.hpp"
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
  GRASPMAP_CHECK(bytes.size() >= sizeof(Value));
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

namespace {

constexpr double kMessageWait_s = 0.001;
/// How long the last messages may take when the job is to end at once: Open MPI's launcher kills
/// the ranks a second after it asked them to end, and what arrived has to be stored before.
constexpr double kWindUp_s = 0.4;
/// A rank that sends nothing for so long is lost: ranks report every few seconds.
constexpr double kSilence_s = 60.0;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

MpiDispatcher::MpiDispatcher(MpiCommunicator& communicator, const std::vector<RankInfo>& ranks,
                             std::vector<int> threads_by_rank, const PlacementSweep& placement,
                             ChunkQueue& queue, std::int64_t window, const std::atomic<int>* stop,
                             std::atomic<int>& halt)
    : communicator_(communicator),
      ranks_(ranks),
      threads_by_rank_(std::move(threads_by_rank)),
      placement_(placement),
      queue_(queue),
      window_(window),
      stop_(stop),
      halt_(halt),
      workers_(ranks.size()) {
  workers_.front().done = true;
}

void MpiDispatcher::run(const BeginMessage& begin) {
  try {
    tell_all(kTagBegin, pack(begin));
    serve();
    // A signal to the whole job may have reached another rank first.
    if (!failure_.empty() && !is_stopped()) throw IoError(failure_);
  } catch (...) {
    halt_ = 1;
    if (!all_done()) communicator_.abandon();
    throw;
  }
}

void MpiDispatcher::serve() {
  bool told_end = false;
  while (!all_done()) {
    if (const auto message = communicator_.receive(kMessageWait_s)) receive(*message);
    if (is_stopped() || !failure_.empty()) return wind_up();
    answer_requests();
    if (!told_end && queue_.exhausted()) {
      tell_all(kTagEnd);
      told_end = true;
    }
    check_silence();
  }
}

/// Ends all ranks at once, but lets those that live say what they have to say.
void MpiDispatcher::wind_up() {
  halt_ = 1;
  tell_all(kTagStop);
  const auto begin = Clock::now();
  while (!all_done() && seconds_since(begin) < kWindUp_s) {
    if (const auto message = communicator_.receive(kMessageWait_s)) receive(*message);
  }
  if (failure_.empty() && !all_done()) lose(first_silent(), "does not answer any more and is lost");
}

/// A rank that has not said that it ends: one whose process is gone, as a slow one may still live.
std::size_t MpiDispatcher::first_silent() const {
  std::size_t first = 0;
  for (std::size_t rank = workers_.size() - 1; rank > 0; --rank) {
    if (!workers_[rank].done) first = rank;
  }
  for (std::size_t rank = first; rank < workers_.size(); ++rank) {
    if (!workers_[rank].done && is_gone(ranks_[rank], ranks_.front().host)) return rank;
  }
  return first;
}

bool MpiDispatcher::is_stopped() const { return stop_ != nullptr && *stop_ != 0; }

bool MpiDispatcher::all_done() const {
  return std::all_of(workers_.begin(), workers_.end(), [](const Worker& w) { return w.done; });
}

void MpiDispatcher::receive(const MpiMessage& message) {
  const auto rank = static_cast<std::size_t>(message.from);
  Worker& worker = workers_[rank];
  worker.last_heard = Clock::now();
  switch (message.tag) {
    case kTagRequest:
      requests_.push_back({rank, unpack_number(message.bytes)});
      return;
    case kTagRows:
      return receive_rows(worker, message);
    case kTagAlive:
      return;
    case kTagFailure:
      worker.done = true;
      return fail(message.from, unpack_text(message.bytes));
    case kTagDone:
      worker.done = true;
      if (!worker.chunks.empty() && halt_ == 0) fail(message.from, "was told to end");
      return;
    default:
      throw std::logic_error(fmt::format("rank {} sent a message {}", rank, message.tag));
  }
}

void MpiDispatcher::fail(int rank, const std::string& what) {
  if (failure_.empty()) failure_ = fmt::format("{}: {}", rank_name(ranks_, rank), what);
}

void MpiDispatcher::receive_rows(Worker& worker, const MpiMessage& message) {
  GRASPMAP_CHECK(!worker.chunks.empty());
  TrialChunk& chunk = *worker.chunks.front();
  worker.chunks.pop_front();
  chunk.rows = unpack_rows(message.bytes);
  // A record has no cell of the angle's axis.
  for (TrialRow& row : chunk.rows) {
    row.set_cell(cell_of_trial(placement_, row.index));
  }
  queue_.deliver(chunk);
}

/// Answers those who wait, first come first served, while the queue has room.
void MpiDispatcher::answer_requests() {
  while (!requests_.empty()) {
    TrialChunk* chunk = queue_.try_claim(share(requests_.front()));
    if (chunk == nullptr) return;
    const std::size_t rank = requests_.front().rank;
    requests_.pop_front();
    Worker& worker = workers_[rank];
    if (worker.chunks.empty()) worker.last_heard = Clock::now();
    worker.chunks.push_back(chunk);
    communicator_.send(static_cast<int>(rank), kTagTrials, pack(chunk->ranges));
  }
}

/// The trials that a rank gets: what it asks for, but at most half of its part of those that are
/// left, and a quarter of its part of the window, of which it has two at a time.
std::int64_t MpiDispatcher::share(const Request& request) const {
  constexpr std::int64_t kSmallestPart = 32;  // of what it asks for, or the way is too long
  const std::int64_t all_threads =
      std::accumulate(threads_by_rank_.begin(), threads_by_rank_.end(), std::int64_t{0});
  const std::int64_t left = queue_.unclaimed() / (2 * all_threads) * threads_by_rank_[request.rank];
  const std::int64_t most = window_ / (4 * static_cast<std::int64_t>(ranks_.size()));
  return std::min({request.trials, std::max(left, request.trials / kSmallestPart), most});
}

void MpiDispatcher::tell_all(MpiTag tag, const MessageBytes& bytes) {
  for (std::size_t rank = 0; rank < workers_.size(); ++rank) {
    if (!workers_[rank].done) communicator_.send(static_cast<int>(rank), tag, bytes);
  }
}

void MpiDispatcher::check_silence() {
  for (std::size_t rank = 0; rank < workers_.size(); ++rank) {
    const Worker& worker = workers_[rank];
    if (worker.done || worker.chunks.empty()) continue;
    if (seconds_since(worker.last_heard) < kSilence_s) continue;
    lose(rank, fmt::format("has sent nothing for {} s and is taken for lost", kSilence_s));
  }
}

void MpiDispatcher::lose(std::size_t rank, const std::string& what) {
  throw IoError(fmt::format("{} {}", rank_name(ranks_, static_cast<int>(rank)), what));
}

}  // namespace graspmap
