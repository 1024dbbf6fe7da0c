#include "lab/spatial_scenes/spatial_motion_figure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lab/scenes/motion_layout.hpp"
#include "lab/scenes/scene_colors.hpp"
#include "lab/spatial_scenes/painting_order.hpp"
#include "lab/spatial_scenes/spatial_picture.hpp"

namespace graspmap {
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

}  // namespace graspmap
