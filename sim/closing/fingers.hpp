#pragma once

#include <array>
#include <vector>

#include "geometry/element_contact.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// The place of a jaw, or the palm, in arrays by side.
inline std::size_t side_index(JawSide side) { return static_cast<std::size_t>(side); }

inline constexpr std::array<JawSide, 3> kJawSides = {JawSide::kRight, JawSide::kLeft,
                                                     JawSide::kPalm};

/// The right and left jaw's quarter-plane as elements: inside edge, fingertip and top edge, in the
/// order of JawFeature. Edges end far away.
std::vector<ContactElement> quarter_plane_elements(JawSide side);

/// What touches the part at one side, in its own frame.
struct Finger {
  std::vector<ContactElement> elements;
  Vec2 low_mm{0, 0};  ///< the rectangle that holds it
  Vec2 high_mm{0, 0};
  bool is_quarter_plane = false;  ///< its elements are then in the order of JawFeature
};

/// The fingers and the palm of a gripper.
struct Fingers {
  std::array<Finger, 3> by_side;
  bool quarter_planes = true;  ///< no outlines: by_side has the quarter-planes' elements
  int sides = 2;               ///< 3 with a palm

  explicit Fingers(const Gripper& gripper = {});
};

/// True when two grippers have the same fingers and palm, to the last bit.
bool same_fingers(const Gripper& a, const Gripper& b);

/// True for the same points, bulges and holes, to the last bit.
bool same_shape(const Outline& a, const Outline& b);

}  // namespace graspmap
