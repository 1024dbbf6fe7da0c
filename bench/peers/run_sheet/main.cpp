// A run sheet of `graspmap lab-plan`, filled in by MuJoCo or Box2D in place of a laboratory:
// another program, with other contacts. docs/tutorial/compare-with-a-lab.md shows what comes of it.

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <stdexcept>

#include "bench/compare/trial_end.hpp"
#include "bench/peers/box2d_engine.hpp"
#include "bench/peers/mujoco_engine.hpp"
#include "bench/peers/run_sheet/sheet.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/app/program/program.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap::bench {
namespace {
namespace po = boost::program_options;

constexpr double kMujocoStep_s = 0.001;
constexpr double kBox2dStep_s = 1.0 / 480;

CommandSyntax syntax() {
  CommandSyntax syntax{
      "peer_lab",
      "",
      "CONFIG SHEET",
      "Fills in a run sheet of `graspmap lab-plan` with the grasps of another physics engine:\n"
      "MuJoCo (capsules for teeth, steps of 1 ms) or Box2D (steps of 1/480 s). CONFIG is the\n"
      "laboratory as it is; SHEET is RUNDIR/lab_plan/run_sheet.csv. The filled sheet is an\n"
      "experiment of origin \"simulated\".\n",
      "  peer_lab configs/lock_piece.toml run_sheet.csv --out lab.csv\n"
      "  peer_lab configs/lock_piece.toml run_sheet.csv --out lab.csv \\\n"
      "      --offset-mm 0,0.8 --set friction.jaw=0.2 --seed 7\n",
      {},
      ""};
  auto add = syntax.options.add_options();
  add("engine", po::value<std::string>()->value_name("ENGINE"), "mujoco (default) or box2d");
  add("out", po::value<std::string>()->value_name("FILE"), "the filled sheet");
  add("offset-mm", po::value<std::string>()->value_name("X,Y"),
      "how far the robot goes beyond where it is told to go (default: 0,0)");
  add("friction-of", po::value<std::string>()->value_name("WHAT"),
      "draw the friction anew for each trial (default), or for each session");
  add("seed", po::value<std::string>()->value_name("N"), "of friction and noise (default: 1)");
  add("set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "override a key of the configuration; may be repeated");
  return syntax;
}

/// One of two words of an option; the first without the option.
bool is_second(const Arguments& arguments, const char* option, const char* first,
               const char* second) {
  if (!arguments.has(option) || arguments.text(option) == first) return false;
  if (arguments.text(option) == second) return true;
  arguments.fail(
      fmt::format("--{}: '{}'; must be {} or {}", option, arguments.text(option), first, second));
}

/// The laboratory: an engine, its robot and its surfaces.
class Laboratory {
 public:
  explicit Laboratory(const Arguments& arguments)
      : config_(read_sweep_config(arguments.operand(), arguments.texts("set"))),
        seed_(static_cast<std::uint64_t>(arguments.count("seed", 1, 0, 1'000'000'000))),
        is_box2d_(is_second(arguments, "engine", "mujoco", "box2d")),
        has_session_friction_(is_second(arguments, "friction-of", "trial", "session")) {
    read_offset(arguments);
    try {
      engine_ = is_box2d_
                    ? make_box2d_engine(config_.scenario, kBox2dStep_s)
                    : make_mujoco_engine(config_.scenario, kMujocoStep_s, {MujocoTooth::kCapsule});
    } catch (const std::invalid_argument& error) {
      arguments.fail(fmt::format("{}: {}", config_.name, error.what()));
    }
    words_ = fmt::format(
        "{}; {}, friction drawn for each {}",
        is_box2d_ ? "Box2D 2.4, steps of 1/480 s" : "MuJoCo 2.2, capsules for teeth, steps of 1 ms",
        config_.name, has_session_friction_ ? "session" : "trial");
    for (const std::string& set : arguments.texts("set")) words_ += ", " + set;
    if (offset_x_mm_ != 0 || offset_y_mm_ != 0) {
      words_ += fmt::format(", robot off by ({}, {}) mm", offset_x_mm_, offset_y_mm_);
    }
    words_ += fmt::format(", seed {}", seed_);
  }

  /// What it is, for the experiment's head.
  [[nodiscard]] const std::string& words() const { return words_; }

  bool succeeds(const SheetTrial& trial) {
    constexpr std::uint64_t kSessions = 1'000'000'000;  // indices beyond those of trials
    TrialParameters parameters = sample_at(config_, trial.intended, seed_, trial.row);
    parameters.placement_x_mm += offset_x_mm_;
    parameters.placement_y_mm += offset_y_mm_;
    if (has_session_friction_) {
      const auto session = sample_at(config_, trial.intended, seed_, kSessions + trial.session);
      parameters.mu_jaw = session.mu_jaw;
      parameters.mu_support = session.mu_support;
    }
    engine_->simulate(parameters, result_);
    return trial_end(config_, result_).outcome == Outcome::kSuccess;
  }

 private:
  void read_offset(const Arguments& arguments) {
    if (!arguments.has("offset-mm")) return;
    const std::vector<double> offset = arguments.numbers("offset-mm");
    if (offset.size() != 2) arguments.fail("--offset-mm: must be X,Y");
    offset_x_mm_ = offset[0];
    offset_y_mm_ = offset[1];
  }

  SweepConfig config_;
  std::uint64_t seed_;
  bool is_box2d_;
  bool has_session_friction_;
  double offset_x_mm_ = 0.0;
  double offset_y_mm_ = 0.0;
  std::string words_;
  std::unique_ptr<Engine> engine_;
  SimulationResult result_;
};

int run(const std::vector<std::string>& args) {
  const Arguments arguments(syntax(), args);
  if (arguments.help_printed()) return 0;
  if (!arguments.has("out")) arguments.fail("--out is missing");
  Laboratory laboratory(arguments);
  const std::string filled =
      filled_sheet(arguments.operands()[1], laboratory.words(),
                   [&](const SheetTrial& trial) { return laboratory.succeeds(trial); });
  StagedFile(arguments.text("out"), filled).commit();
  std::cout << fmt::format("Wrote {}.\n", arguments.text("out"));
  return 0;
}

}  // namespace
}  // namespace graspmap::bench

int main(int argc, char** argv) {
  return graspmap::guarded_main({argv + 1, argv + argc}, graspmap::bench::run);
}
