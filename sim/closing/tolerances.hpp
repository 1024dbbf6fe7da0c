#pragma once

#include <array>

/// Every tolerance, limit and tuning number of how a gripper closes on a part (sim/closing,
/// lab/grasp_scene): what it means, in which unit, and what breaks when it is changed. Numbers that
/// only change the cost are under "Cost only". Not here: rounding errors, and those of shapes
/// (geometry/tolerances.hpp), those of the other time-steppers (in their own sources), sizes of
/// arrays, and what a configuration sets (StopRule, Scenario). scripts/check_tolerances looks for
/// strays.

namespace graspmap::tolerances {

// --- When a step is accepted

/// Largest scaled residual of an accepted step (dimensionless: impulses over the impulse scale,
/// velocities over the closing speed). Newton's method for a pad's deflection, whose error is
/// squared each time, ends where it moves by less than this share. Looser: contacts drift, poses
/// lose digits.
inline constexpr double kResidual = 1e-8;

/// Residuals of the jaws' momenta are measured by the closing force's impulse in the step, in an
/// impact by the momenta before it, but at least by kMomentumShare of those; of all that acts on
/// the part at most by kMomenta times the momentum that the lighter of part and jaw has at the
/// closing speed, but at least by kSqueezedShare of the sum of its impulses. kMomenta larger: light
/// parts drift. Smaller: iterations for digits that no pose has. The shares smaller: rounding
/// errors of fast bodies, and of squeezed ones, are not let pass, and steps are never solved.
/// Larger: such bodies drift.
inline constexpr double kMomentumShare = 1e-4;
inline constexpr double kMomenta = 10.0;
inline constexpr double kSqueezedShare = 1e-6;

/// Smallest gap of an accepted step, mm. Looser: parts creep into jaws.
inline constexpr double kGapMm = -1e-8;

/// Bodies that are nearer than this touch, and those in touch overlap by no more, mm: at that gap
/// free travel ends and stepping begins. Bodies with outlines that overlap by more after a step,
/// whatever their contacts say, have lost one, and the step is not solved; pairs that overlap by
/// more before it face each other from behind, at the other sides of thin parts and fingers.
/// Larger: overlaps that nothing reports, impacts late in their steps. Smaller: rounding errors of
/// resting contacts.
inline constexpr double kTouchMm = 1e-6;

/// Where pads give way, that much more than so many times the largest deflection of the step: how
/// deep a curve lies is known to first order, and that of a sharp tip is larger. Larger: overlaps
/// that nothing reports. 1: the overlap that the pad allows counts as a lost contact.
inline constexpr double kLostOverlapOfPads = 4.0;

/// Rounds of adding pairs that closed in a step; after the last one the step is not solved.
/// Smaller: steps in which one contact makes others close fail. Larger: no step needs more.
inline constexpr int kPairRounds = 6;

/// Energy that a step of second order may give part, jaws and pads beyond the work of the closing
/// force in it, relative to that force's work over the tolerance. A step that gives more, as where
/// a jaw has just been stopped or a damped pad lets go, is one of first order. Larger: jaws swing
/// back from the part, or up on pads. Smaller: steps whose error explains the energy are solved
/// twice.
inline constexpr double kMostSwing = 0.1;

/// Kinetic energy that a step may give part and jaws beyond the work of the closing force in it,
/// relative to that force's work over the whole opening. Larger: a part jumps to a solution far
/// off. Smaller: large steps around curved contacts are halved for nothing.
inline constexpr double kMostEnergyGain = 1e-2;

/// Overlap allowed half-way through a step beyond kTouchMm, as a fraction of how far the step moves
/// (dimensionless). A step that overlaps more has jumped over a feature and is retried. Larger: a
/// jaw may tunnel through a thin piece. Smaller: steps around sharp corners are halved for nothing.
inline constexpr double kPathOverlap = 0.1;

/// Where on its way a step is checked, as fractions of the step; the middle first, where an overlap
/// is most likely. Fewer: thin features are missed.
inline constexpr std::array<double, 3> kPathChecks{0.5, 0.25, 0.75};

/// What moves by less than this times the part's smallest semi-axis jumps over no feature: such
/// steps are not checked, and predicted motions are looked at in such pieces. Larger: a tip of the
/// thinnest piece is jumped over. Smaller: more checks for nothing.
inline constexpr double kThinnestFeature = 0.5;

// --- Contacts

/// Misalignment (sine) of a piece's normal with the edge it lies on that counts as aligned. Larger:
/// the gap of a flat piece is off by up to this times its length. Smaller: flat contacts, whose
/// contact point is indeterminate, converge slowly or not at all.
inline constexpr double kAlignment = 1e-11;

/// Misalignment beyond kAlignment that counts as a scaled residual of 1.
inline constexpr double kAlignmentUnit = 0.02;

/// With this curvature, times the length scale, and more, the slide of a contact point is put into
/// the other equations, not solved for with them. Smaller: digits are lost. Larger: time.
inline constexpr double kCurvedEnough = 0.1;

/// How often a tracked point is handed to and fro between a finger's edge and its neighbours before
/// the contact is recomputed. More: iterations for nothing. 1: points at an edge's end are lost.
inline constexpr int kMostTracks = 4;

/// How far a contact's normal is taken to turn in a step, rad. A tracked contact point turns by no
/// more in one Newton iteration (in the boundary's parameter); a contact of outlines whose normal
/// lies outside of an element's normals by less (sine) enters the step problem, since it may become
/// the first to touch. Larger: points jump past each other's flat spots, pairs that stay open.
/// Smaller: more iterations, and more steps that are solved twice.
inline constexpr double kMostTurnRad = 0.3;

/// Bodies nearer than this may come to touch, mm: a pair closer than this plus the distance that it
/// could close within a step enters the step problem, and a part may jam between what is nearer
/// than half of this. Larger: jams of parts that can still give way. Smaller: more steps are solved
/// twice because a left-out pair closed, and jams are found late.
inline constexpr double kNearMm = 0.02;

/// Sides lie flush on each other up to this angle (sine). Straight edges of part and finger do so
/// where they face each other along more than contact_gap_mm; a side of a piece may be laid flat on
/// an edge (the rung `cold`); a contact point that is tracked along an edge is recomputed
/// beyond. Larger: the sides of a corner that sits in a V count as touched, points far from their
/// contact are kept. Smaller: short sides that lie on an edge do not count, sides that swing into
/// it within the step are not laid flat, points are lost while Newton iterates.
inline constexpr double kFlush = 0.1;

// --- Newton's method

/// The scaled residual at which Newton stops early; between this and kResidual it continues while
/// it gains. Looser: mirrored trials differ in their last digits.
inline constexpr double kResidualTarget = 1e-10;

/// Where the jaws' momenta are many times the closing force's impulse, Newton continues to this
/// residual in units of that impulse, or to kResidualTarget. Larger: that force's digits drown in
/// an impact's. Smaller: iterations for digits that no pose has.
inline constexpr double kForceResidual = 1e-6;

/// Below kResidual Newton continues while an iteration leaves less than this fraction of the
/// residual. Larger: iterations at rounding level for nothing. Smaller: digits are given away.
inline constexpr double kLeastGain = 0.5;

/// What keeps the Newton system regular, and is not in the equations. It is added to the diagonal
/// of the impulse rows: a velocity over an impulse, in the closing speed over the impulses' scale
/// (the jaws' for contacts; the part's for its support, less for a part heavier than the jaws). And
/// flat spots have at least this curvature, over the length scale, in the linearised alignment.
/// Smaller: systems of sticking contacts, and of flat pieces between two jaws, become singular.
/// Larger: slower convergence, contact points that hardly move.
inline constexpr double kRegularization = 1e-9;

/// The curvature of flat spots where that has failed, over the length scale: contact points hardly
/// move, which is right for a part held flat by friction and wrong for one that turns. Smaller: it
/// repeats what has failed. Larger: it fails for more parts that turn.
inline constexpr double kLargerCurvature = 1e-7;

/// The same regularisation with at least as many impulses as velocities, where they may not be
/// unique. Smaller:
/// rounding errors, divided by it, move the impulses along the directions that the motion does not
/// determine, and mirrored trials differ. Larger: slower convergence.
inline constexpr double kRedundantRegularization = 1e-4;

/// Far from the solution the regularisation is this times the scaled residual, between the two
/// values above. Larger: it slows Newton down. Smaller: first directions are long and wrong where
/// systems are nearly singular.
inline constexpr double kRegularizationPerResidual = 1e-3;

/// kRedundantRegularization is multiplied by kLessHelp after an iteration that begins below the
/// scaled residual kNearlySolved and leaves more than kSlowGain of it. kNearlySolved larger, or
/// kSlowGain smaller: it is lowered where it is not what slows Newton down, and mirrored trials
/// differ. Else: some steps run out of iterations.
inline constexpr double kNearlySolved = 1e-3;
inline constexpr double kSlowGain = 0.2;

/// What is left of that which helps Newton's method, and is not in the problem, from one system or
/// problem to the next: that regularisation, and the masses of heavier parts. Smaller: the solution
/// is lost on the way. Nearer to 1: more iterations.
inline constexpr double kLessHelp = 0.1;

/// Newton stalls on outlines after an iteration that begins at a residual which is less than
/// kTouchMm as a gap, leaves more than kSlowGain of it, and of the momentum balance less than
/// kBalanced times that. Then flats that are not quite parallel cannot all touch, and contacts are
/// released one by one. Larger: contacts are released while impulses are still far from balance.
/// Smaller: steps of such flats run out of iterations.
inline constexpr double kBalanced = 1e-2;

/// Iterations that each contact adds to those of a try in which contacts are released. Fewer: steps
/// with many flats are halved. More: hopeless tries cost more.
inline constexpr int kReleasesPerContact = 2;

/// The line search tries the step lengths 1, 1/2, ..., 1/2^(kLineSearchTries - 1). More: tiny steps
/// that lead nowhere. Fewer: impacts from afar do not converge.
inline constexpr int kLineSearchTries = 3;

/// The mass that weighs slips of the support is at least this times its largest impulse over the
/// velocity scale. Larger: other last bits for usual tables. Smaller: slow slip on a table that
/// holds far more than the closing force converges slowly.
inline constexpr double kLeastSlipShare = 0.1;

/// The least change that Newton's method goes by: a step of length 1 must take as much off the
/// largest of the last kMayRise residuals, and slip must turn to more than this times the velocity
/// scale. Larger: good steps are cut. 0: none is required, and cycles do not end.
inline constexpr double kLeastChange = 1e-4;

/// Iterations for which things may get worse, while the pattern of contacts changes: the line
/// search compares with the largest of so many residuals, and a pattern is not given up in the
/// first so many iterations. 1: full steps to a new pattern are cut. More: cycles last longer, and
/// hopeless patterns cost more.
inline constexpr int kMayRise = 3;

/// Largest share of its bound that a sliding support impulse counts as, in the derivative only. 1:
/// division by zero for a support at rest. Smaller: slower convergence of slow slip.
inline constexpr double kMostSlidingShare = 1.0 - 1e-6;

/// A change of an impulse by less than this times the impulse scale is rounding: the momentum
/// balance need not be evaluated again. Larger: it is off by as much. Smaller: more evaluations.
inline constexpr double kImpulseRounding = 1e-14;

/// In the elimination the diagonal entry stays the pivot unless one below it is this many times
/// larger: entries grow by at most this factor and one in each column. Larger: fewer digits.
/// Smaller: rows change places more often, which costs time.
inline constexpr double kPivotRatio = 10.0;

// --- The ladder of retries

/// Newton iterations of a try, also with one pattern held; in the last resort, where no rung solves
/// a step of any size, five times as many. More: tries that will not converge cost more. Fewer:
/// more steps are halved, and light parts between jaws are not solved.
inline constexpr int kNewtonIterations = 15;

/// The rung `damped`: its iterations; by how much the masses are increased at first, relative to
/// them; what is left of that after each iteration. Less damping, or a faster decrease: it repeats
/// what `warm` did. More: its iterations are over before it is gone.
inline constexpr int kDampedIterations = 20;
inline constexpr double kDamping = 10.0;
inline constexpr double kDampingDecrease = 0.3;

/// The rung `cold`: the least normal impulse that a side laid flat begins with, relative to the
/// impulse scale. Smaller: Newton opens the contact at once. Larger: a start further from the
/// solution.
inline constexpr double kFlatImpulse = 0.1;

/// The rung `pattern`: after kMayRise + 1 iterations a pattern is given up when the change of the
/// velocities grows by more than this factor. Larger: hopeless patterns cost more. Smaller: a
/// pattern that holds is given up.
inline constexpr double kPatternGrowth = 2.0;

/// Most rounds of what may lead nowhere: iterations for all patterns of a step, of whose contacts
/// none is tried with more patterns; rounds in the proof of a jam. Larger: halving the step would
/// have been cheaper. Smaller: more steps are halved, jams are not found.
inline constexpr int kMostRounds = 3000;

/// Scaled residual of momentum balance and gaps up to which a pattern that does not hold is a start
/// for Newton's method. Larger: more useless tries. Smaller: jams that begin within a step are
/// missed.
inline constexpr double kNearPattern = 1e-6;

/// Contacts of outlines whose gap is more than this many times what the velocities before the step
/// can close stay open in all patterns. Larger: more patterns. Smaller: those in which an impact
/// drives the part into another contact are missed.
inline constexpr double kPatternApproach = 4.0;

/// How often a step that does not converge is halved. Where none does, the larger half of these
/// sizes is tried once more, on all rungs; then the trial has failed. More: a trial that fails
/// anyway costs more. Fewer: trials fail that 1/4096 of the step would solve, and impacts that only
/// a large one gets over.
inline constexpr int kMostHalvings = 12;

/// In the last resort the natural map weighs gaps and slips with 1, kHeavier, kHeavier^2, ... times
/// the part's mass, up to the first that is as many times as heavy as a jaw. Then parts begin with
/// so much mass that kLessHelp of it is their own, with kHeavier, kHeavier^2, ... times that, up to
/// kMostHeavierPart times their own, and keep kLessHelp of it from one problem to the next. Larger:
/// the weight that converges is left out. Smaller: more tries.
inline constexpr double kHeavier = 100.0;
inline constexpr double kMostHeavierPart = 1e10;

// --- Step sizes

/// A step is refined, to at most step_s / 2^kResolutionHalvings, when the normal of a contact turns
/// by more than kTurnRad (rad) or the part's velocity changes by more than kVelocityChange times
/// the closing speed. Larger: jaws cut corners of small features, impacts are smeared over a full
/// step (at 2 ms one lock-piece outcome in a hundred then differs from the converged one, instead
/// of one in three thousand). Smaller: more steps.
inline constexpr double kTurnRad = 0.05;
inline constexpr double kVelocityChange = 0.2;
inline constexpr int kResolutionHalvings = 3;

/// Steps with a tolerance (Scenario::tolerance_mm). An accepted step proposes the size at which the
/// error would be kErrorAim times the tolerance. Larger: more tries of steps fail. Smaller: more
/// steps.
inline constexpr double kErrorAim = 0.8;

/// By which factors a size changes from one step, or try, to the next. Growth above 1 + sqrt(2),
/// again and again, makes steps of second order unstable; after impacts sizes grow a few times
/// only. Slower growth: more steps after impacts. The list of near pieces reaches kMostGrowth times
/// as far as the step that makes it needs.
inline constexpr double kMostGrowth = 3.0;
inline constexpr double kMostShrinking = 0.2;
inline constexpr double kLeastShrinking = 0.7;  ///< of a step that is tried again

/// The estimated error of a step is at least this times the one without contacts, for the terms of
/// higher order that the estimate leaves out. Larger: small steps where contacts hold the part.
/// Smaller: steps there grow until they fail.
inline constexpr double kLeastErrorShare = 0.1;

/// What is less than this share of its scale counts as nothing. A contact whose gradient of the gap
/// has less of its length outside of those before (sine) adds nothing to the estimated error; what
/// closes with less of the closing speed makes no impact; and in an impact the jaws move by no more
/// of the tolerance. Larger: contacts that do hold the part are left out, impacts lie within large
/// steps, which fail, and take time. Smaller: the part is moved far to keep a gap that the others
/// keep nearly, and rounding errors.
inline constexpr double kNegligible = 0.05;

// --- Steps of second order (Scenario::order)

/// A first guess has the last forces, but no impulse that is more than this times the last one:
/// those of an impact do not last. Larger: steps after impacts begin far off. Smaller: growing
/// steps do.
inline constexpr double kForceGrowth = 10.0;

/// What a change of the velocities counts for in the estimated error: at least this share of the
/// time for which errors in them put the part off (StepHistory::order 1 and 2). Smaller: velocities
/// that are off after impacts, and poses of one in ten trials with them. Larger: more steps there.
inline constexpr double kVelocityShare1 = 0.06;
inline constexpr double kVelocityShare2 = 0.35;

/// That time is what the table takes to stop a part that slides at the closing speed, but at most
/// this times what the jaws take to close. Larger: small steps on slippery tables. Smaller: errors
/// in velocities there count for too little.
inline constexpr double kLongestPersistence = 0.1;

/// Steps of first order after an impact. Fewer: steps of second order across the jaws' transient,
/// most of which fail. More: steps of first order where the motion is smooth.
inline constexpr int kFirstOrderSteps = 2;

/// On pads a step of first order is followed by another one where second order would be off by more
/// than this times as much. Larger: steps of second order that fail. Smaller: steps of first order
/// where the motion is smooth.
inline constexpr double kFadingError = 2.0;

/// A step ends where the next contact is predicted at a gap of kLandingGap times the tolerance.
/// From within three times that, a pair that closes with more than kNegligible times the closing
/// speed meets in an impact: one step, in which part and jaws first go on as they come until they
/// meet, and then the jaws move by kNegligible times the tolerance. Both gaps are for a pair that
/// closes at the closing speed, and less in proportion for slower ones. Larger: what happens until
/// they meet is lost. Smaller: steps that miss them.
inline constexpr double kLandingGap = 0.2;

/// A step is short up to this times step_s. That of an impact is, since a tolerance may be as large
/// as the part; and a free motion that is as short is not skipped but stepped, and the next one
/// looked for after step_s. Larger: such impacts take time; steps where nothing happens. Smaller:
/// rounding errors; motions along a finger are looked at closely for nothing.
inline constexpr double kShortStep = 1.0 / 64.0;

/// Pairs are looked for within kPredictedReach times the motion of the step. Which of them may land
/// is looked at closely if their gap is below kRateGrowth times what the present speed closes, plus
/// kWatchedGap times the tolerance. Smaller: landings are missed, and their steps fail. Larger:
/// time.
inline constexpr double kPredictedReach = 1.2;
inline constexpr double kRateGrowth = 2.0;
inline constexpr double kWatchedGap = 10.0;

/// A pair with a smaller gap is closed, mm; free travel ends within as much of kTouchMm. Larger:
/// impacts of pairs that lie apart are left out. Smaller: pairs that touch are taken for pairs that
/// will, and free travel takes more advances.
inline constexpr double kClosedGapMm = 1e-7;

/// The predicted motion of a step is not looked at in pieces of less than kThinnestFeature times
/// the part's smallest semi-axis, with outlines, whose corners have no size, kCornerLook times the
/// tolerance; and not in more than kMostLooks of the first or kMostCornerLooks of the second.
/// Larger, fewer: contacts that graze are jumped over. Smaller, more: time.
inline constexpr double kCornerLook = 5.0;
inline constexpr int kMostLooks = 8;
inline constexpr int kMostCornerLooks = 64;

/// A step in which a pair has landed unseen is tried again with this share of the time until then.
/// Larger: it lands again. Smaller: more steps.
inline constexpr double kBeforeLanding = 0.9;

/// Most iterations for the time at which a pair lands. Fewer: steps that end too early or too late.
inline constexpr int kLandingIterations = 4;

/// Velocities jump in a step whose error is more than this times that of the larger step tried
/// before it. Larger: steps get ever smaller where a part jams. Smaller: motions that are not
/// resolved.
inline constexpr double kJump = 0.9;

/// In one Newton iteration stick and slip are decided in at most so many rounds. A contact leaves
/// stick where its impulse is more than kLeftCone times its bound, and slip where it turns to more
/// than kLeastChange times the velocity scale. More rounds, smaller factors: linear systems for
/// nothing. Fewer, larger: iterations that lead far off.
inline constexpr int kFrictionRounds = 2;
inline constexpr double kLeftCone = 1.001;

// --- The unit of length

/// A part is simulated in a unit of length, a power of two, in which it reaches about this far from
/// its centre of mass: the tolerances in mm are for parts of that size. Larger: rounding errors of
/// positions count for more. Smaller: gaps are not resolved.
inline constexpr double kUnitReach = 32.0;

// --- A trial

/// The work of a trial, in steps and in Newton iterations, whichever is more: at most
/// kWorkPerStep times the steps of step_s until the timeout, but not less than kLeastWork and not
/// more than kMostWork; what needs more has failed. Smaller: trials that small tolerances make long
/// fail. Larger: hopeless ones cost more (100,000 take about 0.1 s).
inline constexpr double kWorkPerStep = 50.0;
inline constexpr double kLeastWork = 3000000.0;
inline constexpr double kMostWork = 10000000.0;

/// Jaws that are held are heavy and on stiff springs: the closing force moves them by kHeldGiveMm,
/// they weigh kHeldMass times as much as the part, and dampers bring them back within about
/// kHeldReturnS. Give larger, mass smaller: they are not where they are held. Give smaller: the
/// force on a part between them is not determined, and rounding errors jam it. Mass larger: digits
/// of the part's momentum. Return time shorter: they swing.
inline constexpr double kHeldGiveMm = 1e-5;
inline constexpr double kHeldMass = 1e5;
inline constexpr double kHeldReturnS = 0.01;

/// A part jams between a moving gripper and an obstacle where both are nearer than kNearMm / 2 and
/// their pushes leave it no motion up to this times the gripper's; or where the obstacle pushes
/// with more than this times the closing force and the momenta of an impact. Larger: jams are found
/// after many steps that have no solution. Smaller: a part that can still give way jams.
inline constexpr double kJam = 100.0;

/// How closely the way of fingers and palm is looked at, mm: their way past obstacles, and by how
/// much more than the gap a step of free travel to a drawn finger may be. Larger: what is thinner
/// is jumped over. Smaller: more looks, and more steps where pieces graze a finger.
inline constexpr double kLookMm = 0.5;

// --- Cost only

/// Most advances of free travel, each of which leaves 1 - |n_x| of the gap, and of a free motion of
/// gripper and table. Fewer: what passes a piece closely or at a grazing angle arrives too early,
/// and is stepped past it.
inline constexpr int kMostAdvances = 200;

/// A node of the tree of circles with at most so many pieces is a leaf. As few are as quickly
/// looked at one by one.
inline constexpr int kLeafPieces = 8;

}  // namespace graspmap::tolerances
