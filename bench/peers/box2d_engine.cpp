// The lock-piece model in Box2D 2.4. What Box2D has no means for, and what stands for it here:
//
// Superellipses, discs aside: polygons of at most 8 corners, cut from the one that follows the
// outline most closely (outline.hpp). Contact normals jump from facet to facet.
//
// The ellipsoid limit surface: a friction joint. Its separate limits of force and moment are set
// before each step to what the ellipsoid allows in the direction of the velocity, one step behind.
// At rest both are at their full limits: too large by up to sqrt(2), for the one step in which a
// jaw sets the part in motion. The tripod and e_t != e_o are refused.
//
// Stiff damping of the jaws (m/c is 1 ms): explicit forces would be unstable, and Box2D's own
// damping weakens the contact forces. A body of mass m + h c under the force F - c v takes exactly
// the implicit Euler step.
//
// A guaranteed gap: contacts overlap by Box2D's slop, and more after an impact (a jaw moves 0.1 mm
// in 1/480 s), which is undone over some steps. Continuous collision would prevent that, but it
// takes more time than shorter steps to the same agreement.
//
// Converged steps: the iterations are of a fixed number, larger where both jaws touch the part; a
// light body squeezed between two heavy ones converges slowly.

#include "bench/peers/box2d_engine.hpp"

#include <box2d/box2d.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/peers/outline.hpp"
#include "bench/peers/stepped_engine.hpp"
#include "geometry/part.hpp"

namespace graspmap::bench {
namespace {

/// The part counts as moving, for its support friction, above this speed (of rotation times e_r).
constexpr double kRestMmPerS = 1e-3;

enum Category : std::uint16_t { kPartCategory = 1, kJawCategory = 2 };

class Box2dEngine : public SteppedEngine {
 public:
  Box2dEngine(const Scenario& scenario, const EllipsoidSupport& support, double step_s,
              const Box2dSettings& settings)
      : SteppedEngine(scenario, step_s,
                      settings.outline_error_mm + b2_polygonRadius / settings.units_per_mm),
        support_(support),
        settings_(settings) {
    make_part_shapes(settings.outline_error_mm);
    make_jaw_shapes();
  }

 protected:
  /// A new world for each trial, of bodies and shapes made once: all that Box2D remembers (its tree
  /// of boxes, above all) would make a trial depend on those before it. It takes at most a fortieth
  /// of a trial's time.
  void begin(const State& state, const TrialParameters& trial) override {
    friction_mn_ = trial.mu_support * scenario().mass.mass_kg * scenario().gravity_mm_s2;
    part_ = jaws_[0] = jaws_[1] = nullptr;
    world_.emplace(b2Vec2(0.0F, 0.0F));
    world_->SetAllowSleeping(false);
    world_->SetContinuousPhysics(false);
    const b2BodyDef fixed;
    ground_ = world_->CreateBody(&fixed);
    add_part(state, trial);
    add_jaws(state, trial);
  }

  [[nodiscard]] bool step() override {
    aim_support();
    for (std::size_t side = 0; side < 2; ++side) {
      const double sign = side == 0 ? -1.0 : 1.0;
      const double v = jaws_[side]->GetLinearVelocity().x / settings_.units_per_mm;
      const Gripper& g = scenario().gripper;
      const double force = sign * 1000.0 * g.closing_force_n - damping() * v;
      jaws_[side]->ApplyForceToCenter({length(force), 0.0F}, false);
    }
    const bool squeezed = touches(*jaws_[0]) && touches(*jaws_[1]);
    world_->Step(static_cast<float>(step_s()),
                 squeezed ? settings_.squeezed_velocity_iterations : settings_.velocity_iterations,
                 settings_.position_iterations);
    return part_->GetPosition().IsValid() && jaws_[0]->GetPosition().IsValid();
  }

  [[nodiscard]] State state() const override {
    State s;
    const b2Vec2 p = part_->GetPosition();
    const b2Vec2 v = part_->GetLinearVelocity();
    s.part_pose = {p.x / settings_.units_per_mm, p.y / settings_.units_per_mm, part_->GetAngle()};
    s.part_velocity = {v.x / settings_.units_per_mm, v.y / settings_.units_per_mm,
                       part_->GetAngularVelocity()};
    s.jaw_right_mm = jaws_[0]->GetPosition().x / settings_.units_per_mm;
    s.jaw_left_mm = jaws_[1]->GetPosition().x / settings_.units_per_mm;
    s.jaw_right_mm_s = jaws_[0]->GetLinearVelocity().x / settings_.units_per_mm;
    s.jaw_left_mm_s = jaws_[1]->GetLinearVelocity().x / settings_.units_per_mm;
    return s;
  }

  [[nodiscard]] bool touching() const override { return touches(*jaws_[0]) || touches(*jaws_[1]); }

 private:
  /// Lengths (or forces, from mN) in Box2D's unit. Its tolerances are lengths in that unit: with
  /// 1 mm, its slop is 0.005 mm and its polygons have a skin of 0.01 mm, by which they are inset.
  [[nodiscard]] float length(double mm) const {
    return static_cast<float>(mm * settings_.units_per_mm);
  }
  [[nodiscard]] b2Vec2 vector(const Vec2& mm) const { return {length(mm.x()), length(mm.y())}; }
  [[nodiscard]] double skin_mm() const { return b2_polygonRadius / settings_.units_per_mm; }

  [[nodiscard]] static bool touches(const b2Body& jaw) {
    for (const b2ContactEdge* c = jaw.GetContactList(); c != nullptr; c = c->next) {
      if (c->contact->IsTouching()) return true;
    }
    return false;
  }

  /// c of the closing force F - c v, mN s/mm.
  [[nodiscard]] double damping() const {
    const Gripper& g = scenario().gripper;
    return 1000.0 * g.closing_force_n / g.closing_speed_mm_s;
  }

  void make_part_shapes(double outline_error_mm) {
    const Part& part = scenario().part;
    for (std::size_t i = 0; i < part.pieces.size(); ++i) {
      const Piece& piece = part.pieces[i];
      const Pose2 X_BA{piece.pose.position_mm - scenario().mass.center_of_mass_P_mm,
                       piece.pose.angle_rad};
      if (piece.shape.is_disc()) {
        b2CircleShape& circle = circles_.emplace_back();
        circle.m_p = vector(X_BA.position_mm);
        circle.m_radius = length(piece.shape.a_mm);
        continue;
      }
      for (const std::vector<Vec2>& corners : octagons(part, i, outline_error_mm, skin_mm())) {
        std::array<b2Vec2, b2_maxPolygonVertices> points;
        for (std::size_t k = 0; k < corners.size(); ++k) {
          points[k] = vector(transform(X_BA, corners[k]));
        }
        b2PolygonShape& polygon = polygons_.emplace_back();
        polygon.Set(points.data(), static_cast<int>(corners.size()));
        // A unit square is what Box2D makes of corners closer together than its slop.
        if (std::find(points.begin(), points.end(), polygon.m_vertices[0]) == points.end()) {
          throw std::invalid_argument("Box2D: piece \"" + piece.name + "\" is too small for it");
        }
      }
    }
    for (const OutlinePiece& piece : part.outlines) {
      std::vector<b2Vec2> points;
      for (const Vec2& corner : convex_corners(piece, skin_mm())) {
        points.push_back(vector(corner - scenario().mass.center_of_mass_P_mm));
      }
      if (points.size() > std::size_t{b2_maxPolygonVertices}) {
        throw std::invalid_argument("Box2D: piece \"" + piece.name + "\" has more than 8 corners");
      }
      polygons_.emplace_back().Set(points.data(), static_cast<int>(points.size()));
    }
  }

  void make_jaw_shapes() {
    const double size_mm =
        2.0 * bounding_radius_mm(scenario().part, scenario().mass.center_of_mass_P_mm) +
        scenario().gripper.opening_mm;
    for (std::size_t side = 0; side < 2; ++side) {
      const double sign = side == 0 ? 1.0 : -1.0;
      jaw_shapes_[side].SetAsBox(
          length(0.5 * size_mm), length(0.5 * size_mm),
          vector({sign * (0.5 * size_mm + skin_mm()), -0.5 * size_mm - skin_mm()}), 0.0F);
    }
  }

  void add_fixture(b2Body& body, const b2Shape& shape, double mu, Category category) const {
    b2FixtureDef fixture;
    fixture.shape = &shape;
    fixture.friction = static_cast<float>(mu);  // mixed as sqrt(mu mu) = mu
    fixture.restitution = 0.0F;                 // whatever the speed of the impact
    fixture.filter.categoryBits = category;
    fixture.filter.maskBits = category == kPartCategory ? kJawCategory : kPartCategory;
    body.CreateFixture(&fixture);
  }

  void set_mass(b2Body& body, double mass_kg, double inertia_kg_mm2) const {
    b2MassData mass;
    mass.mass = static_cast<float>(mass_kg);
    mass.center.SetZero();
    mass.I = static_cast<float>(inertia_kg_mm2 * settings_.units_per_mm * settings_.units_per_mm);
    body.SetMassData(&mass);
  }

  void add_part(const State& state, const TrialParameters& trial) {
    b2BodyDef body;
    body.type = b2_dynamicBody;
    body.position = vector(state.part_pose.head<2>());
    body.angle = static_cast<float>(state.part_pose[2]);
    part_ = world_->CreateBody(&body);
    for (const b2CircleShape& shape : circles_) {
      add_fixture(*part_, shape, trial.mu_jaw, kPartCategory);
    }
    for (const b2PolygonShape& shape : polygons_) {
      add_fixture(*part_, shape, trial.mu_jaw, kPartCategory);
    }
    set_mass(*part_, scenario().mass.mass_kg, scenario().mass.inertia_kg_mm2);

    b2FrictionJointDef joint;
    joint.Initialize(ground_, part_, part_->GetPosition());
    friction_ = static_cast<b2FrictionJoint*>(world_->CreateJoint(&joint));
  }

  void add_jaws(const State& state, const TrialParameters& trial) {
    std::array<b2Joint*, 2> slides{};
    for (std::size_t side = 0; side < 2; ++side) {
      const bool right = side == 0;
      b2BodyDef body;
      body.type = b2_dynamicBody;
      body.fixedRotation = true;
      body.position.Set(length(right ? state.jaw_right_mm : state.jaw_left_mm), 0.0F);
      body.linearVelocity.Set(length(right ? state.jaw_right_mm_s : state.jaw_left_mm_s), 0.0F);
      jaws_[side] = world_->CreateBody(&body);
      add_fixture(*jaws_[side], jaw_shapes_[side], trial.mu_jaw, kJawCategory);
      set_mass(*jaws_[side], scenario().gripper.jaw_mass_kg + step_s() * damping(), 0.0);

      b2PrismaticJointDef joint;
      joint.Initialize(ground_, jaws_[side], jaws_[side]->GetPosition(), {1.0F, 0.0F});
      slides[side] = world_->CreateJoint(&joint);
    }
    if (scenario().gripper.coupling == Coupling::kIndependent) return;
    b2GearJointDef gear;
    gear.bodyA = jaws_[0];
    gear.bodyB = jaws_[1];
    gear.joint1 = slides[0];
    gear.joint2 = slides[1];
    gear.ratio = 1.0F;
    world_->CreateJoint(&gear);
  }

  /// The limits of force and moment in the direction of the part's velocity v, by maximum power
  /// dissipation: f = -mu m g E^2 v / |E v| with E = diag(e_t, e_t, e_r).
  void aim_support() {
    const b2Vec2 v = part_->GetLinearVelocity();
    const double speed = std::hypot(v.x, v.y) / settings_.units_per_mm;
    const double w = std::abs(part_->GetAngularVelocity());
    const double e = support_.e_t;
    const double e_r = support_.e_r_mm;
    const double norm = std::hypot(e * speed, e_r * w);
    double share = 1.0;
    double share_r = 1.0;
    if (norm > kRestMmPerS) {
      share = e * speed / norm;
      share_r = e_r * w / norm;
    }
    friction_->SetMaxForce(length(friction_mn_ * e * share));
    friction_->SetMaxTorque(static_cast<float>(friction_mn_ * e_r * share_r *
                                               settings_.units_per_mm * settings_.units_per_mm));
  }

  EllipsoidSupport support_;
  Box2dSettings settings_;
  std::vector<b2CircleShape> circles_;
  std::vector<b2PolygonShape> polygons_;
  std::array<b2PolygonShape, 2> jaw_shapes_;
  std::optional<b2World> world_;
  b2Body* ground_ = nullptr;
  b2Body* part_ = nullptr;
  std::array<b2Body*, 2> jaws_{};
  b2FrictionJoint* friction_ = nullptr;
  double friction_mn_ = 0.0;
};

}  // namespace

std::unique_ptr<Engine> make_box2d_engine(const Scenario& scenario, double step_s,
                                          const Box2dSettings& settings) {
  const auto* support = std::get_if<EllipsoidSupport>(&scenario.support);
  if (support == nullptr || support->e_t != support->e_o) {
    throw std::invalid_argument(
        "Box2D: the support must be the ellipsoid with e_t = e_o; its friction joint knows no "
        "other");
  }
  return std::make_unique<Box2dEngine>(scenario, *support, step_s, settings);
}

}  // namespace graspmap::bench
