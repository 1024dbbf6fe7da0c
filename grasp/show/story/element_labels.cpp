#include "grasp/show/story/element_labels.hpp"

#include <algorithm>

#include "geometry/index.hpp"

namespace graspmap {
namespace {

bool is_of_outline(const Part& part, int feature) { return index(feature) >= part.pieces.size(); }

/// An element of an outline, or the corner at its begin.
struct OutlineFeature {
  const OutlinePiece* piece = nullptr;
  std::size_t k = 0;
  bool is_corner = false;
};

OutlineFeature outline_feature(const Part& part, int feature) {
  std::size_t outline = 0;
  while (feature >= first_feature(part, outline + 1)) ++outline;
  const OutlinePiece& piece = part.outlines[outline];
  const std::size_t k = index(feature - first_feature(part, outline));
  const std::size_t n = piece.outline.outer.size();
  return {&piece, k % n, k >= n};
}

OutlineCurve element_curve(const OutlineLoop& loop, std::size_t k) {
  return outline_curve(loop[k].begin_mm, loop[(k + 1) % loop.size()].begin_mm, loop[k].bulge);
}

/// Halfway between the inward normals of both elements at a corner.
Vec2 inward_at_corner(const OutlineLoop& loop, std::size_t k) {
  const std::size_t before = (k + loop.size() - 1) % loop.size();
  return (perp(tangent_at(element_curve(loop, before), 1.0)) +
          perp(tangent_at(element_curve(loop, k), 0.0)))
      .normalized();
}

ElementLabel label_of_contact(const Part& part, const Pose2& X_GP, const ContactRecord& contact) {
  ElementLabel label{feature_name(part, contact.piece), contact.point_G_mm, contact.normal_G};
  const auto [piece, k, is_corner] = outline_feature(part, contact.piece);
  if (is_corner) {
    const Rotation2 R_GA(X_GP.angle_rad + piece->pose.angle_rad);
    label.inward_G = R_GA * inward_at_corner(piece->outline.outer, k);
  }
  return label;
}

/// The name of elements that a success rule names, in the middle of one of them: their own name if
/// they have one, else the rule's, which is that of a piece.
ElementLabel label_in_middle(const Part& part, const Pose2& X_GP, const TouchTarget& sought) {
  const int feature = sought.features[sought.features.size() / 2];
  const std::string own = feature_name(part, feature);
  const bool is_own = own == feature_name(part, sought.features.front()) &&
                      own == feature_name(part, sought.features.back());
  const OutlineFeature element = outline_feature(part, feature);
  const OutlinePiece* piece = element.piece;
  const OutlineCurve curve = element_curve(piece->outline.outer, element.k);
  const Rotation2 R_GA(X_GP.angle_rad + piece->pose.angle_rad);
  return {is_own ? own : sought.name, transform(X_GP, transform(piece->pose, point_at(curve, 0.5))),
          R_GA * perp(tangent_at(curve, 0.5))};
}

}  // namespace

std::vector<ElementLabel> element_labels(const TrialStory& story, const Part& part,
                                         const TrajectorySample& sample) {
  std::vector<ElementLabel> labels;
  const auto add = [&](const ElementLabel& label) {
    const bool is_there = std::any_of(labels.begin(), labels.end(), [&](const ElementLabel& other) {
      return other.text == label.text;
    });
    if (!is_there) labels.push_back(label);
  };
  for (const ContactRecord& contact : sample.contacts) {
    if (!is_of_outline(part, contact.piece)) continue;
    add(label_of_contact(part, sample.part_pose, contact));
  }
  for (const TouchTarget& sought : story.sought) {
    if (sought.features.empty() || !is_of_outline(part, sought.features.front())) continue;
    add(label_in_middle(part, sample.part_pose, sought));
  }
  return labels;
}

}  // namespace graspmap
