#include <Eigen/LU>
#include <catch2/catch.hpp>

#include "lab/spatial/implicit_problem.hpp"
#include "lab/spatial/scene.hpp"

using namespace graspmap;

TEST_CASE("frames in space are right-handed whatever axis is asked for") {
  for (const Vec3& n :
       {Vec3(1.0, 0.0, 0.0), Vec3(0.0, 0.6, -0.8), Vec3(0.0, 0.0, -1.0),
        Vec3(0.999, 0.03, 0.0).normalized(), Vec3(0.9999, 0.001, 0.0).normalized()}) {
    for (const Vec3& wanted : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitZ())}) {
      const ContactFrame frame = contact_frame(n, wanted);
      Mat3 axes;
      axes << frame.n, frame.t, frame.o;
      CHECK((axes.transpose() * axes - Mat3::Identity()).norm() < 1e-14);
      CHECK(axes.determinant() == Approx(1.0));
    }
  }
}

TEST_CASE("frames in space turn with their normals as finite differences do") {
  constexpr double kDelta = 1e-6;
  for (const Vec3& n : {Vec3(1.0, 0.0, 0.0), Vec3(0.48, 0.6, 0.64), Vec3(0.0, 0.0, 1.0)}) {
    for (const Vec3& wanted : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitZ())}) {
      const ContactFrameTurns turns = frame_turns(contact_frame(n, wanted));
      for (int i = 0; i < 3; ++i) {
        const ContactFrame plus = contact_frame(n + kDelta * Vec3::Unit(i), wanted);
        const ContactFrame minus = contact_frame(n - kDelta * Vec3::Unit(i), wanted);
        CHECK((turns.dt_dn.col(i) - (plus.t - minus.t) / (2.0 * kDelta)).norm() < 1e-8);
        CHECK((turns.do_dn.col(i) - (plus.o - minus.o) / (2.0 * kDelta)).norm() < 1e-8);
      }
    }
  }
}

TEST_CASE("patches are told by the multipliers that are not zero") {
  const Solid box = Box3{Vec3::Constant(10.0)};
  StepContact contact;
  contact.surfaces_a = surfaces(box);
  contact.surfaces_b = surfaces(Solid{HalfSpace{}});
  Eigen::VectorXd z = Eigen::VectorXd::Zero(contact.size());
  const auto patch_of = [&] {
    SpatialContact read;
    read.p_n = 1.0;
    set_patch(contact, z, {}, Mat3::Identity(), Mat3::Identity(), read);
    return read;
  };
  CHECK(patch_of().patch == PatchKind::kOpen);  // an iterate far from any solution
  z[contact.multiplier_b()] = 1.0;
  z[contact.multiplier_a() + 5] = 1.0;  // -z
  CHECK(patch_of().patch == PatchKind::kSurface);
  z[contact.multiplier_a() + 1] = 0.5;  // -x
  CHECK(patch_of().patch == PatchKind::kLine);
  z[contact.multiplier_a() + 3] = 0.5;  // -y
  const SpatialContact point = patch_of();
  CHECK(point.patch == PatchKind::kPoint);
  CHECK(point.facets_a == 3);
  CHECK(point.facets_b == 1);
}
