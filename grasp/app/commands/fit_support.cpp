#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/analysis_options.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/decide/support_fit/support_fit_report.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace po = boost::program_options;
namespace {

CommandSyntax fit_support_syntax() {
  CommandSyntax syntax{
      "fit-support", "PUSHES.csv",
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
      "wrench and the wrench from the twist, in degrees. Tells which explains best and whether\n"
      "the difference is more than chance. Writes support.toml (the block), support_fit.json,\n"
      "support_fit.csv (errors by row) and figures.\n",
      "  graspmap fit-support configs/pushes/simulated_tripod.csv \\\n"
      "      --points \"40,10;-13,17;-5,-35\" --weight-n 8\n"
      "  graspmap fit-support pushes.csv --center 12.5,-3 --out fits/block\n"};
  auto add = syntax.options.add_options();
  const auto text = [](const char* value_name) {
    return po::value<std::string>()->value_name(value_name);
  };
  add("center", text("X,Y"), "the centre of mass in the file's frame, mm (default: 0,0)");
  add("points", text("X,Y;X,Y;..."), "points under the part in the file's frame, mm: 3 to 16");
  add("grid-radius", text("MM"),
      "radius about the centre of mass that the grid of points fills (default: twice --length)");
  add("length", text("MM"),
      "length that moments are divided by for angles and fits\n(default: root mean square of the "
      "moments over that of the forces)");
  add("weight-n", text("N"), "the part's weight, to tell friction.support");
  add("folds", text("N"), "groups of held-out pushes (default: 10)");
  add("resamples", text("N"), "bootstrap samples for the parameters' intervals (default: 100)");
  add("seed", text("N"), "of the folds and the bootstrap (default: 1)");
  add("confidence", text("C"), "confidence of the intervals (default: 0.95)");
  add("out", text("DIR"), "write into DIR, not outputs/NAME_support");
  add("no-plots", "draw no figures");
  add("quiet", "show no progress");
  return syntax;
}

/// "x,y;x,y;..." as points.
std::vector<Vec2> read_points_option(const Arguments& arguments, const char* option) {
  std::vector<Vec2> points;
  std::istringstream pairs(arguments.text(option));
  for (std::string pair; std::getline(pairs, pair, ';');) {
    std::istringstream numbers(pair);
    std::string x_text;
    std::string y_text;
    std::getline(numbers, x_text, ',');
    std::getline(numbers, y_text);
    const auto x = parse_number(x_text);
    const auto y = parse_number(y_text);
    if (!x || !y) {
      arguments.fail(fmt::format("--{}: '{}'; must be points X,Y in mm, separated by semicolons",
                                 option, arguments.text(option)));
    }
    points.emplace_back(*x, *y);
  }
  return points;
}

double read_positive_or_none(const Arguments& arguments, const char* option) {
  if (!arguments.has(option)) return 0.0;
  const double value = arguments.number_at_least(option, 0.0);
  if (value > 0.0) return value;
  arguments.fail(fmt::format("--{}: '{}'; must be a number > 0", option, arguments.text(option)));
}

SupportFitOptions read_fit_options(const Arguments& arguments) {
  SupportFitOptions options;
  options.confidence = read_confidence(arguments);
  if (arguments.has("points")) {
    options.points_mm = read_points_option(arguments, "points");
    if (options.points_mm.size() < 3 || options.points_mm.size() > kMaxSupportPoints) {
      arguments.fail(fmt::format("--points: has {} points; must be 3 to {}",
                                 options.points_mm.size(), kMaxSupportPoints));
    }
  }
  options.length_mm = read_positive_or_none(arguments, "length");
  options.grid_radius_mm = read_positive_or_none(arguments, "grid-radius");
  if (arguments.has("weight-n")) options.weight_n = read_positive_or_none(arguments, "weight-n");
  options.folds = arguments.count("folds", options.folds, 2, 20);
  options.resamples = arguments.count("resamples", options.resamples, 5, 10000);
  options.seed = static_cast<std::uint64_t>(arguments.count("seed", 1, 0, 1000000000));
  return options;
}

Analysis analyse_pushes(const Arguments& arguments, const AnalysisWatch& watch) {
  SupportFitOptions options = read_fit_options(arguments);
  Vec2 center(0.0, 0.0);
  if (arguments.has("center")) {
    const std::vector<Vec2> points = read_points_option(arguments, "center");
    if (points.size() != 1) arguments.fail("--center: must be one point X,Y in mm");
    center = points.front();
  }
  const fs::path file = arguments.operand();
  const PushFile pushes = read_pushes(file, center);
  options.progress = [&](double share) {
    check_stop();
    if (watch.share) watch.share(share);
  };
  const SupportFit fit = fit_support(pushes, options);
  const fs::path folder = arguments.has("out")
                              ? fs::path(arguments.text("out"))
                              : fs::path("outputs") / (file.stem().string() + "_support");
  return {support_fit_text(fit),
          "",
          folder,
          {{"support_fit.csv", support_fit_csv(fit)},
           {"support_fit.json", support_fit_json(fit)},
           {"support.toml", support_fit_toml(fit)}},
          support_fit_figures(fit)};
}

}  // namespace

AnalysisCommand fit_support_analysis() { return {fit_support_syntax(), analyse_pushes}; }

}  // namespace graspmap
