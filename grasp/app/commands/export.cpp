#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/app/commands/progress.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/decide/plan/plan_request.hpp"
#include "grasp/decide/robot_grasps/grasps_request.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/stored_trials.hpp"

namespace graspmap {

namespace fs = std::filesystem;
namespace {

enum class Format { kCsv, kNpz };
constexpr std::size_t kTrialFormats = 2;

/// The number of a Format, or of a GraspFormat after them.
std::size_t read_format_number(const Arguments& arguments) {
  std::vector<std::string> words = {"csv", "npz"};
  words.insert(words.end(), kGraspFormats.begin(), kGraspFormats.end());
  return arguments.word("format", words);
}

/// Options and operands that trials have no use for.
void check_trials_only(const Arguments& arguments) {
  if (arguments.operands().size() > 1) {
    arguments.fail(
        fmt::format("one RUNDIR is enough, but there is also '{}'", arguments.operands()[1]));
  }
  GraspsRequest request;
  for (const RequestField& field : request.fields()) {
    if (!arguments.has(field.name().c_str())) continue;
    arguments.fail(
        fmt::format("--{}: is for grasps; must come with --format moveit, isaac, urscript or json",
                    field.name()));
  }
}

/// The file to write.
fs::path read_out(const Arguments& arguments, Format format, const fs::path& store) {
  if (!arguments.has("out")) {
    return store.parent_path() / (format == Format::kCsv ? run_files::kTrials : run_files::kNpz);
  }
  const std::string& out = arguments.text("out");
  if (out == "-" && format == Format::kNpz) {
    arguments.refuse("out", "a file with --format npz");
  }
  return out == "-" ? "/dev/stdout" : out;
}

/// Writes the file, and adds the rows up; false, with nothing written, when it was stopped.
bool write_rows(const fs::path& file, Format format, const RunStore& store, bool quiet,
                const std::atomic<int>& stop, RunTotals& totals) {
  const UncertainColumns uncertain(store.config());
  const auto pass_on_to = [&](auto& writer) {
    TrialReader reader(store);
    TrialCounters counters;
    const ProgressReporter progress(counters, count_trials(store.stored()), progress_style(quiet),
                                    std::cerr);
    while (stop == 0 && reader.next_index()) {
      const TrialRow row = reader.next();
      writer.add(row);
      totals.add(row);
      counters.add(row.outcome);
    }
    return stop == 0;
  };
  if (format == Format::kNpz) {
    TrialsNpz npz(file, uncertain);
    return pass_on_to(npz) && npz.commit(stop);
  }
  TrialsCsv csv(file, uncertain);
  if (!pass_on_to(csv)) return false;
  csv.commit();
  return true;
}

/// Writes config.toml, map.csv and summary.json when they are not of at least these trials.
void bring_up_to_date(const RunStore& store, const RunTotals& totals, bool quiet) {
  const fs::path folder = store.file().parent_path();
  if (derived_files_have(folder, totals.map().total().trials())) return;
  write_derived_files(folder, store, totals, answered_summary(store, totals));
  if (quiet) return;
  std::cerr << fmt::format("Rewritten: {}, {}, {}\n", run_files::kConfig, run_files::kMap,
                           run_files::kSummary);
}

// ---- Grasps for a robot ----------------------------------------------------------------------

std::string grasps_text(GraspFormat format, const std::vector<RobotGrasps>& runs) {
  switch (format) {
    case GraspFormat::kMoveit:
      return moveit_text(runs.front());
    case GraspFormat::kIsaac:
      return isaac_text(runs.front());
    case GraspFormat::kUrscript:
      return urscript_text(runs.front());
    case GraspFormat::kJson:
      break;
  }
  return json_document(grasp_library(runs));
}

/// In the order of GraspFormat.
constexpr std::array kGraspFiles = {"grasps_moveit.yaml", "grasps_isaac.yaml", "grasps.script",
                                    "grasps.json"};

/// The file of grasps to write.
fs::path grasps_file(const Arguments& arguments, GraspFormat format) {
  if (arguments.has("out")) {
    const std::string& out = arguments.text("out");
    return out == "-" ? "/dev/stdout" : out;
  }
  if (arguments.operands().size() > 1) {
    arguments.fail("--out: missing; several runs make one library, which needs a FILE");
  }
  return stored_run_file(arguments.operand()).parent_path() /
         kGraspFiles[static_cast<std::size_t>(format)];
}

std::string grasps_notes(const std::vector<RobotGrasps>& runs) {
  std::string notes;
  for (const RobotGrasps& run : runs) {
    if (!run.has_program) continue;
    notes += fmt::format(
        "graspmap: note: {} has a [[program]]; what is written knows that the gripper closes once, "
        "and no more.\n",
        run.name);
  }
  return notes + (runs.front().plane ? runs.front().plane->notes() : "");
}

/// The grasps of each run, and lines of notes about them.
std::pair<std::vector<RobotGrasps>, std::string> grasps_of(const std::vector<std::string>& operands,
                                                           const GraspsRequest& request) {
  std::vector<RobotGrasps> runs;
  std::string notes;
  for (const std::string& operand : operands) {
    const RunStore store = open_stored_run(operand);
    runs.push_back(robot_grasps(store, request));
    notes += missing_trials_note(store, runs.back().trials);
    for (std::size_t k = 0; k + 1 < runs.size(); ++k) {
      if (runs[k].name != runs.back().name) continue;
      throw RequestError(
          fmt::format("{} and {} are both called {}; must be runs of different names, one for each "
                      "resting face",
                      operands[k], operand, runs[k].name));
    }
  }
  notes += grasps_notes(runs);
  return {std::move(runs), std::move(notes)};
}

/// The library, and the file of each format that the request has enough for.
Analysis analyse_grasps(const std::vector<std::string>& operands, const GraspsRequest& request,
                        const AnalysisWatch& /*watch*/) {
  check_grasps_request(request, GraspFormat::kJson, operands.size());
  auto [runs, notes] = grasps_of(operands, request);
  Analysis found{"", {{"grasps.json", grasp_library(runs)}}, {}, std::move(notes)};
  for (const GraspFormat format :
       {GraspFormat::kMoveit, GraspFormat::kIsaac, GraspFormat::kUrscript}) {
    try {
      check_grasps_request(request, format, operands.size());
    } catch (const RequestError&) {
      continue;
    }
    found.files.push_back(
        {kGraspFiles[static_cast<std::size_t>(format)], grasps_text(format, runs)});
  }
  for (const RobotGrasps& run : runs) {
    found.text += fmt::format("{} of {}\n", counted(run.grasps.size(), "grasp"), run.name);
    for (const RobotGrasp& grasp : run.grasps) {
      const auto& [x, y, theta] = grasp.placement;
      found.text +=
          fmt::format("  ({:.4g}, {:.4g}) mm, {:.4g} rad: success {:.3f} [{:.3f}, {:.3f}]\n", x, y,
                      theta, grasp.probability, grasp.interval.low, grasp.interval.high);
    }
  }
  found.folder = stored_run_file(operands.front()).parent_path();
  return found;
}

/// Refuses options that a format has no use for.
void check_goes_with(const Arguments& arguments, const RequestFields& fields, GraspFormat format) {
  const std::string_view name = kGraspFormats[static_cast<std::size_t>(format)];
  for (const RequestField& field : fields) {
    const std::string_view formats = formats_with(field.name());
    if (!arguments.has(field.name().c_str()) || formats.empty() ||
        formats.find(name) != std::string_view::npos) {
      continue;
    }
    arguments.fail(fmt::format("--{}: is for --format {}, not {}", field.name(), formats, name));
  }
}

int export_grasps(const Arguments& arguments, GraspFormat format) {
  GraspsRequest request;
  check_goes_with(arguments, request.fields(), format);
  read_request(arguments, request.fields());
  check_grasps_request(request, format, arguments.operands().size());
  const fs::path file = grasps_file(arguments, format);
  const auto [runs, notes] = grasps_of(arguments.operands(), request);
  write_file_atomically(file, grasps_text(format, runs));
  std::cerr << notes;
  if (arguments.has("quiet")) return 0;
  for (const RobotGrasps& run : runs) {
    std::cerr << fmt::format("{} of {} in {}\n", counted(run.grasps.size(), "grasp"), run.name,
                             file.string());
  }
  return 0;
}

int export_run(const Arguments& arguments) {
  const bool quiet = arguments.has("quiet");
  const std::size_t number = read_format_number(arguments);
  if (number >= kTrialFormats) {
    return export_grasps(arguments, static_cast<GraspFormat>(number - kTrialFormats));
  }
  const auto format = static_cast<Format>(number);
  check_trials_only(arguments);
  const fs::path store_path = stored_run_file(arguments.operand());
  const fs::path file = read_out(arguments, format, store_path);
  const RunStore store = RunStore::open(store_path, RunStore::Access::kRead);
  std::optional<InterruptGuard> interrupt(std::in_place);
  RunTotals totals(store.config());
  if (!write_rows(file, format, store, quiet, interrupt->signal(), totals)) {
    std::cerr << fmt::format("graspmap: interrupted; {} was not written.\n", file.string());
    return exit_code_of_signal(interrupt->signal());
  }
  interrupt.reset();
  const std::int64_t exported = totals.map().total().trials();
  if (!quiet) std::cerr << fmt::format("{} trials in {}\n", exported, file.string());
  std::cerr << missing_trials_note(store, totals);
  if (!arguments.has("out")) bring_up_to_date(store, totals, quiet);
  return 0;
}

}  // namespace

AnalysisCommand grasps_analysis() {
  return {{.name = "grasps", .operands = "RUNDIR [RUNDIR...]"}, "RUNDIR", analyse_grasps};
}

Command export_command() {
  CommandSyntax syntax{
      "export",
      "write the trials of a run for other programs, or its best grasps for a robot",
      "RUNDIR [RUNDIR...]",
      "Writes all trials of a run into one file: RUNDIR/trials.csv, or RUNDIR/trials.npz for\n"
      "numpy, which is smaller, quicker to read, and has the solver's health too. A run that is\n"
      "not complete, or is being written, exports the trials so far. Rewrites config.toml,\n"
      "map.csv and summary.json when they are missing or have fewer trials.\n"
      "The memory used does not grow with the run; trials.npz needs twice its own size on the\n"
      "disk while it is written.\n"
      "With --format moveit, isaac, urscript or json it writes the best placements instead, as\n"
      "grasps for a robot: RUNDIR/grasps_moveit.yaml, grasps_isaac.yaml, grasps.script or\n"
      "grasps.json, with the success probability under the robot's error, the poses of the tool\n"
      "and of the part in the hand. Several runs, each of the part on another resting face, make\n"
      "one library (json, with --out).\n",
      "  graspmap export outputs/lock_piece\n"
      "  graspmap export outputs/lock_piece --out - | cut -d, -f4,5,9\n"
      "  graspmap export outputs/lock_piece --format npz\n"
      "  # In Python, column by column; outcomes are numbers with names:\n"
      "  #   trials = numpy.load(\"outputs/lock_piece/trials.npz\")\n"
      "  #   outcomes = trials[\"outcome_names\"][trials[\"outcome\"]]\n"
      "  graspmap export outputs/lock_piece --format urscript --position-sigma-mm 1 \\\n"
      "      --height-mm 10 --frame-position-mm 400,-120,15 --frame-rpy-rad 0,0,1.5708\n"
      "  graspmap export face_1 face_2 --format json --height-mm 10 --out grasps.json\n",
      {{"format F", "csv (the default), npz, or grasps: moveit, isaac, urscript, json"},
       {"out FILE", "write FILE, nothing into RUNDIR; -: standard output (not npz)"},
       {"quiet", "show no progress"}}};
  syntax.options.add_fields(GraspsRequest().fields());
  return {std::move(syntax), parsed(export_run)};
}

}  // namespace graspmap
