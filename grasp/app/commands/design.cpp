#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <span>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/kept_search.hpp"
#include "grasp/decide/design/design_search.hpp"
#include "grasp/sweep/mpi/ranks.hpp"

namespace graspmap {

namespace fs = std::filesystem;
namespace {

/// Lets the ranks of an MPI job search together, each on its part of the processors.
void share(MpiCommunicator& communicator, DesignQuestion& question, KeptGrasps& grasps) {
  const std::vector<RankInfo> ranks = exchange_ranks(communicator);
  const int other = rank_of_other_build(ranks);
  if (other != 0) {
    throw config_error({}, "",
                       fmt::format("{} runs another build of graspmap; must be the same",
                                   rank_name(ranks, other)));
  }
  if (question.threads == 0) question.threads = default_threads(ranks, communicator.rank());
  grasps.share_with(
      {communicator.rank(), communicator.size(), [&communicator](std::span<const std::byte> bytes) {
         return communicator.all_gather(bytes);
       }});
}

Analysis analyse_design(const std::vector<std::string>& operands, const DesignRequest& request,
                        const AnalysisWatch& watch) {
  AskedDesign asked = asked_design(operands.front(), request);
  const fs::path folder = watch.folder(asked.question.name + "_design");
  std::shared_ptr<KeptSearch<KeptGrasps>> kept;
  if (watch.keeps) {
    kept =
        kept_search<KeptGrasps>(folder, "design.sqlite", design_search_text(asked.question), watch);
  }
  KeptGrasps unkept(watch.trials);
  KeptGrasps& grasps = kept ? kept->trials : unkept;
  if (watch.communicator != nullptr) share(*watch.communicator, asked.question, grasps);
  const DesignAnswer answer = search_design(asked.question, asked.space, grasps, watch.line);
  Analysis found{design_text(answer), design_files(answer), design_figures(answer), {}, folder};
  if (kept) found.when_written = when_answered(kept);
  return found;
}

}  // namespace

AnalysisCommand design_analysis() {
  return {
      {"design", "find the finger, gripper and placement that grasp best", "CONFIG",
       "Finds the design that grasps best: of what [design] in the configuration lets vary\n"
       "(dimensions and shapes of the finger, pads, force, speed, opening), for one part or\n"
       "several. Each design is judged at its best placement, under the robot's error ([robot]\n"
       "or --position-sigma-mm). Designs race in the same trials; those near the best ones\n"
       "follow, closer each generation; fresh trials show how good the best one is, and how much\n"
       "better than the configuration as it is. Then each variable is moved alone: what it is\n"
       "worth, how exactly it must be made.\n"
       "Writes design.toml (the configuration of the best design), finger.dxf and finger.svg,\n"
       "design.json, designs.csv, variables.csv and figures. When it is interrupted, the same\n"
       "command continues: what was simulated is kept in design.sqlite until the files are\n"
       "there. Under mpirun its processes search together.\n",
       "  graspmap design configs/shaft_fingers.toml\n"
       "  graspmap design part.toml --position-sigma-mm 1 --designs 256\n"},
      "outputs/NAME_design",
      analyse_design};
}

}  // namespace graspmap
