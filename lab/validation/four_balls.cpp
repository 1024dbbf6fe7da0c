#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "lab/validation/examples.hpp"
#include "lab/validation/validation_context.hpp"

namespace graspmap {
namespace {

constexpr const char* kFourBallsPaper = "Stewart and Trinkle 2000, section 4.2, Fig. 6-8, Table 1";
constexpr std::size_t kFirstBall = 1;  // bodies 1 to 4, after the table
constexpr int kBalls = 4;
constexpr double kReferenceStep_s = 0.00125;

/// A row of the paper's Table 1.
struct TableRow {
  double step_s;
  double velocity_error;
  double position_error;
  double variation;
};
constexpr std::array kTable1{
    TableRow{0.02, 0.5050, 0.2505, 19.4046}, TableRow{0.01, 0.3523, 0.2015, 19.1728},
    TableRow{0.005, 0.1657, 0.0838, 19.1702}, TableRow{0.0025, 0.0700, 0.0298, 19.0862}};
constexpr double kReferenceVariation = 19.0690;

/// Velocities of all balls: 24 coordinates, m/s and rad/s.
Eigen::VectorXd coordinates(const SpatialSnapshot& at) {
  Eigen::VectorXd v(6 * kBalls);
  for (int ball = 0; ball < kBalls; ++ball) {
    v.segment<6>(6 * ball) = in_metres(at.velocities[kFirstBall + static_cast<std::size_t>(ball)]);
  }
  return v;
}

Eigen::VectorXd linear_part(const Eigen::VectorXd& v) {
  Eigen::VectorXd linear(3 * kBalls);
  for (int ball = 0; ball < kBalls; ++ball) linear.segment<3>(3 * ball) = v.segment<3>(6 * ball);
  return linear;
}

/// The measures of Table 1, with velocities constant over each step, at their values at its end;
/// positions are integrals of velocities, of angular ones too.
struct RunErrors {
  double velocity = 0.0;         ///< integral over time of the largest difference
  double linear_velocity = 0.0;  ///< the same without angular velocities
  double position = 0.0;         ///< largest difference at any time
};

RunErrors errors_of(const SpatialRun& seen, const SpatialRun& reference) {
  RunErrors errors;
  Eigen::VectorXd apart = Eigen::VectorXd::Zero(6 * kBalls);
  std::size_t i = 1;
  for (std::size_t r = 1; r < reference.shown.size(); ++r) {
    const SpatialSnapshot& fine = reference.shown[r];
    const double middle_s = fine.time_s - 0.5 * fine.step_s;
    while (i + 1 < seen.shown.size() && seen.shown[i].time_s < middle_s) ++i;
    const Eigen::VectorXd difference = coordinates(seen.shown[i]) - coordinates(fine);
    errors.velocity += fine.step_s * difference.cwiseAbs().maxCoeff();
    errors.linear_velocity += fine.step_s * linear_part(difference).cwiseAbs().maxCoeff();
    apart += fine.step_s * difference;
    errors.position = std::max(errors.position, apart.cwiseAbs().maxCoeff());
  }
  return errors;
}

/// The largest total variation of a coordinate of the velocities.
double variation_of(const SpatialRun& seen) {
  Eigen::VectorXd variation = Eigen::VectorXd::Zero(6 * kBalls);
  for (std::size_t i = 1; i < seen.shown.size(); ++i) {
    variation += (coordinates(seen.shown[i]) - coordinates(seen.shown[i - 1])).cwiseAbs();
  }
  return variation.maxCoeff();
}

/// The runs of one stepper: those of Table 1, then the reference.
struct BallRuns {
  std::string stepper;
  std::vector<SpatialRun> runs;
  std::vector<RunErrors> errors;  ///< of those of Table 1

  [[nodiscard]] const SpatialRun& reference() const { return runs.back(); }
};

BallRuns run_balls(const ValidationContext& context, SpatialStepperKind kind) {
  BallRuns balls;
  balls.stepper = name(kind);
  const auto add = [&](double step_s) {
    balls.runs.push_back(watch_spatial(validation_spatial_scene(
        context, "four_balls", {"solver.stepper=" + balls.stepper, with_step(step_s)})));
  };
  for (const TableRow& row : kTable1) add(row.step_s);
  add(kReferenceStep_s);
  for (std::size_t i = 0; i < kTable1.size(); ++i) {
    balls.errors.push_back(errors_of(balls.runs[i], balls.reference()));
  }
  return balls;
}

/// An impulse below this is what tolerances leave of none.
constexpr double kLeastImpulse_mn_s = 1e-3;

/// The end of the first step in which two bodies push each other; null: they do not.
const SpatialSnapshot* first_push(const SpatialRun& seen, int body_a, int body_b) {
  for (const SpatialSnapshot& at : seen.shown) {
    for (const SpatialContact& contact : at.contacts) {
      const bool is_pair = contact.body_a == body_a && contact.body_b == body_b;
      if (is_pair && contact.p_n > kLeastImpulse_mn_s) return &at;
    }
  }
  return nullptr;
}

double impulse_n_s(const SpatialSnapshot& at, int body_a, int body_b) {
  double sum = 0.0;
  for (const SpatialContact& contact : at.contacts) {
    if (contact.body_a == body_a && contact.body_b == body_b)
      sum += kNewtonsPerMillinewton * contact.p_n;
  }
  return sum;
}

/// The text beside Table 1: angular velocity errors are "about an order of magnitude larger".
void add_angular_claim(const BallRuns& balls, ExampleReport& report) {
  double largest = 0.0;
  std::string ratios;
  for (const RunErrors& errors : balls.errors) {
    const double ratio = errors.velocity / errors.linear_velocity;
    largest = std::max(largest, ratio);
    ratios += fmt::format("{}{:.1f}", ratios.empty() ? "" : ", ", ratio);
  }
  report.equals(
      balls.stepper + ": error with angular velocities over without, largest of four steps", 10.0,
      "section 4.2: about an order of magnitude", largest, 2.0,
      "it is " + ratios +
          " from the largest step to the smallest; the errors themselves are those of Table 1, and "
          "how the paper compared the two kinds is not said");
}

/// Table 1 beside a stepper's numbers. The paper's own program is not given: its last digits need
/// not be ours.
void add_table(const BallRuns& balls, bool has_positions, ExampleReport& report) {
  for (std::size_t i = 0; i < kTable1.size(); ++i) {
    const TableRow& row = kTable1[i];
    const std::string h = fmt::format("{}, h = {:g} s: ", balls.stepper, row.step_s);
    const double relative = row.step_s < 0.005 ? 0.12 : 0.02;
    report.equals(h + "velocity error", row.velocity_error, "Table 1, to 2 % (finest 12 %)",
                  balls.errors[i].velocity, relative * row.velocity_error);
    if (has_positions) {
      report.equals(h + "position error", row.position_error, "Table 1, to 2 % (finest 12 %)",
                    balls.errors[i].position, relative * row.position_error);
    }
    report.equals(h + "velocity variation", row.variation, "Table 1, to 0.1 %",
                  variation_of(balls.runs[i]), 1e-3 * row.variation);
  }
  report.equals(fmt::format("{}, h = {:g} s: velocity variation", balls.stepper, kReferenceStep_s),
                kReferenceVariation, "Table 1, to 0.1 %", variation_of(balls.reference()),
                1e-3 * kReferenceVariation);
}

/// Velocity errors and the reference's variation shown only: another method.
void show_table(const BallRuns& balls, const std::string& note, ExampleReport& report) {
  const auto show = [&](double step_s, const char* what, double printed, double obtained) {
    report.shown(fmt::format("{}, h = {:g} s: {}", balls.stepper, step_s, what), printed, "Table 1",
                 obtained, note);
  };
  for (std::size_t i = 0; i < kTable1.size(); ++i) {
    show(kTable1[i].step_s, "velocity error", kTable1[i].velocity_error, balls.errors[i].velocity);
  }
  show(kReferenceStep_s, "velocity variation", kReferenceVariation,
       variation_of(balls.reference()));
}

void add_solved(const BallRuns& balls, ExampleReport& report) {
  for (const SpatialRun& seen : balls.runs) {
    report.checks.push_back(all_steps_solved(
        fmt::format("{}, h = {:g} s", balls.stepper, seen.shown[1].step_s), seen.run));
  }
}

/// When a ball's fall and roll bring it where, in closed form: g = 9.81 m/s^2, plastic impacts.
void add_closed_forms(const BallRuns& balls, ExampleReport& report) {
  const SpatialRun& seen = balls.reference();
  const std::string who = balls.stepper + ": ";
  const SpatialSnapshot* landing = first_push(seen, 0, 1);
  const SpatialSnapshot* hit = first_push(seen, 1, 2);
  const double landed_s = landing == nullptr ? 0.0 : landing->time_s;
  const double hit_s = hit == nullptr ? 0.0 : hit->time_s;
  const double allowed = 2.0 * kReferenceStep_s;
  report.equals(who + "first ball on the table, s", 0.428353, "closed form, to two steps", landed_s,
                allowed);
  report.equals(who + "first ball on the table, s", 0.42, "section 4.2, about", landed_s, 0.01);
  report.equals(who + "it hits the second, s", 0.582213, "closed form, to two steps", hit_s,
                allowed);
  report.equals(who + "it hits the second, s", 0.59, "section 4.2, about", hit_s, 0.01);
  Twist rolling;
  rolling << 15.0 / 14.0, 1.0 / 14.0, 0.0, -10.0 / 14.0, 150.0 / 14.0, 0.0;
  const Eigen::VectorXd before = coordinates(seen.at_s(0.5));
  report.at_most(who + "rolls in between, largest difference, m/s and rad/s", 1e-6,
                 "5/7 of (1.5, 0.1) m/s, reached in the impact",
                 (before.head<6>() - rolling).cwiseAbs().maxCoeff());
}

/// What the hit leaves, against an independent program.
void add_hit(const BallRuns& balls, ExampleReport& report) {
  const SpatialRun& seen = balls.reference();
  const SpatialSnapshot* hit = first_push(seen, 1, 2);
  if (hit == nullptr) return;
  const char* source = "bench/independent/four_balls.py";
  constexpr double kDigits = 2e-6;
  const std::string who = balls.stepper + ": ";
  struct Impulse {
    int body_a;
    int body_b;
    double n_s;
  };
  for (const Impulse& p : {Impulse{1, 2, 0.748910},
                           {2, 3, 0.415088},
                           {3, 4, 0.210409},
                           {0, 2, 0.312977},
                           {0, 4, 0.034386}}) {
    const std::string other =
        p.body_a == 0 ? std::string("the table") : fmt::format("ball {}", p.body_a);
    report.equals(who + fmt::format("impulse of the hit, {} and ball {}, N s", other, p.body_b),
                  p.n_s, source, impulse_n_s(*hit, p.body_a, p.body_b), kDigits);
  }
  const std::array<Vec3, kBalls> velocities{
      Vec3(0.329827, 0.199420, 0.231057), Vec3(0.212683, -0.056557, 0.0),
      Vec3(0.204668, -0.053569, 0.067256), Vec3(0.196642, 0.009504, 0.0)};
  const std::array<Vec2, kBalls> places{Vec2(0.906206, 0.157925), Vec2(1.055909, -0.014441),
                                        Vec2(1.265741, -0.016585), Vec2(1.468107, 0.002990)};
  constexpr std::array kAxes{"x", "y", "z"};
  for (std::size_t ball = 0; ball < kBalls; ++ball) {
    const std::string whose = who + fmt::format("ball {} ", ball + 1);
    const Vec3 v = kMetresPerMillimetre * hit->velocities[kFirstBall + ball].head<3>();
    const Vec3 x = kMetresPerMillimetre * seen.end().poses[kFirstBall + ball].position_mm;
    for (const int k : {0, 1, 2}) {
      const char* axis = kAxes.at(static_cast<std::size_t>(k));
      report.equals(whose + fmt::format("after the hit, v_{}, m/s", axis), velocities.at(ball)[k],
                    source, v[k], kDigits);
      if (k == 2) continue;
      report.equals(whose + fmt::format("at 1 s, {}, m", axis), places.at(ball)[k], source, x[k],
                    kDigits);
    }
  }
}

/// The motion after the hit as the paper describes it.
void add_story(const BallRuns& balls, ExampleReport& report) {
  const SpatialRun& seen = balls.reference();
  const std::string who = balls.stepper + ": ";
  const SpatialSnapshot* hit = first_push(seen, 1, 2);
  double slowest = 1e9;
  for (std::size_t ball = 0; ball < kBalls; ++ball) {
    slowest = std::min(slowest, kMetresPerMillimetre * seen.end().velocities[kFirstBall + ball][0]);
  }
  report.at_least(who + "slowest ball to the right at 1 s, m/s", 0.05,
                  "section 4.2: all move to the right", slowest);
  if (hit == nullptr) return;
  int pushing = 0;
  for (const SpatialContact& contact : hit->contacts) {
    pushing += contact.p_n > kLeastImpulse_mn_s && contact.body_a > 0;
  }
  report.equals(who + "pairs of balls that push in the step of the hit", 3.0,
                "section 4.2: impulses run through to the last ball", pushing);
  double lifted = 0.0;
  for (const SpatialSnapshot& at : seen.shown) {
    if (at.time_s <= hit->time_s) continue;
    lifted = std::max(lifted, kMetresPerMillimetre * at.poses[kFirstBall].position_mm.z() - 0.1);
  }
  report.at_least(who + "first ball is lifted by, m", 1e-4, "section 4.2: a small distance",
                  lifted);
  report.at_most(who + "spin of the second ball about y after the hit, rad/s", 0.0,
                 "section 4.2: back-spin", hit->velocities[kFirstBall + 1][4]);
}

double overlap_m(const BallRuns& balls) {
  double worst = 0.0;
  for (const SpatialRun& seen : balls.runs) {
    worst = std::max(worst, kMetresPerMillimetre * seen.run.totals.worst_overlap_mm);
  }
  return worst;
}

void add_sizes(const BallRuns& fixed_point, ExampleReport& report) {
  int unknowns = 0;
  for (const SpatialRun& seen : fixed_point.runs) {
    for (const SpatialSnapshot& at : seen.shown) unknowns = std::max(unknowns, at.unknowns);
  }
  report.equals("largest linear complementarity problem", 70.0, "section 4.2: seven contacts",
                unknowns);
  report.at_most(fixed_point.stepper + ": overlap at any step's end, m", 1e-12,
                 "f(q) >= 0 holds at the end of a step", overlap_m(fixed_point));
}

/// The balls from above: their paths, and where they end.
Figure plan_figure(const BallRuns& balls) {
  CurvesFigure figure{"c2_paths", "Four balls", "paths of the centres from above, " + balls.stepper,
                      "x (m)", "y (m)"};
  for (std::size_t ball = 0; ball < kBalls; ++ball) {
    for (const bool is_fine : {false, true}) {
      const SpatialRun& seen = is_fine ? balls.reference() : balls.runs.front();
      const std::string h = fmt::format("h = {:g} s", seen.shown[1].step_s);
      Curve curve{fmt::format("ball {}, {}", ball + 1, h), is_fine ? "lw 3" : "dt 2 lw 2"};
      for (const SpatialSnapshot& at : seen.shown) {
        const Vec3 place = kMetresPerMillimetre * at.poses[kFirstBall + ball].position_mm;
        curve.add(place.x(), place.y());
      }
      figure.curves.push_back(curve);
    }
  }
  return curves_figure(figure);
}

/// Adds the outline of a ball, apart from what the curve has already.
void add_outline(Curve& curve, double x_m, double z_m) {
  constexpr double radius_m = 0.1;
  constexpr int kSides = 60;
  curve.add(std::nan(""), std::nan(""));
  for (int i = 0; i <= kSides; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / kSides;
    curve.add(x_m + radius_m * std::cos(angle), z_m + radius_m * std::sin(angle));
  }
}

/// The paper's elevation: from the side, with the balls at the start, when the first one lands,
/// when it hits the second, and at the end.
Figure elevation_figure(const BallRuns& balls) {
  CurvesFigure figure{
      "c2_elevation", "Four balls",
      "from the side at 0, 0.43, 0.58 and 1 s, " + balls.stepper + ", h = 0.00125 s", "x (m)",
      "z (m)"};
  figure.equal_axes = true;
  for (std::size_t ball = 0; ball < kBalls; ++ball) {
    Curve curve{fmt::format("ball {}", ball + 1)};
    const auto place = [&](const SpatialSnapshot& at) -> Vec3 {
      return kMetresPerMillimetre * at.poses[kFirstBall + ball].position_mm;
    };
    for (const SpatialSnapshot& at : balls.reference().shown) {
      curve.add(place(at).x(), place(at).z());
    }
    for (const double time_s : {0.0, 0.42875, 0.58375, 1.0}) {
      const Vec3 centre = place(balls.reference().at_s(time_s));
      add_outline(curve, centre.x(), centre.z());
    }
    figure.curves.push_back(curve);
  }
  return curves_figure(figure);
}

Figure error_figure(const std::vector<const BallRuns*>& all) {
  CurvesFigure figure{"c2_velocity_error", "Four balls",
                      "velocity error against the run with h = 0.00125 s", "step h (s)",
                      "velocity error"};
  figure.log_y = true;
  Curve printed{"Table 1", "dt 2 lw 4"};
  for (const TableRow& row : kTable1) {
    printed.add(row.step_s, row.velocity_error);
  }
  figure.curves.push_back(printed);
  for (const BallRuns* balls : all) {
    Curve curve{balls->stepper};
    for (std::size_t i = 0; i < kTable1.size(); ++i) {
      curve.add(kTable1[i].step_s, balls->errors[i].velocity);
    }
    figure.curves.push_back(curve);
  }
  return curves_figure(figure);
}

Figure spin_figure(const BallRuns& balls) {
  CurvesFigure figure{"c2_spin", "Four balls", "spin about y, " + balls.stepper, "time (s)",
                      "angular velocity about y (rad/s)"};
  for (std::size_t ball = 0; ball < kBalls; ++ball) {
    figure.curves.push_back(
        curve_of(balls.reference(), fmt::format("ball {}", ball + 1),
                 [&](const SpatialSnapshot& at) { return at.velocities[kFirstBall + ball][4]; }));
  }
  return curves_figure(figure);
}

}  // namespace

ExampleReport validate_four_balls(const ValidationContext& context) {
  ExampleReport report{"C2", "four balls", kFourBallsPaper};
  const BallRuns fixed_point = run_balls(context, SpatialStepperKind::kStewartTrinkleNonlinear);
  const BallRuns one_problem = run_balls(context, SpatialStepperKind::kStewartTrinkle);
  const BallRuns velocity_level = run_balls(context, SpatialStepperKind::kAnitescuPotra);
  const BallRuns implicit = run_balls(context, SpatialStepperKind::kImplicit);
  add_table(fixed_point, true, report);
  add_angular_claim(fixed_point, report);
  add_closed_forms(fixed_point, report);
  add_hit(fixed_point, report);
  add_story(fixed_point, report);
  add_sizes(fixed_point, report);
  add_table(one_problem, false, report);
  add_closed_forms(one_problem, report);
  show_table(velocity_level, "n^T v >= 0 in place of the gaps, section 3.3", report);
  report.at_least(velocity_level.stepper + ": overlap at a step's end, m", 1e-4,
                  "section 3.3: penetration can accrue", overlap_m(velocity_level));
  show_table(implicit, "circular friction cones, geometry at the end of the step", report);
  add_closed_forms(implicit, report);
  for (const BallRuns* balls : {&fixed_point, &one_problem, &velocity_level, &implicit}) {
    add_solved(*balls, report);
  }
  report.figures = {plan_figure(fixed_point), elevation_figure(fixed_point),
                    error_figure({&fixed_point, &one_problem, &velocity_level, &implicit}),
                    spin_figure(fixed_point)};
  report.remarks = {
      "The paper does not give g: 9.81 m/s^2 fits its times. Nor does it say how the eight "
      "directions are turned: ours begin with the x axis on the table and with the vertical "
      "between the balls. The fixed point's stop is ours: 1e-12, relative.",
      "Which of the 24 coordinates Table 1 measures, and how, is not said. Its numbers come out "
      "with angles in radians, velocities that are constant over each step, the largest difference "
      "of a coordinate, and the largest total variation of a coordinate: the first ball's spin "
      "about y, which the landing changes by 10.7 rad/s.",
      "Rows of stewart-trinkle are one linear problem a step, at q + h v. At its finest step that "
      "is 15 % from the printed position error; the fixed point is 11 % from it."};
  return report;
}

}  // namespace graspmap
