#pragma once

#include <string>
#include <vector>

#include "geometry/outline.hpp"
#include "geometry/superellipse.hpp"
#include "geometry/types.hpp"

namespace graspmap {

/// One convex piece of a part.
struct Piece {
  std::string name;
  Superellipse shape;
  Pose2 pose;                    ///< X_PA: the piece's axes in the part frame P
  double friction_factor = 1.0;  ///< >= 0, of the jaws' coefficients of friction on this piece
};

/// A piece of a part as it is drawn: a region whose boundary is a chain of segments and arcs.
struct OutlinePiece {
  std::string name;
  Outline outline;
  Pose2 pose;                    ///< X_PA: the outline's axes in the part frame P
  double friction_factor = 1.0;  ///< as of a Piece
};

/// A flat rigid part: the union of named pieces, which may overlap. Its features are what can be
/// touched, counted from 0: the superellipses, then for each outline the elements of its outer
/// chain and then as many corners, of which corner k lies at the begin of element k.
struct Part {
  std::vector<Piece> pieces;  ///< superellipses
  std::vector<OutlinePiece> outlines = {};
};

/// The number of a part's features.
int feature_count(const Part& part);

/// The first feature of an outline: its element 0.
int first_feature(const Part& part, std::size_t outline);

/// What a feature is called: a superellipse by its piece's name, an element by its own, a corner
/// "corner 3". With several outlines, or with superellipses too, the name of the outline's piece
/// comes first: "key: edge 7".
std::string feature_name(const Part& part, int feature);

/// True when the point (in the part frame, mm) lies in at least one piece.
bool contains(const Part& part, const Vec2& x_P_mm);

/// The largest distance from `center_P_mm` to a point of the part, bounded from above, in mm.
double bounding_radius_mm(const Part& part, const Vec2& center_P_mm);

/// Makes `grown` the part whose outlines all lie `offset_mm` further out than those of `drawn`
/// (offset_mm < 0: further in). Segments and arcs of outlines move by exactly that, and are
/// lengthened or shortened to where they meet: corners stay sharp, as a machinist's oversize has
/// them; holes get smaller. The number, the order and the names of the elements stay. Semi-axes of
/// superellipses grow by the offset: that is the parallel curve of a disc, and of no other
/// superellipse. Returns what vanishes, as a message names it ("arc 3 of \"plate\""); empty when
/// nothing does. Does not look for elements that cross: see `outline_faults`. `grown` is memory.
std::string oversize(const Part& drawn, double offset_mm, Part& grown);

/// True when the jaws' friction is not the same on all pieces of the part.
bool has_friction_factors(const Part& part);

/// The factor of the piece that a feature belongs to.
double friction_factor(const Part& part, int feature);

}  // namespace graspmap
