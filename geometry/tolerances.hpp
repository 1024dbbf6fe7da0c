#pragma once

/// Every tolerance, limit and tuning number of shapes in the plane: what it means, in which unit,
/// and what breaks when it is changed. Those that only the lab uses are in its sources, those of
/// the simulation in sim/closing/tolerances.hpp.

namespace graspmap::tolerances {

// --- Rounding

/// Two numbers that differ by less are the same within rounding errors: positions, gaps
/// and lower bounds of gaps, mm; directions, rad or sine; lengths of outlines, relative to their
/// extent, and areas, to its square; times, in step_s. Larger: blunt corners touch nothing, fine
/// drawings are refused, bodies that move or lie apart count as at rest or in touch, sides that
/// face away as facing. Smaller: rounding errors decide, make corners of tangent arcs, and end a
/// sum of steps with one of rounding size.
inline constexpr double kRounding = 1e-9;

/// The same for what is computed from one shape, or from a few numbers: how far beyond an element's
/// end, mm, or out of its normals' range (sine) a contact may lie before its neighbour takes it
/// over; centres and radii of arcs that are one circle, relative to the radius; gauges of
/// boundaries that coincide all along an arc, relative to the piece's size or the part's reach; how
/// much above its end an opening counts as reached, mm. Larger: gaps at joints are off by the
/// square of it, arcs that are drawn apart become one, thin crescents are lost, trials end before
/// their jaws are closed. Smaller: rounding errors hand a contact to and fro, a circle drawn in
/// pieces is not one, slivers of pieces that coincide stay, closed jaws need another step.
inline constexpr double kShapeRounding = 1e-12;

/// And for drawings, which have six to nine digits: joints with an arc that turn the normal by less
/// are smooth, rad, and the arc's end stands for the corner; neighbours that leave their common
/// point almost in one direction and meet again before they are farther apart (relative to the
/// extent) do not cross. Larger: contacts jump where they pass a joint, loops of that size are not
/// seen. Smaller: tangent fillets of drawings end in corners, drawings rounded to 0.001 mm are
/// refused.
inline constexpr double kDrawnRounding = 1e-6;

// --- The boundary point closest to a point (superellipse.cpp)

/// Newton stops when offset x normal (the point's distance from the normal through the boundary
/// point) is smaller than this, relative to the sum of the semi-axes: about one rounding error of a
/// coordinate. Larger: gaps and normals lose digits. Smaller: iterations at rounding level for
/// nothing.
inline constexpr double kClosestPointResolution = 2e-16;

/// A Newton step, and a bracket, of the direction (cos t, sin t) that is smaller than this does not
/// change it any more, rad: less than half a rounding error of 1. Larger: digits are lost on flat
/// spots. Smaller: more iterations for nothing.
inline constexpr double kClosestPointTurnRad = 1e-16;

/// Such a step is the last where its error, too, does not change the direction. For that Newton's
/// method must be where it squares its errors, rad. Larger: it may not be yet. Smaller: one more
/// iteration for nothing.
inline constexpr double kQuadraticTurnRad = 1e-4;

/// Most iterations of a search that ends by itself when an iterate no longer moves, mostly after
/// some ten, or that halves an interval in every second one: bisection alone needs about 54 to
/// reach the rounding error. Fewer: points near flat spots are not exact, shallow overlaps are
/// missed, outlines with neighbours that are all but tangent are not offset.
inline constexpr int kMostIterations = 100;

/// After so many iterations one that changes the side of the root by a larger turn than this (rad)
/// is followed by bisection: it is in a cycle. Fewer, or a smaller turn: rounding errors at a root
/// count as cycles. More, or larger: cycles of sharp corners end elsewhere than at the root.
inline constexpr int kClosestPointCycles = 30;
inline constexpr double kCycleTurnRad = 1e-8;

/// Integer exponents up to this are powers by squaring. Larger: the products lose digits. Smaller:
/// the general power function costs more.
inline constexpr double kMostMultipliedExponent = 32.0;

/// The normal at the boundary point nearest to a fingertip's vertex may be this far (sine) out of
/// the normals that the vertex has. Larger: a vertex that has gone through a thin piece counts as
/// clear of it. Smaller: rounding errors of normals along an edge.
inline constexpr double kVertexNormalSlack = 1e-6;

/// Halvings of the quarter circle of a vertex's normals, down to its rounding error. Fewer: digits
/// of overlaps are lost.
inline constexpr int kVertexNormalHalvings = 54;

// --- Outlines of segments and arcs

/// Where two neighbours meet that have been offset may lie off each of them by this, relative to
/// their lengths and the offset. Larger: digits of oversized outlines are lost. Smaller: rounding
/// errors keep tangent neighbours from meeting.
inline constexpr double kOversizeRounding = 1e-13;

/// Most that an element is looked at beyond a reflex corner, mm: what slides into a corner within a
/// step is beyond the ends of both its sides then. Larger: more contacts that stay open. Smaller:
/// fast parts tunnel into corners.
inline constexpr double kMostBeyondMm = 0.5;

/// Where a ray that begins on the boundary meets it again it has run more than this, relative to
/// 2 kMostBeyondMm. Larger: walls that are as thin are not seen. Smaller: the ray ends where it
/// begins.
inline constexpr double kAtRayStart = 1e-6;

/// An arc whose neighbour cannot touch what it touches ends in a corner for normals beyond its last
/// one by 1 - cosine up to kFlushExcess; beyond, the contact opens by kAwayGapMm for each unit of
/// it. kFlushExcess larger, or kAwayGapMm smaller: contacts that have walked to places that face
/// away carry impulses. Smaller: sides that swing flat within a step lose their ends.
inline constexpr double kFlushExcess = 0.1;
inline constexpr double kAwayGapMm = 1000.0;

/// Most neighbours that a contact passes from one configuration to the next. Fewer: contacts that
/// slide far over short elements are lost for an iteration.
inline constexpr int kMostHandOvers = 32;

/// The least distance of the centres of curvature in the turn of a contact's normal, mm. Larger:
/// corners that pass each other converge slowly. Smaller: nearly singular systems where a corner
/// touches a corner.
inline constexpr double kLeastCentreDistanceMm = 1e-6;

// --- The boundary of a union (mass_properties.cpp)

/// Samples of a boundary among which crossings are looked for: at least kLeastBoundarySamples, and
/// kSamplesPerExponent times the exponent, since corners are about 3/e wide in the parameter.
/// Fewer: two crossings close to each other are missed. More: the cost grows with them.
inline constexpr int kLeastBoundarySamples = 256;
inline constexpr double kSamplesPerExponent = 24.0;

/// Golden-section steps towards an extremum between samples: 0.618^50 = 4e-11 of the interval,
/// below the root of the rounding error, where a minimum cannot be resolved. Fewer: grazing
/// crossings are missed.
inline constexpr int kDipIterations = 50;

/// Points of an arc of which the gauge of largest magnitude decides whether it is covered. Fewer:
/// all of them may be near a point where the boundaries touch.
inline constexpr int kArcPoints = 16;

// --- Outlines: faults and unions; what is relative is so to the outline's extent, or to the part's
// reach from its origin (outline_faults.cpp, boundary_cover.cpp)

/// Coordinates beyond this are a mistake, and so far do the edges of a quarter-plane reach, mm.
/// Larger: squares of lengths lose the digits of gaps. Smaller: a large part passes behind a jaw.
inline constexpr double kFarthestCoordinateMm = 1e6;

/// Boundaries that coincide along less than this are tangent in a point (relative): such curves are
/// apart by kShapeRounding at about the root of it. Larger: short common edges stay in the boundary
/// of a union. Smaller: rounding errors cut slivers out where curves are tangent.
inline constexpr double kTouchingStretch = 1e-5;

/// Bulges outside of this range are a mistake. The centre of a smaller one is so far away (1/4b
/// chords) that rounding errors of the radius are as large as what gaps are exact to; at a larger
/// one the arc is a circle whose ends are the same point to 4/b radii.
inline constexpr double kLeastBulge = 1e-7;
inline constexpr double kLargestBulge = 1e6;

// --- Area, centre and moments (mass_properties.cpp)

/// Change of an integral of order one between a panel and its halves at which it is accepted.
/// Larger: masses lose digits. Smaller: rounding errors keep the panels being halved.
inline constexpr double kQuadratureChange = 1e-13;

/// Most halvings of a panel. Fewer: corners of large exponents are not resolved. More: a panel of
/// 1e-12 rad has nothing left to resolve.
inline constexpr int kQuadratureHalvings = 40;

// --- Biarcs (grasp/base/drawings/curves.cpp)

/// Points of a curve, per biarc, at which its distance is measured. Fewer: the largest distance
/// lies between them, and the stated error is too small. More: the cost grows with them.
inline constexpr int kBiarcSamples = 48;

/// The share of the tolerance that the measured distance may reach: the true one is larger by less
/// than the rest, since the distance has at most a few humps along a biarc. Larger: the tolerance
/// is exceeded between two points. Smaller: more arcs than needed.
inline constexpr double kBiarcShare = 0.99;

/// Most halvings of a curve. Fewer: cusps keep an error. More: parts of 1e-6 of a curve have
/// nothing left to resolve.
inline constexpr int kBiarcHalvings = 20;

/// A derivative shorter than this share of the mean one counts as none; the tangent is that of the
/// point which is this share of the stretch away. Larger: the tangent is that of another point.
/// Smaller: it is rounding error.
inline constexpr double kBiarcNudge = 1e-6;

}  // namespace graspmap::tolerances
