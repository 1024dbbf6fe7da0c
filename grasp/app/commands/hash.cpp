#include <fmt/format.h>

#include <iostream>

#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/run_totals.hpp"
#include "grasp/sweep/trials/trial_record.hpp"

namespace graspmap {
namespace {

CommandSyntax hash_syntax() {
  return {"hash", "RUNDIR",
          "Prints a digest of all trials of a run: 32 hexadecimal digits that change when any bit\n"
          "of any trial does. It is the same however the sweep was run: with any number of\n"
          "threads or processes, resumed, extended, split into shards and merged. RUNDIR may also\n"
          "be a run.sqlite.\n",
          "  graspmap hash outputs/lock_piece\n"
          "  test $(graspmap hash a) = $(graspmap hash b) && echo the same trials\n"};
}

/// Says on standard error which trials are missing, if any.
void tell_missing(const RunStore& store, const TrialRanges& there, const RunTotals& totals) {
  if (totals.is_complete(store.trials_asked())) return;
  const TrialRanges gaps = totals.rounds ? totals.rounds->missing() : missing(there, store.asked());
  std::cerr << fmt::format("graspmap: note: the digest is of {} of {} trials; missing: {}{}\n",
                           count_trials(there), store.trials_asked(), text(gaps),
                           totals.rounds ? ", and the rounds to come" : "");
}

}  // namespace

int hash_command(const std::vector<std::string>& args) {
  const Arguments arguments(hash_syntax(), args);
  if (arguments.help_printed()) return 0;
  const RunStore store = RunStore::open(store_file(arguments.operand()), RunStore::Access::kRead);
  const TrialRanges there = store.stored();
  TrialDigest digest;
  RunTotals totals(store.config());
  store.for_each([&](const TrialRow& row) {
    digest.add(row);
    totals.add(row);
  });
  tell_missing(store, there, totals);
  std::cout << digest.hex() << "\n";
  return 0;
}

}  // namespace graspmap
