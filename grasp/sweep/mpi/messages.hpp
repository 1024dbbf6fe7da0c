#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/trial_range.hpp"

namespace graspmap {

/// What ranks tell each other; the tag of a message. Rank 0 leads, the others work for it.
enum MpiTag : int {
  // From rank 0 to the others.
  kTagBegin,   ///< a BeginMessage: what to simulate
  kTagTrials,  ///< TrialRanges: the answer to a request
  kTagEnd,     ///< no more trials: run those that were given, and end
  kTagStop,    ///< end now; what is being run is not needed
  // From the others to rank 0.
  kTagRequest,  ///< a number of trials: wants about that many
  kTagAlive,    ///< nothing: sent now and then by a rank that has nothing else to send yet
  kTagRows,     ///< the records of the trials of one answer; in the order of the answers
  kTagFailure,  ///< a text: what went wrong; the last message of a rank
  kTagDone,     ///< nothing: the last message of a rank
};

/// What a rank has to know before it can run trials.
struct BeginMessage {
  int threads = 0;               ///< 0: the rank's default
  std::string config_toml;       ///< resolved
  std::vector<TrialRow> probes;  ///< some trials as they come out at rank 0
};

using MessageBytes = std::vector<std::byte>;

MessageBytes pack(const BeginMessage& message);
BeginMessage unpack_begin(std::span<const std::byte> bytes);

MessageBytes pack(const TrialRanges& ranges);
TrialRanges unpack_ranges(std::span<const std::byte> bytes);

MessageBytes pack(std::int64_t number);
std::int64_t unpack_number(std::span<const std::byte> bytes);

MessageBytes pack(std::span<const TrialRow> rows);
std::vector<TrialRow> unpack_rows(std::span<const std::byte> bytes);

MessageBytes pack(const std::string& text);
std::string unpack_text(std::span<const std::byte> bytes);

}  // namespace graspmap
