#include <catch2/catch.hpp>

#include "lab/spatial/implicit_problem.hpp"

using namespace graspmap;

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
