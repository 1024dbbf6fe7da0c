#include <filesystem>
#include <memory>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/kept_search.hpp"
#include "grasp/decide/sequence/sequence_plan.hpp"

namespace graspmap {

namespace fs = std::filesystem;
namespace {

Analysis analyse_sequence(const std::vector<std::string>& operands, const SequenceRequest& request,
                          const AnalysisWatch& watch) {
  const SweepConfig config = read_sweep_config(operands.front(), request.set);
  const SequenceQuestion question = sequence_question(config, request);
  const fs::path folder = watch.folder(config.name + (request.program ? "_program" : "_sequence"));
  std::shared_ptr<KeptSearch<KeptTrials>> resumed;
  if (watch.keeps) {
    resumed =
        kept_search<KeptTrials>(folder, "sequence.sqlite", search_text(config, question), watch);
  }
  const KeptTrials unkept(watch.trials);
  const SequencePlan plan =
      plan_sequence(config, question, resumed ? resumed->trials : unkept, watch.line);
  Analysis found{
      sequence_text(plan), sequence_files(plan, config), {sequence_figure(plan)}, {}, folder};
  if (resumed) found.when_written = when_answered(resumed);
  return found;
}

}  // namespace

AnalysisCommand sequence_analysis() {
  return {
      {"sequence", "find squeezes that turn an unknown pose into a known one, without sensors",
       "CONFIG",
       "Turns an unknown pose into a known one without sensors: finds the shortest sequence of\n"
       "squeezes (turn the opened gripper about the part, close, open), and with --push-mm of\n"
       "pushes by one jaw, after which the part lies in one pose, and estimates the probability\n"
       "of that pose from fresh trials. Parallel jaws cannot tell a pose from the one turned by\n"
       "half a turn: both count as one. The part begins with its centre of mass at the squeeze\n"
       "point, midway between the jaws and at the middle of the pads; below the tips of fingers\n"
       "that are quarter-planes by twice its reach. Friction and uncertain numbers have the\n"
       "configuration's distributions; its placements and their noise are not used. Where no\n"
       "sequence is found it says so and shows the best one; the exit code is 0.\n"
       "Writes sequence.toml (the configuration with the [[program]] that was found),\n"
       "sequence.json, phases.csv and the funnel. When it is interrupted, the same command\n"
       "continues: what was simulated is kept in sequence.sqlite until the files are there.\n",
       "  graspmap sequence configs/connecting_rod.toml --angles-deg -40,40\n"
       "  graspmap sequence part.toml --box-mm 2 --push-mm 20 --period-deg 360\n"
       "  graspmap sequence outputs/part_sequence/sequence.toml --program --trials 20000\n"},
      "outputs/NAME_sequence (--program: outputs/NAME_program)",
      analyse_sequence};
}

}  // namespace graspmap
