#include "lab/scenes/scene_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "lab/scenes/picture_layout.hpp"
#include "lab/scenes/scene_shapes.hpp"
#include "lab/scenes/time_figures.hpp"

namespace graspmap {
namespace {

constexpr double kPi = std::numbers::pi;

const PlanarBody& body_at(const PlanarScene& scene, int body) {
  return scene.bodies[static_cast<std::size_t>(body)];
}

DrawnLine outline(const Superellipse& shape, int points) {
  DrawnLine outline;
  for (int k = 0; k < points; ++k) {
    outline.push_back(boundary_point(shape, 2.0 * kPi * k / points).position_mm);
  }
  return outline;
}

/// The boundary of a closed rounded polygon: an arc about each vertex.
DrawnLine outline(const RoundedPolygon& shape, int points) {
  if (shape.radius_mm == 0.0) return shape.vertices;
  DrawnLine outline;
  for (std::size_t i = 0; i < shape.vertices.size(); ++i) {
    const Vec2& from = shape.edges[i].normal;
    const Vec2& to = shape.edges[(i + 1) % shape.edges.size()].normal;
    double angle = std::atan2(cross(from, to), from.dot(to));
    if (angle <= 0.0) angle += 2.0 * kPi;
    const int steps = std::max(1, static_cast<int>(std::ceil(points * angle / (2.0 * kPi))));
    for (int k = 0; k <= steps; ++k) {
      outline.push_back(shape.vertices[i] +
                        shape.radius_mm * (Rotation2(angle * k / steps) * from));
    }
  }
  return outline;
}

/// The part of a polygon in a half-plane (Sutherland and Hodgman).
DrawnLine clipped(const DrawnLine& polygon, const HalfPlane& half_plane) {
  DrawnLine inside;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2& a = polygon[i];
    const Vec2& b = polygon[(i + 1) % polygon.size()];
    const double f_a = value(half_plane, a);
    const double f_b = value(half_plane, b);
    if (f_a <= 0) inside.push_back(a);
    if ((f_a <= 0) != (f_b <= 0)) inside.push_back(a + f_a / (f_a - f_b) * (b - a));
  }
  return inside;
}

/// The points of a full turn for a shape that is as large as this in the window.
int points_per_turn(const ConvexShape& shape, const Box& window) {
  const double share = bounding_radius_mm(shape) / (window.max - window.min).x();
  return std::clamp(static_cast<int>(720.0 * share), 16, 96);
}

DrawnLine rectangle(const Box& box) {
  return {box.min, {box.max.x(), box.min.y()}, box.max, {box.min.x(), box.max.y()}};
}

/// An open shape as far as the window shows it.
DrawnLine open_outline(const RoundedPolygon& shape, const Pose2& pose, const Box& window) {
  DrawnLine polygon = rectangle(window);
  const Rotation2 R(pose.angle_rad);
  for (const HalfPlane& edge : shape.edges) {
    const Vec2 normal = R * edge.normal;
    polygon =
        clipped(polygon, {normal, edge.offset_mm + shape.radius_mm + normal.dot(pose.position_mm)});
  }
  return polygon;
}

DrawnLine placed_outline(const PlacedShape& placed, const Vec3& pose, int points,
                         const Box& window) {
  const Pose2 X_GA = compose({pose.head<2>(), pose[2]}, placed.pose);
  if (is_open(placed.shape)) {
    return open_outline(std::get<RoundedPolygon>(placed.shape), X_GA, window);
  }
  DrawnLine polygon =
      std::visit([&](const auto& shape) { return outline(shape, points); }, placed.shape);
  for (Vec2& point : polygon) point = transform(X_GA, point);
  return polygon;
}

void add_closed_shapes(const PlanarBody& body, const Vec3& pose, GrowingBox& box) {
  constexpr int kRough = 16;
  for (const PlacedShape& placed : body.shapes) {
    if (is_open(placed.shape)) continue;
    for (const Vec2& point : placed_outline(placed, pose, kRough, {})) box.add(point);
  }
}

}  // namespace

std::vector<DrawnLine> body_outlines(const PlanarBody& body, const Vec3& pose, const Box& window) {
  std::vector<DrawnLine> outlines;
  for (const PlacedShape& placed : body.shapes) {
    const int points = is_open(placed.shape) ? 0 : points_per_turn(placed.shape, window);
    outlines.push_back(placed_outline(placed, pose, points, window));
  }
  return outlines;
}

Box scene_window_mm(const SceneFile& file, const PlanarRecording& recording) {
  GrowingBox moving;
  for (std::size_t k = 0; k < file.scene.bodies.size(); ++k) {
    const PlanarBody& body = file.scene.bodies[k];
    if (!body.moves_freely()) continue;
    for (const PlanarSample& sample : recording.samples) {
      add_closed_shapes(body, sample.shown.poses[k], moving);
    }
  }
  GrowingBox all = moving;
  for (const PlanarBody& body : file.scene.bodies) {
    GrowingBox fixed;
    if (!body.moves_freely()) add_closed_shapes(body, body.pose, fixed);
    if (!fixed.is_empty() && is_near(moving, fixed)) all.add(fixed);
  }
  return window_about(all);
}

namespace {

bool moves(const SceneFile& file, std::size_t block) {
  return body_at(file.scene, file.blocks[block].bodies.front()).moves_freely();
}

}  // namespace

std::string block_color(const SceneFile& file, std::size_t block) {
  if (!moves(file, block)) return kFixedColor;
  std::size_t before = 0;
  for (std::size_t k = 0; k < block; ++k) before += moves(file, k) ? 1 : 0;
  return moving_color(before);
}

namespace {

/// The data of a block at a moment: the outlines of its bodies, and for each that moves a line from
/// its centre of mass to its boundary, which turns with it.
std::string block_data(const SceneFile& file, std::size_t block, const std::string& id,
                       const PlanarSnapshot& at, const Box& window) {
  std::vector<DrawnLine> outlines;
  std::vector<DrawnLine> marks;
  for (const int body : file.blocks[block].bodies) {
    const PlanarBody& of = body_at(file.scene, body);
    const Vec3& pose = at.poses[static_cast<std::size_t>(body)];
    const auto polygons = body_outlines(of, pose, window);
    outlines.insert(outlines.end(), polygons.begin(), polygons.end());
    if (of.moves_freely()) marks.push_back({pose.head<2>(), polygons.front().front()});
  }
  return data_block("outlines", id, lines_data(outlines, true)) +
         data_block("marks", id, lines_data(marks, false));
}

std::size_t count_moving_bodies(const PlanarScene& scene) {
  return static_cast<std::size_t>(
      std::count_if(scene.bodies.begin(), scene.bodies.end(),
                    [](const PlanarBody& body) { return body.moves_freely(); }));
}

/// Whether a body's place or mark differs visibly between two states.
bool differ(const PlanarScene& scene, const PlanarSnapshot& a, const PlanarSnapshot& b,
            double least_mm) {
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    if (!scene.bodies[k].moves_freely()) continue;
    const Vec3 change = b.poses[k] - a.poses[k];
    if (change.head<2>().norm() > least_mm || std::abs(change[2]) > 0.05) return true;
  }
  return false;
}

std::string moment_id(std::size_t moment, std::size_t block) {
  return fmt::format("{}_{}", moment, block);
}

/// The layers of one moment of one block; `pale` from 0 to 1.
std::string block_layers(const SceneFile& file, std::size_t moment, std::size_t block,
                         double pale) {
  const std::string id = moment_id(moment, block);
  const std::string rgb = block_color(file, block).substr(1);
  const std::string line = alpha_text(0.0, pale);
  std::string text = fmt::format(
      "$outlines_{0} using 1:2 with filledcurves closed fc rgb '#{1}{3}', \\\n"
      "       $outlines_{0} using 1:2 with lines lw 1.5 lc rgb '#{2}{3}'",
      id, alpha_text(0.55, pale), line, rgb);
  if (moves(file, block)) {
    text += fmt::format(", \\\n       $marks_{} using 1:2 with lines lw 1.5 lc rgb '#{}{}'", id,
                        line, rgb);
  }
  return text;
}

std::string motion_subtitle(const MotionPicture& picture) {
  if (picture.overlaid) return moments_text(picture.times_s);
  return fmt::format("each picture is {} mm wide; a line on each body shows how it turns",
                     grouped(std::llround((picture.window.max - picture.window.min).x())));
}

/// Fixed bodies are drawn once in an overlay, in each of several panels.
void add_layers(const SceneFile& file, MotionPicture& picture) {
  const std::size_t count = picture.times_s.size();
  picture.layers.resize(count);
  for (std::size_t block = 0; block < file.blocks.size(); ++block) {
    const bool is_behind = picture.overlaid && !moves(file, block);
    if (is_behind) picture.behind.push_back(block_layers(file, 0, block, 0.0));
    for (std::size_t m = 0; m < count && !is_behind; ++m) {
      const double pale = picture.overlaid ? paleness(m, count) : 0.0;
      picture.layers[m].push_back(block_layers(file, m, block, pale));
    }
  }
}

}  // namespace

std::vector<std::size_t> strobe_samples(const SceneFile& file, const PlanarRecording& recording,
                                        std::size_t count) {
  const Box window = scene_window_mm(file, recording);
  const double least_mm = 0.01 * (window.max - window.min).norm();
  return strobe_moments(recording, count, [&](const PlanarSnapshot& a, const PlanarSnapshot& b) {
    return differ(file.scene, a, b, least_mm);
  });
}

Figure scene_motion_figure(const SceneFile& file, const PlanarResult& result,
                           const std::string& name) {
  const PlanarRecording& recording = result.recording;
  MotionPicture picture;
  picture.name = name;
  picture.title = file.title;
  picture.window = scene_window_mm(file, recording);
  picture.overlaid = is_overlaid(count_moving_bodies(file.scene));
  picture.axes = "  set xlabel 'x (mm)'\n  set ylabel 'y (mm)'\n";
  for (const std::size_t k : strobe_samples(file, recording, moments_shown(picture.overlaid))) {
    const PlanarSnapshot& at = recording.samples[k].shown;
    for (std::size_t block = 0; block < file.blocks.size(); ++block) {
      picture.data +=
          block_data(file, block, moment_id(picture.times_s.size(), block), at, picture.window);
    }
    picture.times_s.push_back(at.time_s);
  }
  picture.subtitle = motion_subtitle(picture);
  add_layers(file, picture);
  return {name, motion_script(picture), std::nullopt};
}

namespace {

/// One line for each body that moves, a colour for each block.
PositionsPicture planar_positions(const SceneFile& file) {
  PositionsPicture picture;
  picture.purpose = "Where the bodies are over time; a line for each, a colour for each [[body]].";
  picture.key = "block";
  picture.panels = {{"x_mm", "x (mm)"}, {"y_mm", "y (mm)"}, {"theta_rad", "angle (rad)"}};
  for (std::size_t k = 0; k < file.blocks.size(); ++k) {
    const SceneBlock& block = file.blocks[k];
    PositionsPicture::Group group{k, {}, {}};
    for (const int body : block.bodies) {
      const auto index = static_cast<std::size_t>(body);
      if (file.scene.bodies[index].moves_freely()) group.bodies.push_back(index);
    }
    if (group.bodies.empty()) continue;
    group.look = fmt::format("lw {} lc rgb '{}' title {}", block.bodies.size() > 12 ? 0.7 : 2.5,
                             block_color(file, k), gnuplot_string(block.name));
    picture.groups.push_back(group);
  }
  return picture;
}

}  // namespace

std::vector<Figure> scene_figures(const SceneFile& file, const PlanarResult& result) {
  const SceneReport report = scene_report(file, result);
  const auto pose = [](const PlanarSnapshot& at, std::size_t body) {
    const Vec3& q = at.poses[body];
    return std::array{q[0], q[1], q[2]};
  };
  return {energy_figure(report),
          positions_figure(planar_positions(file), report, result.recording, pose),
          overlap_figure(report, "of the contacts that took part, soft layers included"),
          scene_motion_figure(file, result)};
}

namespace {

/// The forces of a moment; where both bodies move, the one on the first.
std::vector<DrawnForce> contact_forces(const PlanarScene& scene, const PlanarSnapshot& at) {
  std::vector<DrawnForce> forces;
  for (std::size_t k = 0; k < at.contacts.size(); ++k) {
    if (contact_hold(at, k) == ContactHold::kOpen) continue;
    const PlanarContact& contact = at.contacts[k];
    const bool a_moves = scene.bodies[static_cast<std::size_t>(contact.key.body_a)].moves_freely();
    const Vec2 impulse = contact.p_n * contact.at.normal + contact.p_t * perp(contact.at.normal);
    const Vec2 force_n =
        (a_moves ? kNewtonsPerMillinewton : -kNewtonsPerMillinewton) / at.step_s * impulse;
    forces.push_back({a_moves ? contact.at.on_a_mm : contact.at.on_b_mm, force_n, force_n.norm()});
  }
  return forces;
}

double weight_n(const PlanarScene& scene) {
  double mass = 0.0;
  for (const PlanarBody& body : scene.bodies) mass += body.moves_freely() ? body.mass_kg : 0.0;
  return kNewtonsPerMillinewton * mass * scene.gravity_mm_s2.norm();
}

/// The outlines and marks of the blocks; those that do not move only in the first frame.
std::string frame_data(const SceneFile& file, const PlanarSnapshot& at, const Box& window,
                       bool is_first) {
  std::string data;
  for (std::size_t block = 0; block < file.blocks.size(); ++block) {
    const PlanarBody& first = body_at(file.scene, file.blocks[block].bodies.front());
    if (!is_first && !first.moves_freely() && !first.shake) continue;
    data += block_data(file, block, std::to_string(block), at, window);
  }
  return data;
}

std::string frame_layers(const SceneFile& file) {
  std::string layers;
  for (std::size_t block = 0; block < file.blocks.size(); ++block) {
    const std::string color = block_color(file, block);
    layers += fmt::format(
        "$outlines_{0} using 1:2 with filledcurves closed fc rgb '{1}', "
        "$outlines_{0} using 1:2 with lines lw 1 lc rgb '{2}', "
        "$marks_{0} using 1:2 with lines lw 1 lc rgb '{2}', ",
        block, mixed_with_white(color, 0.35), mixed_with_white(color, 0.9));
  }
  return layers;
}

}  // namespace

std::string scene_animation_script(const SceneFile& file, const PlanarResult& result) {
  const Box window = scene_window_mm(file, result.recording);
  return animation_script(
      file.title, window, weight_n(file.scene), result.recording,
      [&](const PlanarSnapshot& at) { return contact_forces(file.scene, at); },
      [&](const PlanarSnapshot& at, bool is_first) {
        return FrameParts{frame_data(file, at, window, is_first), frame_layers(file)};
      });
}

}  // namespace graspmap
