#include "tests/lab/articulated/simbody/simbody_tree.hpp"

#include <Simbody.h>

#include <Eigen/Geometry>

#include "lab/articulated/system.hpp"

namespace graspmap::testing {
namespace {

SimTK::Vec3 to_simbody(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

SimTK::Body::Rigid rigid_body(const Link& link) {
  // Simbody's inertia is about the body's origin.
  const Vec3& c = link.centre_of_mass_mm;
  const Mat3 about_origin =
      link.inertia_kg_mm2 + link.mass_kg * (c.squaredNorm() * Mat3::Identity() - c * c.transpose());
  const SimTK::Inertia inertia(
      SimTK::Vec3(about_origin(0, 0), about_origin(1, 1), about_origin(2, 2)),
      SimTK::Vec3(about_origin(1, 0), about_origin(2, 0), about_origin(2, 1)));
  return SimTK::Body::Rigid(SimTK::MassProperties(link.mass_kg, to_simbody(c), inertia));
}

/// A frame whose z axis (of a pin) or x axis (of a slider) is the joint's.
SimTK::Rotation joint_axes(const Joint& joint) {
  if (joint.kind == JointKind::kPin) {
    return SimTK::Rotation(SimTK::UnitVec3(to_simbody(joint.axis)), SimTK::ZAxis);
  }
  if (joint.kind == JointKind::kSlider) {
    return SimTK::Rotation(SimTK::UnitVec3(to_simbody(joint.axis)), SimTK::XAxis);
  }
  return {};
}

}  // namespace

struct SimbodyTree::Parts {
  explicit Parts(const ArticulatedSystem& tree)
      : matter(multibody),
        forces(multibody),
        gravity(forces, matter, to_simbody(tree.gravity_mm_s2)) {}

  SimTK::MultibodySystem multibody;
  SimTK::SimbodyMatterSubsystem matter;
  SimTK::GeneralForceSubsystem forces;
  SimTK::Force::UniformGravity gravity;
  SimTK::State state;
  std::vector<SimTK::MobilizedBodyIndex> bodies;

  SimTK::MobilizedBody& body(int link) {
    return matter.updMobilizedBody(link < 0 ? SimTK::MobilizedBodyIndex(0)
                                            : bodies[static_cast<std::size_t>(link)]);
  }
  Eigen::MatrixXd to_ours;  ///< block diagonal, orthogonal: from Simbody's velocities
};

namespace {

SimTK::MobilizedBodyIndex add_link(const Link& link, SimTK::MobilizedBody& parent) {
  const SimTK::Rotation axes = joint_axes(link.joint);
  const SimTK::Transform on_parent(axes, to_simbody(link.joint.at_mm));
  const SimTK::Transform on_link(axes);
  const SimTK::Body::Rigid body = rigid_body(link);
  switch (link.joint.kind) {
    case JointKind::kPin:
      return SimTK::MobilizedBody::Pin(parent, on_parent, body, on_link).getMobilizedBodyIndex();
    case JointKind::kSlider:
      return SimTK::MobilizedBody::Slider(parent, on_parent, body, on_link).getMobilizedBodyIndex();
    case JointKind::kBall:
      return SimTK::MobilizedBody::Ball(parent, on_parent, body, on_link).getMobilizedBodyIndex();
    case JointKind::kFree:
      break;
  }
  return SimTK::MobilizedBody::Free(parent, on_parent, body, on_link).getMobilizedBodyIndex();
}

}  // namespace

SimbodyTree::SimbodyTree(const ArticulatedSystem& system)
    : parts_(std::make_unique<Parts>(system)) {
  Parts& parts = *parts_;
  for (const Link& link : system.links) {
    parts.bodies.push_back(add_link(link, parts.body(link.parent)));
  }
  parts.state = parts.multibody.realizeTopology();
  parts.multibody.realizeModel(parts.state);
  const ArticulatedState start = start_state(system);
  const CoordinateLayout layout = coordinate_layout(system);
  parts.to_ours = Eigen::MatrixXd::Identity(layout.nu_size, layout.nu_size);
  for (std::size_t k = 0; k < system.links.size(); ++k) {
    const SimTK::MobilizedBody& body = parts.body(static_cast<int>(k));
    const int i = layout.q_begin[k];
    const int j = layout.nu_begin[k];
    const int n = velocity_size(system.links[k].joint.kind);
    if (n == 1) {
      body.setOneQ(parts.state, 0, start.q[i]);
      continue;
    }
    const int offset = n - 3;  // of the quaternion, and of the angular velocity
    const Eigen::Vector4d q = start.q.segment<4>(i + offset);
    body.setQToFitRotation(parts.state, SimTK::Rotation(SimTK::Quaternion(q[0], q[1], q[2], q[3])));
    const Mat3 turned = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix().transpose();
    parts.to_ours.block<3, 3>(j + offset, j) = turned;
    if (offset == 0) continue;
    // Simbody has angular velocities first.
    body.setQToFitTranslation(parts.state, to_simbody(Vec3(start.q.segment<3>(i))));
    parts.to_ours.block<3, 3>(j, j).setZero();
    parts.to_ours.block<3, 3>(j, j + 3).setIdentity();
    parts.to_ours.block<3, 3>(j + 3, j + 3).setZero();
  }
  const Eigen::VectorXd u = parts.to_ours.transpose() * start.nu;
  for (int j = 0; j < layout.nu_size; ++j) parts.state.updU()[j] = u[j];
  parts.multibody.realize(parts.state, SimTK::Stage::Acceleration);
}

SimbodyTree::~SimbodyTree() = default;

Eigen::VectorXd SimbodyTree::accelerations() const {
  const SimTK::Vector& udot = parts_->state.getUDot();
  Eigen::VectorXd found(udot.size());
  for (int i = 0; i < udot.size(); ++i) found[i] = udot[i];
  // Angular velocities of a link in its parent's axes and in its own: the same rates, turned.
  return parts_->to_ours * found;
}

Eigen::MatrixXd SimbodyTree::inverse_mass_matrix() const {
  SimTK::Matrix inverse;
  parts_->matter.calcMInv(parts_->state, inverse);
  Eigen::MatrixXd found(inverse.nrow(), inverse.ncol());
  for (int i = 0; i < inverse.nrow(); ++i) {
    for (int j = 0; j < inverse.ncol(); ++j) found(i, j) = inverse(i, j);
  }
  return parts_->to_ours * found * parts_->to_ours.transpose();
}

Eigen::MatrixXd SimbodyTree::station_jacobian(int link, const Vec3& point_mm) const {
  SimTK::Matrix J;
  parts_->matter.calcStationJacobian(parts_->state, parts_->body(link).getMobilizedBodyIndex(),
                                     to_simbody(point_mm), J);
  Eigen::MatrixXd found(3, J.ncol());
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < J.ncol(); ++j) found(i, j) = J(i, j);
  }
  return found * parts_->to_ours.transpose();
}

double SimbodyTree::kinetic_energy() const {
  return parts_->matter.calcKineticEnergy(parts_->state);
}

}  // namespace graspmap::testing
