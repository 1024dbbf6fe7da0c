#include <algorithm>
#include <filesystem>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/decide/calibrate/friction_calibration.hpp"
#include "grasp/decide/support_fit/support_fit.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {

namespace fs = std::filesystem;
namespace {

Analysis analyse_calibration(const std::vector<std::string>& operands,
                             const CalibrateRequest& request, const AnalysisWatch& watch) {
  const RunStore run = open_stored_run(operands[0]);
  // A round of simulated trials after the other, most often five; the last ones take as long.
  TimeLeft time(watch);
  double rounds_left = 5;
  const ShowTrials show = [&](const TrialCounters& counters, std::int64_t total) {
    time.tell(std::max(rounds_left--, 0.0));
    return shown(watch.trials, counters, total);
  };
  CalibrationReport report = calibrate_run(run, operands[1], request, show);
  report.folder = watch.out;
  return {calibration_text(report),
          {{"calibrate.json", calibration_fields(report)},
           {"parameters.csv", parameters_table(report)},
           {"posterior.csv", posterior_table(report)},
           {"map.csv", predicted_table(report)}},
          {posterior_figure(report.calibration, run_title(report.config.name, report.run),
                            report.confidence),
           predicted_figure(report)}};
}

}  // namespace

AnalysisCommand calibrate_analysis() {
  return {
      {"calibrate", "find the friction, and other causes, behind an experiment",
       "RUNDIR EXPERIMENT.csv",
       "Finds the distributions of friction that an experiment does not contradict: the\n"
       "posterior of mean and width (or sigma) of jaw and support friction, given the successes.\n"
       "Also reports how much the experiment says about each number, whether any such\n"
       "distribution fits, and where the fit fails.\n"
       "Without --simulate, the trials of the run, made with broad friction, show how success\n"
       "depends on friction; the distributions must lie inside the range that the run covers,\n"
       "and single trials are counted in the run's cells. With --simulate it simulates trials at\n"
       "the experiment's own placements, in rounds, where the posterior is: 10 to 60 s. The run\n"
       "then only gives the configuration. That is the way for distributions that are narrow or\n"
       "go beyond the run, for placements on a lattice, and for other causes than friction\n"
       "(--with).\n"
       "Uncertain numbers of the run are drawn from their distributions, which are taken as\n"
       "given, except those that --with names: such a number has one unknown value in all\n"
       "trials, within its distribution or, where that has lots, parts scatter about the unknown\n"
       "value of their lot.\n"
       "EXPERIMENT.csv: a line '# origin = measured' (or digitised, simulated), then the columns\n"
       "x_min_mm,x_max_mm,y_min_mm,y_max_mm,trials,successes or x_mm,y_mm,success.\n",
       "  graspmap run configs/lock_piece_broad_friction.toml\n"
       "  graspmap calibrate outputs/lock_piece_broad_friction experiment.csv\n"
       "  graspmap calibrate outputs/lock_piece experiment.csv --simulate --jaw-range 0,0.7\n"
       "  graspmap calibrate outputs/lock_piece experiment.csv --simulate --with offset,size\n"},
      "RUNDIR/calibrate",
      analyse_calibration};
}

namespace {

Analysis analyse_pushes(const std::vector<std::string>& operands, const SupportFitRequest& request,
                        const AnalysisWatch& watch) {
  const fs::path file = operands.front();
  const SupportFit fit = fit_support(file, request, [&](double share) {
    check_stop();
    if (watch.share) watch.share(share);
  });
  return {support_fit_text(fit),
          {{"support_fit.csv", support_fit_table(fit)},
           {"support_fit.json", support_fit_fields(fit)},
           {"support.toml", support_fit_toml(fit)}},
          support_fit_figures(fit),
          {},
          watch.folder(file.stem().string() + "_support")};
}

}  // namespace

AnalysisCommand fit_support_analysis() {
  return {
      {"fit-support", "find the table's friction under a part from measured pushes", "PUSHES.csv",
       "Finds the model of the table's friction under a part from measured slow pushes, and\n"
       "prints the [support] block for a configuration.\n"
       "PUSHES.csv begins with a line '# origin = measured' (or digitised, simulated). Each row\n"
       "is one measurement in the part's own axes: the twist vx_mm_s,vy_mm_s,omega_rad_s of the\n"
       "frame's origin, and what the pusher does to the part: the wrench fx_n,fy_n,moment_n_mm\n"
       "about the origin, or force_x_n,force_y_n,contact_x_mm,contact_y_mm. A column push keeps\n"
       "rows of one push together.\n"
       "Fits an ellipsoid (diagonal, full), the convex fourth-order polynomial, and loads on a\n"
       "grid of points; with --points also the loads of the points that the part stands on, free\n"
       "and by statics. Each model predicts pushes that its fit has not seen: the twist from the\n"
       "wrench and the wrench from the twist, in degrees. Shows which explains best and whether\n"
       "the difference is more than chance. Writes support.toml (the block), support_fit.json,\n"
       "support_fit.csv (errors by row) and figures.\n",
       "  graspmap fit-support configs/pushes/simulated_tripod.csv \\\n"
       "      --points \"40,10;-13,17;-5,-35\" --weight-n 8\n"
       "  graspmap fit-support pushes.csv --center 12.5,-3 --out fits/block\n"},
      "outputs/NAME_support",
      analyse_pushes};
}

}  // namespace graspmap
