#include <fmt/format.h>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/analysis_options.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/decide/reweight/reweight_report.hpp"
#include "grasp/decide/statistics/importance.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace po = boost::program_options;
namespace {

constexpr const char* kReweightFolder = "reweight";

CommandSyntax reweight_syntax() {
  CommandSyntax syntax{
      "reweight", "RUNDIR",
      "Shows the map of a run under other laws of friction, of the placement noise, or of the\n"
      "run's [uncertain] numbers, without new simulations: each stored trial gets a weight, how "
      "much likelier its draws are\n"
      "under the new laws. Tells how many trials the stored ones are worth for the new laws,\n"
      "and refuses laws that they do not cover. Run a sweep with broad laws once, and narrow\n"
      "the laws here.\n",
      "  graspmap reweight outputs/lock_piece \\\n"
      "      --set 'friction.jaw={ distribution = \"uniform\", min = 0.1, max = 0.2 }'\n"
      "  graspmap reweight outputs/lock_piece --set friction.jaw.max=0.2     # one key of a law\n"
      "  graspmap reweight outputs/lock_piece \\\n"
      "      --set friction.jaw.max=0.2 --set friction.support.min=0.3\n"
      "  graspmap reweight outputs/uncertain --set part.mass_kg.sigma=0.001  # a number of the "
      "part\n"};
  syntax.options.add_options()("set", po::value<std::vector<std::string>>()->value_name("KEY=LAW"),
                               "another law (may be repeated): friction.jaw, friction.support or "
                               "placement.noise.x_mm, .y_mm, .theta_rad, or the key of an "
                               "uncertain number, as for `graspmap run`");
  add_analysis_options(syntax.options, kReweightFolder);
  return syntax;
}

/// Refuses a map that says nothing.
void check_worth(const Arguments& arguments, const ReweightedMap& map) {
  if (!(map.median_effective_trials() >= kLeastEffectiveTrials)) {
    arguments.fail(fmt::format(
        "the stored trials are worth {:.1f} trials in the median cell under the new laws; must be "
        "{} or more: take broader laws, extend the run (graspmap run --trials-per-cell), or "
        "simulate them (graspmap run --set)",
        map.median_effective_trials(), kLeastEffectiveTrials));
  }
  if (map.pareto_shape > kMostParetoShape) {
    arguments.fail(fmt::format(
        "a few stored trials would decide: their weights have a tail of k = {:.2f}; must be {} or "
        "less: the new laws reach too far into the tails of the stored ones; simulate them "
        "(graspmap run --set)",
        map.pareto_shape, kMostParetoShape));
  }
}

Analysis analyse_reweighting(const Arguments& arguments, const AnalysisWatch& /*watch*/) {
  const double confidence = read_confidence(arguments);
  const std::vector<std::string> overrides = arguments.texts("set");
  if (overrides.empty()) arguments.fail("--set is missing; give at least one other law");
  const fs::path file = store_file(arguments.operand());
  const RunStore store = RunStore::open(file, RunStore::Access::kRead);
  const SweepConfig wanted = with_other_laws(store.config_toml(), overrides);
  const LawChange change(store.config(), wanted, overrides);
  const ReweightedMap map = reweight_trials(store, change);
  check_worth(arguments, map);
  const Reweighting result{store.config(), wanted, change, map, confidence};
  return {reweight_text(result),
          "",
          analysis_folder(arguments, file.parent_path(), kReweightFolder),
          {{"reweight.json", reweight_json(result)}, {"map.csv", reweighted_map_csv(result)}},
          {reweight_figure(result)}};
}

}  // namespace

AnalysisCommand reweight_analysis() { return {reweight_syntax(), analyse_reweighting}; }

}  // namespace graspmap
