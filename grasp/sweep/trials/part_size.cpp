#include "grasp/sweep/trials/part_size.hpp"

namespace graspmap {
namespace {

void scale(OutlineLoop& loop, double factor) {
  for (OutlineElement& element : loop) element.begin_mm *= factor;
}

void scale(Part& part, double factor) {
  for (Piece& piece : part.pieces) {
    piece.shape.a_mm *= factor;
    piece.shape.b_mm *= factor;
    piece.pose.position_mm *= factor;
  }
  for (OutlinePiece& piece : part.outlines) {
    scale(piece.outline.outer, factor);
    for (OutlineLoop& hole : piece.outline.holes) scale(hole, factor);
    piece.pose.position_mm *= factor;
  }
}

void scale(MassProperties& mass, double factor) {
  const double area = factor * factor;
  mass.mass_kg *= area;
  mass.center_of_mass_P_mm *= factor;
  mass.inertia_kg_mm2 *= area * area;
}

struct SupportScaling {
  double factor;

  void operator()(EllipsoidSupport& support) const { support.e_r_mm *= factor; }
  void operator()(TripodSupport& support) const { support.radius_mm *= factor; }
  void operator()(PointsSupport& support) const {
    for (SupportPoint& point : support.points) point.point_P_mm *= factor;
  }
  void operator()(PartEllipsoidSupport& support) const { support.length_mm *= factor; }
  void operator()(FourthOrderSupport& support) const { support.length_mm *= factor; }
};

}  // namespace

Scenario with_part_scaled(Scenario scenario, double factor) {
  scale(scenario.part, factor);
  scale(scenario.mass, factor);
  std::visit(SupportScaling{factor}, scenario.support);
  return scenario;
}

}  // namespace graspmap
