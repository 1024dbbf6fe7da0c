#include "lab/spatial_scenes/contacts_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "grasp/base/io/units.hpp"
#include "lab/scenes/scene_colors.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kMostPairs = 6;
constexpr std::size_t kMostContactRows = 2001;  ///< of a pair

PairForces& forces_of(std::vector<PairForces>& pairs, const SpatialContact& contact,
                      std::size_t samples) {
  for (PairForces& pair : pairs) {
    if (pair.body_a == contact.body_a && pair.body_b == contact.body_b) return pair;
  }
  pairs.push_back({contact.body_a, contact.body_b, std::vector<double>(samples, 0.0),
                   std::vector<double>(samples, 0.0),
                   std::vector<PatchKind>(samples, PatchKind::kOpen)});
  return pairs.back();
}

/// The top of an axis for forces: impacts that are far above nearly all others are cut off.
struct ForceRange {
  double most_n = 1.0;
  bool is_cut = false;
};

ForceRange force_range(const std::vector<PairForces>& pairs) {
  constexpr double kMuchMore = 5.0;
  std::vector<double> forces;
  for (const PairForces& pair : pairs) {
    for (const double force : pair.normal_n) {
      if (force > 0.0) forces.push_back(force);
    }
  }
  if (forces.empty()) return {};
  std::sort(forces.begin(), forces.end());
  const double usual =
      forces[static_cast<std::size_t>(0.97 * static_cast<double>(forces.size() - 1))];
  const bool is_cut = forces.back() > kMuchMore * usual;
  return {1.1 * (is_cut ? 2.0 * usual : forces.back()), is_cut};
}

std::string pairs_csv(const std::vector<PairForces>& pairs, const SpatialRecording& recording) {
  const std::size_t samples = recording.samples.size();
  const std::size_t every = (samples + kMostContactRows - 1) / kMostContactRows;
  std::string csv = "pair,time_s,normal_n,friction_n,patch\n";
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    for (std::size_t i = 1; i < samples; i += every) {  // no step ended at the start
      fmt::format_to(std::back_inserter(csv), "{},{},{:.9g},{:.9g},{}\n", k,
                     recording.samples[i].shown.time_s, pairs[k].normal_n[i],
                     pairs[k].friction_n[i], static_cast<int>(pairs[k].patch[i]));
    }
    csv += '\n';
  }
  return csv;
}

std::vector<CurveLegendEntry> legend_of(const std::vector<PairForces>& pairs,
                                        const SceneFacts& scene) {
  const auto body = [&](int k) { return scene.bodies[static_cast<std::size_t>(k)].name; };
  std::vector<CurveLegendEntry> legend;
  for (const PairForces& pair : pairs) {
    legend.push_back({body(pair.body_a) + ", " + body(pair.body_b), moving_color(legend.size())});
  }
  return legend;
}

/// A line for each pair; `column` is a gnuplot expression in which {} is the pair's number.
std::string pair_lines(const std::vector<PairForces>& pairs, const std::string& column,
                       const char* style) {
  std::string layers;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    layers += fmt::format(
        "{}data using (column('pair') == {} ? column('time_s') : NaN):({}) with {} lw 2 lc rgb "
        "'{}'",
        layers.empty() ? "  plot " : ", \\\n       ", k, fmt::format(fmt::runtime(column), k),
        style, moving_color(k));
  }
  return layers + "\n";
}

}  // namespace

std::vector<PairForces> pair_forces(const SpatialRecording& recording) {
  std::vector<PairForces> pairs;
  for (std::size_t i = 0; i < recording.samples.size(); ++i) {
    const SpatialSnapshot& at = recording.samples[i].shown;
    for (const SpatialContact& contact : at.contacts) {
      if (contact.p_n <= 0.0) continue;
      PairForces& pair = forces_of(pairs, contact, recording.samples.size());
      pair.normal_n[i] += kNewtonsPerMillinewton * contact.p_n / at.step_s;
      pair.friction_n[i] +=
          kNewtonsPerMillinewton * std::hypot(contact.p_t, contact.p_o) / at.step_s;
      pair.patch[i] = std::max(pair.patch[i], contact.patch);
    }
  }
  const auto all = [](const PairForces& pair) {
    return std::accumulate(pair.normal_n.begin(), pair.normal_n.end(), 0.0);
  };
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const PairForces& a, const PairForces& b) { return all(a) > all(b); });
  return pairs;
}

std::optional<Figure> contacts_figure(const SceneReport& report,
                                      const SpatialRecording& recording) {
  std::vector<PairForces> pairs = pair_forces(recording);
  if (pairs.empty()) return std::nullopt;
  TimeFigureHead shown = time_figure_head(report);
  if (pairs.size() > kMostPairs) {
    shown.subtitle += fmt::format("; {} of {} pairs", kMostPairs, pairs.size());
    pairs.resize(kMostPairs);
  }
  const ForceRange range = force_range(pairs);
  if (range.is_cut) shown.subtitle += "; impacts above the axis";
  const std::string force_axis = fmt::format("  set yrange [0:{:.6g}]\n", range.most_n);
  const Canvas canvas{1200, 1050};
  TimePanels panels(3, std::max(report.end_s, report.scene.run.step_s), canvas,
                    legend_of(pairs, report.scene));
  panels.add("normal force (N)", pair_lines(pairs, "column('normal_n')", "lines"), force_axis);
  panels.add(
      "friction (N)", pair_lines(pairs, "column('friction_n')", "lines"),
      "  set yrange [0:*]\n" +
          (range.is_cut ? fmt::format("  set yrange [0:{:.6g}]\n", range.most_n) : std::string()));
  // Lines of several pairs beside each other.
  panels.add("", pair_lines(pairs, "column('patch') + 0.06 * {}", "steps"),
             "  set yrange [-0.3:3.6]\n"
             "  set ytics ('open' 0, 'point' 1, 'line' 2, 'surface' 3)\n");
  const std::string script =
      time_figure_start(shown, "contacts",
                        "What pairs of bodies exchange over time, and how they touch.", canvas) +
      "data = figure.'.csv'\n" + panels.commands();
  return Figure{"contacts", script, pairs_csv(pairs, recording)};
}

}  // namespace graspmap
