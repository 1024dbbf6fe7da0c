#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <optional>
#include <vector>

#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/sequence/sequence_report.hpp"
#include "grasp/decide/sequence/sequence_request.hpp"
#include "grasp/sweep/config/program_reader.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

namespace fs = std::filesystem;
namespace {

CommandSyntax sequence_syntax() {
  CommandSyntax syntax{
      "sequence", "CONFIG",
      "Turns an unknown pose into a known one without sensors: finds the shortest sequence of\n"
      "squeezes (turn the opened gripper about the part, close, open) after which the part\n"
      "lies in one pose, and tells with which probability by fresh trials. Parallel jaws\n"
      "cannot tell a pose from the one turned by half a turn: both count as one. The part\n"
      "begins with its centre of mass at the squeeze point, midway between the jaws and at\n"
      "the middle of the pads; below the tips of fingers that are quarter-planes by twice its\n"
      "reach. Friction and uncertain numbers have the configuration's distributions; its\n"
      "placements and their noise are not used. Where no sequence is found it says so and\n"
      "shows the best one; the exit code is 0.\n",
      "  graspmap sequence configs/connecting_rod.toml --angles-deg -40,40\n"
      "  graspmap sequence part.toml --box-mm 2 --out funnel.png --write part_sequence.toml\n"
      "  graspmap sequence part_sequence.toml --program --trials 20000\n"};
  for (const RequestField& field : SequenceRequest{}.fields()) {
    syntax.options.add_option(field.form, field.meaning);
  }
  syntax.options.add_option("program",
                            "tell what the configuration's [[program]] does, in place "
                            "of looking for a sequence");
  syntax.options.add_option("write FILE.toml",
                            "write the configuration with the [[program]] that "
                            "was found");
  syntax.options.add_option("out FILE.png|svg",
                            "draw the funnel: the angles after each phase; "
                            "needs gnuplot");
  syntax.options.add_option("json", "print the result as JSON");
  syntax.options.add_option("quiet", "show no progress");
  syntax.options.add_option("set KEY=VALUE ...",
                            "override a key of the configuration, or take it away (KEY=); may be "
                            "repeated");
  return syntax;
}

/// The files that are asked for, checked before anything is simulated.
struct SequenceFiles {
  std::optional<fs::path> picture;
  std::optional<fs::path> config;
};

SequenceFiles sequence_files(const Arguments& arguments) {
  SequenceFiles files;
  if (arguments.has("out")) {
    files.picture = arguments.text("out");
    const fs::path ending = files.picture->extension();
    if (ending != ".png" && ending != ".svg") arguments.refuse("out", "FILE.png or FILE.svg");
    check_writable(*files.picture);
  }
  if (arguments.has("write")) {
    files.config = arguments.text("write");
    if (files.config->extension() != ".toml") arguments.refuse("write", "FILE.toml");
    if (arguments.has("program")) arguments.fail("--write does not go with --program");
    std::error_code ignored;
    if (fs::equivalent(*files.config, arguments.operand(), ignored)) {
      arguments.fail("--write is the configuration itself; must be another file");
    }
    check_writable(*files.config);
  }
  return files;
}

std::string drawn_figure(const Figure& figure, const std::string& ending) {
  const WorkFolder work = WorkFolder::with_own_name();
  const fs::path folder = work.path() / "figure";
  draw_figures(folder, {figure});
  return file_bytes(folder / (figure.name + ending)).value_or("");
}

void write_sequence(const SequenceFiles& files, const SequencePlan& plan, SweepConfig config) {
  std::vector<StagedFile> staged;
  if (files.config) {
    config.scenario.program_as_drawn = plan.program;
    config.scenario.program = program_of(plan.program);
    staged.emplace_back(*files.config, to_toml(config));
  }
  if (files.picture) {
    staged.emplace_back(*files.picture,
                        drawn_figure(sequence_figure(plan), files.picture->extension().string()));
  }
  const Unbroken moment;
  for (StagedFile& file : staged) file.commit();
}

SequencePlan planned(const Arguments& arguments, const SweepConfig& config) {
  SequenceRequest request;
  read_request(arguments, request.fields());
  SequenceQuestion question;
  try {
    question = sequence_question(config, request, arguments.has("program"));
  } catch (const RequestError& error) {
    if (!error.option.empty()) arguments.refuse(error.option.c_str(), error.allowed);
    arguments.fail(error.what());
  }
  std::function<void(const std::string&)> line;
  if (!arguments.has("quiet")) line = [](const std::string& text) { std::cerr << text; };
  return plan_sequence(config, question, line);
}

}  // namespace

int sequence_command(const std::vector<std::string>& args) {
  const Arguments arguments(sequence_syntax(), args);
  if (arguments.help_printed()) return 0;
  const SweepConfig config = read_sweep_config(arguments.operand(), arguments.texts("set"));
  const SequenceFiles files = sequence_files(arguments);
  const SequencePlan plan = planned(arguments, config);
  std::cout << (arguments.has("json") ? json_document(sequence_fields(plan)) : sequence_text(plan))
            << std::flush;
  write_sequence(files, plan, config);
  if (!arguments.has("json")) {
    for (const auto& file : {files.config, files.picture}) {
      if (file) std::cout << fmt::format("Written: {}\n", file->string());
    }
  }
  return 0;
}

}  // namespace graspmap
