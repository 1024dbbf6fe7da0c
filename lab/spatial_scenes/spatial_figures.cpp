#include "lab/spatial_scenes/spatial_figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>

#include "lab/scenes/picture_layout.hpp"
#include "lab/scenes/time_figures.hpp"
#include "lab/spatial_scenes/solid_drawing.hpp"
#include "lab/spatial_scenes/spatial_picture.hpp"

namespace graspmap {
namespace {

/// One line for each body that moves.
PositionsPicture spatial_positions(const SpatialSceneFile& file) {
  PositionsPicture picture;
  picture.purpose = "Where the bodies are and how fast they turn over time; a line for each.";
  picture.panels = {
      {"x_mm", "x (mm)"}, {"y_mm", "y (mm)"}, {"z_mm", "z (mm)"}, {"spin_rad_s", "spin (rad/s)"}};
  for (std::size_t k = 0; k < file.bodies.size(); ++k) {
    if (file.bodies[k].is_fixed) continue;
    const char* color = moving_color(picture.groups.size());
    picture.groups.push_back({k, {k}, fmt::format("lw 2.5 lc rgb '{}'", color)});
    picture.legend.push_back({file.bodies[k].name, color});
  }
  return picture;
}

}  // namespace

std::vector<Figure> scene_figures(const SpatialSceneFile& file, const SpatialResult& result) {
  const SceneReport report = scene_report(file, result);
  const auto place = [](const SpatialSnapshot& at, std::size_t body) {
    const Vec3& p = at.poses[body].position_mm;
    return std::array{p.x(), p.y(), p.z(), at.velocities[body].tail<3>().norm()};
  };
  std::vector<Figure> figures = {
      energy_figure(report),
      positions_figure(spatial_positions(file), report, result.recording, place)};
  if (auto contacts = contacts_figure(report, result.recording)) figures.push_back(*contacts);
  figures.push_back(overlap_figure(report, "of the contacts that took part"));
  figures.push_back(spatial_motion_figure(file, result));
  return figures;
}

namespace {

bool have_moved(const SpatialSceneFile& file, const SpatialSnapshot& a, const SpatialSnapshot& b,
                double least_mm) {
  constexpr double kLeastTurn_rad = 0.05;
  for (std::size_t k = 0; k < file.bodies.size(); ++k) {
    if ((a.poses[k].position_mm - b.poses[k].position_mm).norm() > least_mm) return true;
    if (a.poses[k].orientation.angularDistance(b.poses[k].orientation) > kLeastTurn_rad)
      return true;
  }
  return false;
}

std::string rods_rgb(double pale) { return fmt::format("#{}444444", alpha_text(0.0, pale)); }

/// Whether a body would be drawn twice at about the same place.
bool are_alike(const Solid& solid, const Pose3& a, const Pose3& b) {
  constexpr double kAlike_rad = 0.5;
  if ((a.position_mm - b.position_mm).norm() > 0.5 * bounding_radius_mm(solid)) return false;
  return std::holds_alternative<Sphere>(solid) ||
         a.orientation.angularDistance(b.orientation) < kAlike_rad;
}

/// The moments at which an overlay shows a body, the last one among them.
std::vector<std::size_t> distinct_moments(const Solid& solid, std::size_t body,
                                          const std::vector<const SpatialSnapshot*>& moments) {
  std::vector<std::size_t> distinct = {moments.size() - 1};
  for (std::size_t m = moments.size() - 1; m-- > 0;) {
    const Pose3& later = moments[distinct.back()]->poses[body];
    if (!are_alike(solid, moments[m]->poses[body], later)) distinct.push_back(m);
  }
  return distinct;
}

/// The data and layers of a picture's moments.
class MotionPainter {
 public:
  MotionPainter(const SpatialSceneFile& file, const SpatialPicture& picture, MotionPicture& motion)
      : file_(file), picture_(picture), motion_(motion) {}

  void paint(const std::vector<const SpatialSnapshot*>& moments) {
    motion_.data = picture_.ground_data();
    for (const SpatialSnapshot* at : moments) motion_.times_s.push_back(at->time_s);
    for (std::size_t m = 0; m < moments.size(); ++m) {
      motion_.data += picture_.rods_data(std::to_string(m), *moments[m]);
    }
    motion_.overlaid ? overlay(moments) : panels(moments);
  }

 private:
  struct Painted {
    std::size_t body = 0;
    std::size_t moment = 0;
  };

  void add(std::size_t body, std::size_t moment, const Pose3& pose) {
    if (!picture_.is_solid(body)) return;
    const bool is_always_there = motion_.overlaid && file_.bodies[body].is_fixed;
    painted_.push_back({body, moment});
    solids_.push_back(
        {file_.bodies[body].solid, pose, is_always_there ? -1 : static_cast<int>(moment)});
    motion_.data += picture_.solid_data(id_of(painted_.back()), body, pose);
  }

  static std::string id_of(const Painted& painted) {
    return fmt::format("{}_{}", painted.moment, painted.body);
  }

  /// The rods of links are; the joints of rigid bodies lie within these and are drawn over them.
  [[nodiscard]] bool behind_solids() const { return file_.is_articulated(); }

  void add_rods(std::size_t moment, double pale, std::vector<std::string>& layers) const {
    for (std::string& layer : picture_.rods_layers(std::to_string(moment), rods_rgb(pale))) {
      layers.push_back(std::move(layer));
    }
  }

  /// All solids of all moments in the order in which they hide each other.
  void overlay(const std::vector<const SpatialSnapshot*>& moments) {
    motion_.behind = picture_.ground_layers();
    const std::size_t count = moments.size();
    for (std::size_t k = 0; k < file_.bodies.size(); ++k) {
      for (const std::size_t m : distinct_moments(file_.bodies[k].solid, k, moments)) {
        add(k, m, moments[m]->poses[k]);
      }
    }
    std::vector<std::string> layers;
    std::size_t rods_drawn = behind_solids() ? 0 : count - 1;  // joints of the last moment only
    for (const std::size_t k : painting_order(solids_, picture_.view())) {
      const Painted& next = painted_[k];
      const bool is_fixed = file_.bodies[next.body].is_fixed;
      for (; behind_solids() && !is_fixed && rods_drawn <= next.moment; ++rods_drawn) {
        add_rods(rods_drawn, paleness(rods_drawn, count), layers);
      }
      const double pale = is_fixed ? 0.0 : paleness(next.moment, count);
      layers.push_back(
          picture_.solid_layers(id_of(next), see_through_look(picture_.color(next.body), pale)));
    }
    for (; rods_drawn < count; ++rods_drawn) {
      add_rods(rods_drawn, paleness(rods_drawn, count), layers);
    }
    motion_.layers = {layers};
  }

  void panels(const std::vector<const SpatialSnapshot*>& moments) {
    for (std::size_t m = 0; m < moments.size(); ++m) {
      painted_.clear();
      solids_.clear();
      for (std::size_t k = 0; k < file_.bodies.size(); ++k) add(k, m, moments[m]->poses[k]);
      std::vector<std::string> layers = picture_.ground_layers();
      if (behind_solids()) add_rods(m, 0.0, layers);
      for (const std::size_t k : painting_order(solids_, picture_.view())) {
        layers.push_back(picture_.solid_layers(id_of(painted_[k]),
                                               solid_look(picture_.color(painted_[k].body))));
      }
      if (!behind_solids()) add_rods(m, 0.0, layers);
      motion_.layers.push_back(layers);
    }
  }

  const SpatialSceneFile& file_;
  const SpatialPicture& picture_;
  MotionPicture& motion_;
  std::vector<Painted> painted_;
  std::vector<PaintedSolid> solids_;
};

}  // namespace

std::vector<std::size_t> strobe_samples(const SpatialSceneFile& file,
                                        const SpatialRecording& recording, std::size_t count,
                                        double least_mm) {
  return strobe_moments(recording, count, [&](const SpatialSnapshot& a, const SpatialSnapshot& b) {
    return have_moved(file, a, b, least_mm);
  });
}

Figure spatial_motion_figure(const SpatialSceneFile& file, const SpatialResult& result,
                             const std::string& name) {
  const SpatialPicture picture(file, result.recording);
  const auto moving = std::count_if(file.bodies.begin(), file.bodies.end(),
                                    [](const SceneSolid& body) { return !body.is_fixed; });
  MotionPicture motion;
  motion.name = name;
  motion.title = file.title;
  motion.window = picture.window();
  motion.overlaid = is_overlaid(static_cast<std::size_t>(moving)) && picture.moves_far();
  motion.axes = "  unset tics\n";
  const double least_mm = 0.01 * (motion.window.max - motion.window.min).norm();
  std::vector<const SpatialSnapshot*> moments;
  for (const std::size_t k :
       strobe_samples(file, result.recording, moments_shown(motion.overlaid), least_mm)) {
    moments.push_back(&result.recording.samples[k].shown);
  }
  MotionPainter(file, picture, motion).paint(moments);
  motion.subtitle = (motion.overlaid ? moments_text(motion.times_s)
                                     : std::string("marks on the bodies show how they turn")) +
                    picture.ground_text();
  return {name, motion_script(motion), std::nullopt};
}

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

namespace {

/// The forces of a moment; where both bodies move, the one on the first.
std::vector<DrawnForce> forces_at(const SpatialSceneFile& file, const SpatialView& view,
                                  const SpatialSnapshot& at) {
  std::vector<DrawnForce> forces;
  for (std::size_t k = 0; k < at.contacts.size(); ++k) {
    if (contact_hold(at, k) == ContactHold::kOpen) continue;
    const SpatialContact& c = at.contacts[k];
    const bool a_moves = !file.bodies[static_cast<std::size_t>(c.body_a)].is_fixed;
    const Vec3 impulse = c.p_n * c.normal + c.p_t * c.t + c.p_o * c.o;
    const Vec3 force_n =
        (a_moves ? kNewtonsPerMillinewton : -kNewtonsPerMillinewton) / at.step_s * impulse;
    forces.push_back(
        {view.flat(a_moves ? c.on_a_mm : c.on_b_mm), view.flat(force_n), force_n.norm()});
  }
  return forces;
}

double moving_mass_kg(const SpatialSceneFile& file) {
  double mass = 0.0;
  if (file.is_articulated()) {
    for (const Link& link : file.articulated().system.links) mass += link.mass_kg;
  } else {
    for (const SpatialBody& body : file.rigid().scene.bodies) mass += body.mass_kg;
  }
  return mass;
}

double weight_n(const SpatialSceneFile& file) {
  const Vec3 gravity = file.is_articulated() ? file.articulated().system.gravity_mm_s2
                                             : file.rigid().scene.gravity_mm_s2;
  return kNewtonsPerMillinewton * moving_mass_kg(file) * gravity.norm();
}

/// The bodies of a frame in the order of painting, with their data; those that do not move are
/// written in the first one.
FrameParts painted_frame(const SpatialSceneFile& file, const SpatialPicture& picture,
                         const SpatialSnapshot& at, bool is_first) {
  FrameParts frame{is_first ? picture.ground_data() : "", ""};
  frame.data += picture.rods_data("all", at);
  std::vector<std::string> layers = picture.ground_layers();
  const auto add_joints = [&] {
    for (const std::string& layer : picture.rods_layers("all", "#666666")) layers.push_back(layer);
  };
  if (file.is_articulated()) add_joints();
  std::vector<PaintedSolid> solids;
  std::vector<std::size_t> bodies;
  for (std::size_t k = 0; k < file.bodies.size(); ++k) {
    if (!picture.is_solid(k)) continue;
    solids.push_back({file.bodies[k].solid, at.poses[k], 0});
    bodies.push_back(k);
    if (is_first || !file.bodies[k].is_fixed) {
      frame.data += picture.solid_data(std::to_string(k), k, at.poses[k]);
    }
  }
  for (const std::size_t k : painting_order(solids, picture.view())) {
    layers.push_back(SpatialPicture::solid_layers(std::to_string(bodies[k]),
                                                  solid_look(picture.color(bodies[k]))));
  }
  if (!file.is_articulated()) add_joints();
  frame.layers = fmt::format("{}, \\\n       ", fmt::join(layers, ", \\\n       "));
  return frame;
}

}  // namespace

std::string scene_animation_script(const SpatialSceneFile& file, const SpatialResult& result) {
  const SpatialPicture picture(file, result.recording);
  return animation_script(
      file.title, picture.window(), weight_n(file), result.recording,
      [&](const SpatialSnapshot& at) { return forces_at(file, picture.view(), at); },
      [&](const SpatialSnapshot& at, bool is_first) {
        return painted_frame(file, picture, at, is_first);
      });
}

}  // namespace graspmap
