#include "grasp/show/story/reproduction.hpp"

#include <fmt/format.h>

#include "grasp/base/process/version.hpp"

namespace graspmap {
namespace {

std::string fields_text(const std::vector<FieldDifference>& differences) {
  std::string text = fmt::format("  {:<24} {:<24} {}\n", "field", "stored", "now");
  for (const FieldDifference& difference : differences) {
    text +=
        fmt::format("  {:<24} {:<24} {}\n", difference.field, difference.first, difference.second);
  }
  return text;
}

std::string session_text(const StoreSession& session) {
  return fmt::format("graspmap {} ({}) on {}, {}", session.version, session.git_commit,
                     session.host, session.started_utc);
}

/// Who stored a trial, or who may have.
std::string stored_by_text(const RunStore& store, std::int64_t index) {
  if (const auto session = store.session_of(index)) {
    return fmt::format("  stored by {}\n", session_text(*session));
  }
  std::string text = "  taken over from another store; computed by one of\n";
  for (const StoreSession& session : store.sessions()) {
    text += fmt::format("    {}\n", session_text(session));
  }
  return text;
}

/// Why a run of another engine comes out differently.
std::string engine_text(const RunStore& store) {
  if (store.engine() == kEngine) return "";
  return fmt::format("  {} graspmap, whose numbers differ in their last bits\n",
                     store.engine() < kEngine ? "an earlier" : "a later");
}

}  // namespace

Reproduction reproduce(const SweepConfig& config, const TrialRow& stored) {
  Reproduction reproduction;
  reproduction.story = tell_trial(config, stored.index);
  reproduction.differences = different_fields(stored, reproduction.story.row);
  return reproduction;
}

std::string difference_text(const Reproduction& reproduction, const RunStore& store) {
  return fields_text(reproduction.differences) +
         stored_by_text(store, reproduction.story.row.index) + engine_text(store) +
         fmt::format("  run again by graspmap {} ({})\n", version(), git_commit());
}

}  // namespace graspmap
