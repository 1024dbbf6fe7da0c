/// Holds whose limits follow by hand, on both sides of each.

#include "sim/hold/hold.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "tests/support/drawn_scenes.hpp"
#include "tests/support/random.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

using Vec3d = Eigen::Vector3d;

constexpr double kForce_n = 10.0;
constexpr double kMu = 0.3;
constexpr double kRadius_mm = 20.0;

Scenario gripper_of(Coupling coupling = Coupling::kSymmetric) {
  Scenario scenario;
  scenario.gripper.closing_force_n = kForce_n;
  scenario.gripper.coupling = coupling;
  return scenario;
}

GraspContact contact(JawSide side, const Vec2& point_mm, double mu = kMu) {
  return {side, point_mm, inside_normal(side), mu};
}

/// Two points on opposite sides of a disc.
std::vector<GraspContact> opposite_points(double mu = kMu) {
  return {contact(JawSide::kRight, {kRadius_mm, 0}, mu),
          contact(JawSide::kLeft, {-kRadius_mm, 0}, mu)};
}

/// Pads of this width flush on a block.
std::vector<GraspContact> pads(double width_mm) {
  std::vector<GraspContact> contacts;
  for (const double y : {-width_mm / 2, width_mm / 2}) {
    contacts.push_back(contact(JawSide::kRight, {kRadius_mm, y}));
    contacts.push_back(contact(JawSide::kLeft, {-kRadius_mm, y}));
  }
  return contacts;
}

constexpr HoldHeights kFlat{0.0, 0.0, 0.0};
HoldHeights band(double height_mm) { return {0.0, -height_mm / 2, height_mm / 2}; }

Hold hold_of(const std::vector<GraspContact>& contacts, const HoldHeights& heights = kFlat,
             Coupling coupling = Coupling::kSymmetric, HeldDrive drive = HeldDrive::kGivesWay) {
  return {gripper_of(coupling), contacts, Vec2(0, 0), heights, drive};
}

/// True when the part stays without a load, and without the table.
bool is_in_equilibrium(const Hold& hold) { return hold.largest_factor({}) == kMostHoldFactor; }

double largest_force(const Hold& hold, const Vec3d& direction) {
  return hold.largest_factor({direction, Vec3d::Zero()});
}
double largest_moment(const Hold& hold, const Vec3d& direction) {
  return hold.largest_factor({Vec3d::Zero(), direction});
}

Approx exactly(double value) { return Approx(value).epsilon(1e-8); }

}  // namespace

TEST_CASE("two opposite points hold 2 mu F across, and what their lever gives") {
  const Hold hold = hold_of(opposite_points());
  REQUIRE(is_in_equilibrium(hold));
  const double limit_n = 2 * kMu * kForce_n;
  CHECK(largest_force(hold, -Vec3d::UnitZ()) == exactly(limit_n));
  CHECK(largest_force(hold, Vec3d::UnitY()) == exactly(limit_n));
  // One cone for both: sqrt(f_y^2 + f_z^2).
  CHECK(largest_force(hold, Vec3d(0, 0.6, -0.8)) == exactly(limit_n));
  // The gear holds the jaws' middle: one jaw presses less, until it lets go.
  CHECK(largest_force(hold, Vec3d::UnitX()) == exactly(2 * kForce_n));
  CHECK(largest_moment(hold, Vec3d::UnitZ()) == exactly(limit_n * kRadius_mm));
  CHECK(largest_moment(hold, Vec3d::UnitY()) == exactly(limit_n * kRadius_mm));
  CHECK(largest_moment(hold, Vec3d::UnitX()) == Approx(0.0).margin(1e-6));  // points do not twist
}

TEST_CASE("a band of heights holds a moment about the line of the contacts") {
  // At each jaw F / 2 presses above and below, with friction to and fro.
  const double height_mm = 6.0;
  const Hold hold = hold_of(opposite_points(), band(height_mm));
  CHECK(largest_moment(hold, Vec3d::UnitX()) == exactly(kMu * kForce_n * height_mm));
  CHECK(largest_moment(hold, -Vec3d::UnitX()) == exactly(kMu * kForce_n * height_mm));
}

TEST_CASE("jaws give way along x as their drives do") {
  const auto along_x = [](Coupling coupling, HeldDrive drive, double sign) {
    return largest_force(hold_of(opposite_points(), kFlat, coupling, drive), sign * Vec3d::UnitX());
  };
  constexpr HeldDrive kGives = HeldDrive::kGivesWay;
  CHECK(along_x(Coupling::kIndependent, kGives, 1) == 0.0);
  CHECK(along_x(Coupling::kIndependent, HeldDrive::kLocks, 1) == exactly(2 * kForce_n));
  // Towards the fixed left jaw loads are held without end; away from it by the drive's force.
  CHECK(along_x(Coupling::kRightMoves, kGives, -1) == kMostHoldFactor);
  CHECK(along_x(Coupling::kRightMoves, kGives, 1) == exactly(kForce_n));
  CHECK(along_x(Coupling::kLeftMoves, kGives, 1) == kMostHoldFactor);
  CHECK(along_x(Coupling::kLeftMoves, kGives, -1) == exactly(kForce_n));
  // Across x all are alike.
  for (const Coupling coupling : {Coupling::kIndependent, Coupling::kRightMoves}) {
    CHECK(largest_force(hold_of(opposite_points(), kFlat, coupling), -Vec3d::UnitZ()) ==
          exactly(2 * kMu * kForce_n));
  }
}

TEST_CASE("independent jaws hold no load with a part along x, whatever the grasp") {
  // Right = F and left = F leave no force along x, so that the factor is 0, not the solver's noise.
  Random random(7);
  for (int k = 0; k < 300; ++k) {
    CAPTURE(k);
    const double mu = random.uniform(0.05, 1.0);
    std::vector<GraspContact> contacts;
    for (const double y : {-random.uniform(0.5, 20), random.uniform(0.5, 20)}) {
      contacts.push_back(contact(JawSide::kRight, {random.uniform(1, 40), y}, mu));
      contacts.push_back(contact(JawSide::kLeft, {-random.uniform(1, 40), y}, mu));
    }
    const double height_mm = random.uniform(0, 1) < 0.3 ? 0.0 : random.uniform(0.1, 20);
    const HoldHeights heights{random.uniform(-5, 5), 0.0, height_mm};
    const Hold hold = hold_of(contacts, heights, Coupling::kIndependent);
    const double share = std::pow(10.0, random.uniform(-6, 0));  // of a force that goes along x
    const double load_n = std::pow(10.0, random.uniform(-4, 2));
    const Vec3d load(share * load_n, random.uniform(-1, 1) * load_n, -load_n);
    CHECK(hold.largest_factor({load, Vec3d::Zero()}) == 0.0);
    CHECK(hold.largest_factor({load, random.uniform(-20, 20) * load}) == 0.0);
  }
}

TEST_CASE("a block between pads slips or tilts as its centre of mass lies") {
  const double width_mm = 16.0;
  const Hold hold = hold_of(pads(width_mm));
  const auto weight_at = [&](double d_mm) {
    // The weight 1 N at (0, d): its moment about the middle of the pads is (0, d, 0) x (0, 0, -1).
    return hold.largest_factor({-Vec3d::UnitZ(), -d_mm * Vec3d::UnitX()});
  };
  // Within the pads the pressure goes to where the weight is: it slips at 2 mu F.
  const double slips_n = 2 * kMu * kForce_n;
  for (const double d_mm : {0.0, 3.0, 8.0}) CHECK(weight_at(d_mm) == exactly(slips_n));
  // Beyond, the ends T_1 + T_2 = W, (T_1 - T_2) w / 2 = W d, |T_1| + |T_2| <= 2 mu F: it tilts at
  // mu F w / d.
  for (const double d_mm : {9.0, 16.0, 40.0}) {
    CHECK(weight_at(d_mm) == exactly(kMu * kForce_n * width_mm / d_mm));
    CHECK(weight_at(-d_mm) == exactly(kMu * kForce_n * width_mm / d_mm));
  }
}

TEST_CASE("a V holds a disc between three lines, more than its normal forces alone") {
  // The normals of the V lie at +-alpha from the closing direction; with friction in the plane the
  // disc wedges in it: N cos(alpha) - t sin(alpha) = F / 2 at each side, sqrt(t^2 + z^2) = mu N.
  // The most is z = (mu F / 2) / sqrt(cos^2 - mu^2 sin^2). High contacts take any moment about y.
  const double alpha = std::numbers::pi / 4;
  const double c = std::cos(alpha);
  const double s = std::sin(alpha);
  std::vector<GraspContact> contacts = {contact(JawSide::kLeft, {-kRadius_mm, 0})};
  for (const double sign : {1.0, -1.0}) {
    const Vec2 normal(-c, -sign * s);
    contacts.push_back({JawSide::kRight, -kRadius_mm * normal, normal, kMu});
  }
  const double z_n = 0.5 * kMu * kForce_n / std::sqrt(c * c - kMu * kMu * s * s);
  CHECK(largest_force(hold_of(contacts, band(200.0)), -Vec3d::UnitZ()) ==
        exactly(kMu * kForce_n + 2 * z_n));
  // At one height the moment about y has to vanish: 2 z R cos(alpha) = R z_left, and the left line,
  // with mu F, is what slips.
  CHECK(largest_force(hold_of(contacts), -Vec3d::UnitZ()) == exactly(kMu * kForce_n * (1 + 1 / c)));
  // Without friction it holds in the plane, and nothing upwards.
  for (GraspContact& one : contacts) one.mu = 0.0;
  const Hold smooth = hold_of(contacts);
  REQUIRE(is_in_equilibrium(smooth));
  CHECK(largest_force(smooth, -Vec3d::UnitZ()) == Approx(0.0).margin(1e-7));
  // Across: one side of the V takes it all once the other has let go, N s = f, N c = F_right, while
  // the right jaw keeps its share: f = F tan(alpha).
  CHECK(largest_force(smooth, Vec3d::UnitY()) == exactly(kForce_n * s / c));
}

TEST_CASE("three contacts hold a moment about x by the two on one side") {
  const double half_mm = 5.0;
  const std::vector<GraspContact> contacts = {contact(JawSide::kRight, {kRadius_mm, half_mm}),
                                              contact(JawSide::kRight, {kRadius_mm, -half_mm}),
                                              contact(JawSide::kLeft, {-kRadius_mm, 0})};
  const Hold hold = hold_of(contacts);
  CHECK(largest_moment(hold, Vec3d::UnitX()) == exactly(kMu * kForce_n * half_mm));
  CHECK(largest_force(hold, -Vec3d::UnitZ()) == exactly(2 * kMu * kForce_n));
}

TEST_CASE("points that friction does not hold without the table are no hold") {
  // The line through the points leaves the cone: 2 h / (2 R) against mu.
  const auto staggered = [](double tangent) {
    const double h = tangent * kRadius_mm;
    return hold_of(
        {contact(JawSide::kRight, {kRadius_mm, h}), contact(JawSide::kLeft, {-kRadius_mm, -h})});
  };
  CHECK(is_in_equilibrium(staggered(0.999 * kMu)));
  CHECK_FALSE(is_in_equilibrium(staggered(1.001 * kMu)));
  CHECK(largest_force(staggered(1.001 * kMu), -Vec3d::UnitZ()) == 0.0);
  // What is left of the cone lifts.
  const double h = 0.5 * kMu;
  CHECK(largest_force(staggered(h), -Vec3d::UnitZ()) ==
        exactly(2 * kForce_n * std::sqrt(kMu * kMu - h * h)));
}

namespace {

/// A square between half-plane jaws, 20 mm wide, as it lies after a closing.
struct HeldSquare {
  Scenario scenario = drawn_scenario(rectangle_loop(20.0, 20.0));
  TrialParameters trial;
  SimulationResult end;
  Manoeuvre manoeuvre;

  explicit HeldSquare(double y_mm = -15.0) {
    trial.placement_y_mm = -y_mm;
    trial.mu_jaw = kMu;
    trial.mu_support = 0.2;
    end = run(scenario, trial);
    manoeuvre.heights = {2.5, 0.0, 5.0};
  }
  [[nodiscard]] double factor() const {
    return hold_factor(scenario, trial, end.final_state, manoeuvre);
  }
  [[nodiscard]] double force_n() const { return scenario.gripper.closing_force_n; }
  [[nodiscard]] double weight_n() const {
    return scenario.mass.mass_kg * scenario.gravity_mm_s2 * 1e-3;
  }
};

}  // namespace

TEST_CASE("the contacts of a square are the ends of its flush sides") {
  const HeldSquare held;
  REQUIRE(held.end.end == EndReason::kStopped);
  const auto contacts = grasp_contacts(held.scenario, held.trial, held.end.final_state);
  REQUIRE(contacts.size() == 4);
  double most_y = -1e9;
  double least_y = 1e9;
  for (const GraspContact& one : contacts) {
    CHECK(one.normal_G.x() == Approx(inside_normal(one.side).x()).margin(1e-6));
    CHECK(one.mu == kMu);
    most_y = std::max(most_y, one.point_G_mm.y());
    least_y = std::min(least_y, one.point_G_mm.y());
  }
  CHECK(most_y - least_y == Approx(20.0).epsilon(1e-6));
}

TEST_CASE("the hold factor of a lift is 2 mu F over m (g + a)") {
  HeldSquare held;
  CHECK(held.factor() == exactly(2 * kMu * held.force_n() / held.weight_n()));
  held.manoeuvre.acceleration_mm_s2 = 4905.0;  // g / 2
  CHECK(held.factor() == exactly(2 * kMu * held.force_n() / (1.5 * held.weight_n())));
  // The force that would just do.
  const double f = held.factor();
  held.scenario.gripper.closing_force_n /= f;
  CHECK(held.factor() == exactly(1.0));
}

TEST_CASE("a horizontal acceleration in the worst direction adds to the weight") {
  HeldSquare held;
  held.manoeuvre.all_horizontal = true;
  CHECK(held.factor() == exactly(2 * kMu * held.force_n() / held.weight_n()));
  const double a = 2 * held.scenario.gravity_mm_s2;
  held.manoeuvre.acceleration_mm_s2 = a;
  // Across the jaws sqrt(g^2 + a^2) slips at 2 mu F. Along x the same friction has to do with the
  // weight, and less of it: the jaw that is pulled away presses less, the other more.
  const double per_g = std::sqrt(1.0 + 4.0);
  CHECK(held.factor() ==
        Approx(2 * kMu * held.force_n() / (per_g * held.weight_n())).epsilon(kWorstWithin));
  // Each of some directions by itself is no worse.
  held.manoeuvre.all_horizontal = false;
  const double worst = 2 * kMu * held.force_n() / (per_g * held.weight_n());
  for (int k = 0; k < 12; ++k) {
    const double angle = k * std::numbers::pi / 6;
    held.manoeuvre.directions = {{std::cos(angle), std::sin(angle), 0.0}};
    CHECK(held.factor() >= worst * (1 - 1e-9));
  }
}

TEST_CASE("a tool beside the part tilts it") {
  HeldSquare held(-15.0);
  held.manoeuvre.heights = {2.5, 2.5, 2.5};
  const double tool_kg = 0.2;
  held.manoeuvre.tool_mass_kg = tool_kg;
  const double tool_n = tool_kg * held.scenario.gravity_mm_s2 * 1e-3;
  const double both_n = tool_n + held.weight_n();
  // The common centre of mass leaves the sides of the square, 10 mm from its middle.
  for (const double y_mm : {0.0, 5.0, 30.0}) {
    CAPTURE(y_mm);
    held.manoeuvre.tool_at_mm = {0.0, y_mm, 2.5};
    const double d_mm = y_mm * tool_n / both_n;
    const double limit_n = 2 * kMu * held.force_n() * std::min(1.0, 10.0 / d_mm);
    CHECK(held.factor() == exactly(limit_n / both_n));
  }
}

TEST_CASE("what a square in the hand can bear") {
  HeldSquare held;
  const HoldCapacity c =
      hold_capacity(held.scenario, held.trial, held.end.final_state, held.manoeuvre);
  const double friction_n = 2 * kMu * held.force_n();
  CHECK(c.vertical_n == exactly(friction_n));
  // Beside the weight, in the same cones.
  const double across_n = std::sqrt(friction_n * friction_n - held.weight_n() * held.weight_n());
  CHECK(c.in_plane_n == Approx(across_n).epsilon(kWorstWithin));
  CHECK(std::abs(c.worst_direction_G.y()) == Approx(1.0).epsilon(1e-2));
  CHECK(c.moment_x_n_mm > 0);
  CHECK(c.moment_y_n_mm > 0);
  CHECK(c.moment_z_n_mm > 0);
}

TEST_CASE("a part that touches one jaw, or none, is not held") {
  HeldSquare held;
  State open = held.end.final_state;
  open.jaw_left_mm -= 5.0;
  CHECK(hold_factor(held.scenario, held.trial, open, held.manoeuvre) == 0.0);
  CHECK(hold_capacity(held.scenario, held.trial, open, held.manoeuvre).vertical_n == 0.0);
}
