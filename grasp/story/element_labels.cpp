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

/// The name of elements that a success rule names, in the middle of one of them: their own name if
/// they have one, else the rule's, which is that of a piece.
ElementLabel label_in_middle(const Part& part, const Pose2& X_GP, const TouchTarget& sought) {
  const int feature = sought.features[sought.features.size() / 2];
  const std::string own = feature_name(part, feature);
  const bool is_own = own == feature_name(part, sought.features.front()) &&
                      own == feature_name(part, sought.features.back());
  const auto [piece, k] = labelled_element(part, feature);
  const OutlineLoop& loop = piece->outline.outer;
  const OutlineCurve curve =
      outline_curve(loop[k].begin_mm, loop[(k + 1) % loop.size()].begin_mm, loop[k].bulge);
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
    add({feature_name(part, contact.piece), contact.point_G_mm, contact.normal_G});
  }
  for (const TouchTarget& sought : story.sought) {
    if (sought.features.empty() || !is_of_outline(part, sought.features.front())) continue;
    add(label_in_middle(part, sample.part_pose, sought));
  }
  return labels;
}

}  // namespace graspmap
