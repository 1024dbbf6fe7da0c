#pragma once

/// Every tolerance of the simulation: what it means, and what breaks when it is changed.

namespace graspmap::tolerances {

/// Largest scaled residual of an accepted step (dimensionless: impulses over the closing force's
/// impulse in one step, velocities over the closing speed). Looser: contacts drift, poses lose
/// digits.
inline constexpr double kResidual = 1e-8;

/// The residual at which Newton stops early; between this and kResidual it goes on while it gains.
/// Looser: mirrored trials differ in their last digits.
inline constexpr double kResidualTarget = 1e-10;

/// Misalignment (sine) of a piece's normal with the edge it lies on that counts as aligned. Larger:
/// the gap of a flat piece is off by up to this times its length. Smaller: flat contacts, whose
/// contact point is indeterminate, converge slowly or not at all.
inline constexpr double kAlignment = 1e-11;

/// Misalignment beyond kAlignment that counts as a scaled residual of 1.
inline constexpr double kAlignmentUnit = 0.02;

/// Curvature, times the length scale, that a flat spot is taken to have in the linearised alignment
/// (not in the alignment itself). Smaller: nearly singular systems for flat pieces between two
/// jaws. Larger: contact points hardly move, which is right for a part held flat by friction and
/// wrong for one that turns; it is tried when the smaller one has failed.
inline constexpr double kLeastCurvature = 1e-9;
inline constexpr double kLargerLeastCurvature = 1e-7;

/// Added to the diagonal of the impulse rows of the Newton system (scaled), not to the equations.
/// Smaller: systems of sticking contacts become singular. Larger: slower convergence.
inline constexpr double kRegularization = 1e-9;

/// The same where there are at least as many impulses as velocities, so that they may not be
/// unique. Smaller: rounding errors, divided by it, move the impulses along the directions that the
/// motion does not determine, and mirrored trials differ. Larger: slower convergence.
inline constexpr double kRedundantRegularization = 1e-4;

/// Smallest gap of an accepted step, mm. Looser: parts creep into jaws.
inline constexpr double kGapMm = -1e-8;

/// A pair closer than this plus the distance that it could close within a step enters the step
/// problem, mm. Smaller: more steps are solved twice because a left-out pair closed.
inline constexpr double kNearMarginMm = 0.02;

/// By how much more than the truth a computed lower bound of a gap may be, mm; in the choice of
/// what is looked at closely, not in what is found. Smaller: rounding errors decide for large
/// parts.
inline constexpr double kBoundRoundingMm = 1e-9;

/// A step is refined, to at most step_s / 2^kResolutionHalvings, when the normal of a contact turns
/// by more than kTurnRad (rad) or the part's velocity changes by more than kVelocityChange times
/// the closing speed. Larger: jaws cut corners of small features, impacts are smeared over a full
/// step (at 2 ms one lock-piece outcome in a hundred then differs from the converged one, instead
/// of one in three thousand). Smaller: more steps.
inline constexpr double kTurnRad = 0.05;
inline constexpr double kVelocityChange = 0.2;
inline constexpr int kResolutionHalvings = 3;

/// Steps with a tolerance (Scenario::tolerance_mm). An accepted step proposes the size at which the
/// error would be kErrorAim times the tolerance. Larger: more steps are tried in vain. Smaller:
/// more steps.
inline constexpr double kErrorAim = 0.8;

/// By which factors a size changes from one step, or try, to the next. Growing faster: more steps
/// are tried in vain after impacts. Slower: more steps at rest.
inline constexpr double kMostGrowth = 4.0;
inline constexpr double kMostShrinking = 0.2;
inline constexpr double kLeastShrinking = 0.7;  ///< of a step that is tried again

/// A step is not made smaller than this times step_s for its error alone. Larger: small tolerances
/// are not kept. Smaller: they cost more.
inline constexpr double kLeastResolvedStep = 1.0 / 4096.0;

/// A step before a predicted contact ends at a gap of kArrivalGap times the tolerance; the one with
/// the impact moves by kImpactStep times the tolerance, so that its estimated error, half of its
/// size times the change of velocity, passes. A pair closer than kTouchingGap times the tolerance
/// counts as closed. Larger: impacts are tried in vain, or come late into their step. Smaller: more
/// steps for each impact.
inline constexpr double kArrivalGap = 0.5;
inline constexpr double kImpactStep = 1.5;
inline constexpr double kTouchingGap = 0.02;

/// Overlap allowed half-way through a step, as a fraction of how far the step moves
/// (dimensionless). A step that overlaps more has jumped over a feature and is retried. Larger: a
/// jaw may tunnel through a thin piece. Smaller: steps around sharp corners are halved for nothing.
inline constexpr double kPathOverlap = 0.1;

/// Overlap always allowed there, mm: resting contacts move by rounding errors only.
inline constexpr double kPathOverlapMm = 1e-3;

/// The gap at which the jaws' free travel ends and stepping begins, mm. Larger: the first impact
/// falls later into its step.
inline constexpr double kFreeTravelGapMm = 1e-6;

}  // namespace graspmap::tolerances
