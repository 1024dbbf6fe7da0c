#include "lab/commands/simulate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <iostream>
#include <optional>
#include <utility>

#include "grasp/app/commands/options.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/base/io/toml_document.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/process/stop.hpp"
#include "lab/commands/commands.hpp"
#include "lab/scenes/scene_pictures.hpp"
#include "lab/scenes/scene_report.hpp"
#include "lab/spatial_scenes/spatial_figures.hpp"

namespace graspmap {
namespace {

/// Seconds of a step, measured.
constexpr double kStep_s = 30e-6;         ///< by itself
constexpr double kVertex_s = 0.3e-6;      ///< for each vertex of a polygon
constexpr double kPiecePair_s = 50e-9;    ///< for each pair of pieces, to find contacts
constexpr double kConvexSquare_s = 2e-6;  ///< for the square of the bodies that move:
                                          ///< anitescu-hart-convex
constexpr double kPlanarCube_s = 0.7e-6;  ///< for the cube of the bodies that move, in the plane
constexpr double kSpatialCube_s = 16e-6;  ///< the same in space
constexpr double kLinkCube_s = 1.5e-6;    ///< the same of links on joints

ExpectedWork work_of(const SceneRunSettings& run, std::int64_t moving_bodies, double step_s) {
  const double steps = std::ceil(run.duration_s / run.step_s - 1e-9);
  return {static_cast<std::int64_t>(steps), moving_bodies, steps * step_s};
}

double cube(std::int64_t number) { return std::pow(static_cast<double>(number), 3); }

/// "50 hours", "12 days", "3 years".
std::string long_time(double seconds) {
  const double hours = seconds / 3600.0;
  if (hours < 72.0) return fmt::format("{:.2g} hours", hours);
  const double days = hours / 24.0;
  return days < 1000.0 ? fmt::format("{:.0f} days", days) : fmt::format("{:.2g} years", days / 365);
}

}  // namespace

ExpectedWork expected_work(const SceneFile& file) {
  std::int64_t moving = 0;
  double vertices = 0.0;
  double pieces = 0.0;
  for (const PlanarBody& body : file.scene.bodies) {
    if (body.moves_freely()) ++moving;
    pieces += static_cast<double>(body.shapes.size());
    for (const PlacedShape& placed : body.shapes) {
      const auto* polygon = std::get_if<RoundedPolygon>(&placed.shape);
      if (polygon != nullptr) vertices += static_cast<double>(polygon->vertices.size());
    }
  }
  const double solve_s = file.stepper == StepperKind::kAnitescuHartConvex
                             ? kConvexSquare_s * static_cast<double>(moving * moving)
                             : kPlanarCube_s * cube(moving);
  return work_of(file.run, moving,
                 kStep_s + kVertex_s * vertices + kPiecePair_s * pieces * pieces + solve_s);
}

ExpectedWork expected_work(const SpatialSceneFile& file) {
  const std::int64_t moving = std::count_if(file.bodies.begin(), file.bodies.end(),
                                            [](const SceneSolid& body) { return !body.is_fixed; });
  const double cube_s = file.is_articulated() ? kLinkCube_s : kSpatialCube_s;
  return work_of(file.run, moving, kStep_s + cube_s * cube(moving));
}

void check_expected_work(const std::string& file, const ExpectedWork& work) {
  if (work.seconds <= kMostExpected_s) return;
  throw config_error(
      {file}, "time.duration_s",
      fmt::format("{} steps of {} bod{} that move{} are expected to take about {}; must be at most "
                  "one hour, or be asked for with --force. Fewer steps (--duration-s, --step-s), "
                  "and above all fewer bodies, make it shorter",
                  work.steps, work.moving_bodies, work.moving_bodies == 1 ? "y" : "ies",
                  work.moving_bodies == 1 ? "s" : "", long_time(work.seconds)));
}

namespace fs = std::filesystem;
namespace po = boost::program_options;
namespace {

constexpr int kExitNotSolved = 1;
constexpr std::int64_t kMostSamples = 2000;  ///< without --every
/// Samples are kept in memory until the end: these take about 1 GB.
constexpr std::int64_t kMostBodyStates = 1'000'000;

std::vector<AskedKey> keys_of_scene(const std::string& file) {
  if (file.empty()) return {};
  try {
    return keys_asked_by_scene(read_scene_document(file, {}));
  } catch (const std::exception&) {
    return {};  // a file that cannot be read has no keys
  }
}

CommandSyntax simulate_syntax() {
  CommandSyntax syntax{
      .name = "simulate",
      .purpose = "simulate a scene of bodies in the plane or in space and draw it",
      .operands = "SCENE",
      .summary =
          "Simulates a scene with contact and friction: rigid bodies in the plane or in space,\n"
          "or links on joints, as the key `kind` of the scene says. Keeps it in outputs/SCENE/:\n"
          "trajectory.csv, contacts.csv, energy.csv, steps.csv, summary.json, a copy of the\n"
          "scene, and figures. docs/lab/scenes.md explains scene files; configs/scenes/\n"
          "has examples. A step that cannot be solved, not even in smaller steps, ends the\n"
          "simulation: the steps before it are kept, and the exit code is 1.\n",
      .examples =
          "  graspmap-lab simulate configs/scenes/rolling_disc.toml\n"
          "  graspmap-lab simulate configs/scenes/box_stack.toml --animate\n"
          "  graspmap-lab simulate configs/scenes/falling_rod.toml --stepper stewart-trinkle \\\n"
          "      --step-s 0.001\n"
          "  graspmap-lab simulate configs/scenes/cube_sliding.toml \\\n"
          "      --set 'body.1.force_n=[9, 0, 0]'\n"
          "  graspmap-lab simulate configs/scenes/twelve_link_pendulum.toml \\\n"
          "      --set solver.contact_solver=mlcp-lemke\n"
          "  graspmap-lab simulate configs/scenes/brazil_nut.toml --set world.friction=0.2 \\\n"
          "      --out outputs/nut\n",
      .program = "graspmap-lab "};
  auto add = syntax.options.add_options();
  add("stepper", po::value<std::string>()->value_name("S"),
      "implicit, implicit-full, stewart-trinkle, stewart-trinkle-nonlinear, anitescu-potra, "
      "anitescu-hart or anitescu-hart-unstabilised; in the plane also anitescu-hart-convex");
  add("step-s", po::value<std::string>()->value_name("H"), "the time step");
  add("duration-s", po::value<std::string>()->value_name("T"), "how long to simulate");
  add("set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "override a key of the scene, or take it away (KEY=); may be repeated");
  add("out", po::value<std::string>()->value_name("DIR"), "write into DIR, not outputs/SCENE");
  add("every", po::value<std::string>()->value_name("N"),
      "keep one step in N (default: so that at most 2000 are kept)");
  add("animate", "draw motion.gif too");
  add("no-plots", "draw no figures");
  add("force",
      "overwrite a simulation that is already in the folder; simulate also what is expected to "
      "take more than an hour");
  add("quiet", "show no progress");
  return syntax;
}

/// The overrides of the scene: --set, and the keys that have options of their own.
std::vector<std::string> overrides(const Arguments& arguments) {
  std::vector<std::string> list = arguments.texts("set");
  for (const auto& [option, key] :
       {std::pair{"stepper", "solver.stepper"}, std::pair{"step-s", "time.step_s"},
        std::pair{"duration-s", "time.duration_s"}}) {
    if (arguments.has(option)) list.push_back(fmt::format("{}={}", key, arguments.text(option)));
  }
  return list;
}

std::int64_t body_count(const SceneFile& file) {
  return static_cast<std::int64_t>(file.scene.bodies.size());
}

std::int64_t body_count(const SpatialSceneFile& file) {
  return static_cast<std::int64_t>(file.bodies.size());
}

std::int64_t sampling(const Arguments& arguments, const SceneRunSettings& run,
                      std::int64_t bodies) {
  const std::int64_t most = kMostBodyStates / bodies;
  if (!arguments.has("every")) return sampling_for(run, std::min(kMostSamples, most));
  const std::optional<std::int64_t> every = parse_integer(arguments.text("every"));
  if (!every || *every < 1) {
    arguments.fail(
        fmt::format("--every: '{}'; must be a whole number >= 1", arguments.text("every")));
  }
  const std::int64_t least = sampling_for(run, most);
  if (*every < least) {
    arguments.fail(
        fmt::format("--every: {} keeps more than {} states of {} bodies, which the "
                    "memory is not for; must be at least {}",
                    *every, most, bodies, least));
  }
  return *every;
}

std::string names(const std::vector<Figure>& figures) {
  std::vector<std::string> list;
  for (const Figure& figure : figures) list.push_back(figure.name + ".png");
  return fmt::format("{}", fmt::join(list, ", "));
}

/// A failure only causes a warning: the results are already written.
template <typename File, typename Result>
void draw(const Arguments& arguments, const fs::path& folder, const File& file,
          const Result& result) {
  std::cout.flush();
  try {
    if (!arguments.has("no-plots")) {
      const std::vector<Figure> figures = scene_figures(file, result);
      draw_figures(folder / scene_files::kFigures, figures);
      std::cout << fmt::format("Figures in {}: {}\n", (folder / scene_files::kFigures).string(),
                               names(figures));
    }
    if (arguments.has("animate")) {
      const fs::path gif = folder / scene_files::kAnimation;
      write_file_atomically(gif, scene_animation(file, result));
      std::cout << fmt::format("Animation: {}\n", gif.string());
    }
  } catch (const IoError& error) {
    std::cerr << fmt::format("graspmap: warning: not all figures: {}. The results are complete.\n",
                             error.what());
  }
}

/// An interrupted simulation ends at once, and draws nothing.
void warn_of_old_figures(const fs::path& folder) {
  if (!fs::exists(folder / scene_files::kFigures)) return;
  std::cerr << fmt::format("graspmap: warning: {} is of an earlier simulation\n",
                           (folder / scene_files::kFigures).string());
}

int exit_code(const SceneReport& report, const std::atomic<int>& stop) {
  switch (report.outcome.end()) {
    case SceneEnd::kFinished:
      return 0;
    case SceneEnd::kInterrupted:
      std::cerr << "graspmap: interrupted; what was simulated until then is kept.\n";
      return exit_code_of_signal(stop);
    case SceneEnd::kFailed:
      break;
  }
  std::cerr << fmt::format("graspmap: {}\n", failure_text(report));
  return kExitNotSolved;
}

/// The steps of a scene are given up when `is_stopped`: one that cannot be solved may take seconds.
void stop_with(const std::function<bool()>& is_stopped, SceneFile& file) {
  file.run.is_stopped = file.stepper_settings.is_stopped = is_stopped;
}

void stop_with(const std::function<bool()>& is_stopped, SpatialSceneFile& file) {
  file.run.is_stopped = is_stopped;
  if (!file.is_articulated()) std::get<RigidScene>(file.simulated).settings.is_stopped = is_stopped;
}

/// `Recorder` belongs to the kind of scene.
template <typename Recorder, typename File>
int simulate_and_keep(const Arguments& arguments, File file) {
  const std::int64_t every = sampling(arguments, file.run, body_count(file));
  if (!arguments.has("force")) check_expected_work(arguments.operand(), expected_work(file));
  const fs::path folder =
      arguments.has("out") ? fs::path(arguments.text("out")) : fs::path("outputs") / file.name;
  create_scene_folder(folder, arguments.has("force"));
  std::optional<InterruptGuard> interrupt(std::in_place);
  const std::atomic<int>& stop = interrupt->signal();
  stop_with([&stop] { return stop != 0; }, file);
  SceneProgress progress(file.run.duration_s, progress_style(arguments.has("quiet")), std::cerr);
  auto result = record_scene<Recorder>(file, every, [&](const SceneSnapshot& shown) {
    if (shown.step_s > 0.0) progress.step_done(shown.time_s);
    return stop == 0;
  });
  result.wall_time_s = progress.elapsed_s();
  progress.finish();
  result.interrupted = stop != 0;
  interrupt.reset();
  const SceneReport report = scene_report(file, result);
  write_scene_files(folder, file, result);
  std::cout << summary_text(report) << fmt::format("Files in {}\n", folder.string());
  if (const auto warning = overlap_warning(report)) {
    std::cerr << fmt::format("graspmap: warning: {}\n", *warning);
  }
  if (result.interrupted) {
    warn_of_old_figures(folder);
  } else {
    draw(arguments, folder, file, result);
  }
  return exit_code(report, stop);
}

int simulate_scene(const Arguments& arguments) {
  const SceneDocument document = read_scene_document(arguments.operand(), overrides(arguments));
  if (document.kind == SceneKind::kPlanar) {
    return simulate_and_keep<PlanarRecorder>(arguments, read_planar_scene(document));
  }
  if (document.kind == SceneKind::kArticulated && arguments.has("stepper")) {
    arguments.fail(
        "--stepper is not for articulated scenes; --set solver.contact_solver=NAME chooses how "
        "their contacts are solved");
  }
  return simulate_and_keep<SpatialRecorder>(arguments, read_spatial_scene(document));
}

}  // namespace

Command simulate_command() { return {simulate_syntax(), parsed(simulate_scene), keys_of_scene}; }

}  // namespace graspmap
