#include "grasp/story/element_labels.hpp"

#include <algorithm>

#include "geometry/index.hpp"

namespace graspmap {
namespace {

bool is_of_outline(const Part& part, int feature) { return index(feature) >= part.pieces.size(); }

/// An element of an outline, or the one that begins at a corner.
struct FeatureElement {
  const OutlinePiece* piece = nullptr;
  std::size_t k = 0;
};

FeatureElement labelled_element(const Part& part, int feature) {
  std::size_t outline = 0;
  while (feature >= first_feature(part, outline + 1)) ++outline;
  const OutlinePiece& piece = part.outlines[outline];
  return {&piece, index(feature - first_feature(part, outline)) % piece.outline.outer.size()};
}

/// The name of a feature in the middle of its element.
ElementLabel label_in_middle(const Part& part, const Pose2& X_GP, int feature,
                             const std::string& text) {
  const auto [piece, k] = labelled_element(part, feature);
  const OutlineLoop& loop = piece->outline.outer;
  const OutlineCurve curve =
      outline_curve(loop[k].begin_mm, loop[(k + 1) % loop.size()].begin_mm, loop[k].bulge);
  const Rotation2 R_GA(X_GP.angle_rad + piece->pose.angle_rad);
  return {text, transform(X_GP, transform(piece->pose, point_at(curve, 0.5))),
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
    add({feature_name(part, contact.piece), contact.point_G_mm, contact.normal_G});
  }
  for (const TouchTarget& sought : story.sought) {
    if (sought.features.empty() || !is_of_outline(part, sought.features.front())) continue;
    const int middle = sought.features[sought.features.size() / 2];
    add(label_in_middle(part, sample.part_pose, middle, sought.name));
  }
  return labels;
}

}  // namespace graspmap
