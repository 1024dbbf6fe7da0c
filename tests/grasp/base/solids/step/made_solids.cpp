#include "tests/grasp/base/solids/step/made_solids.hpp"

#include <BRepAlgoAPI_Cut.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakePolygon.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepFilletAPI_MakeFillet.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakePrism.hxx>
#include <BRepPrimAPI_MakeRevol.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <BRep_Builder.hxx>
#include <GC_MakeArcOfCircle.hxx>
#include <GeomAPI_Interpolate.hxx>
#include <Geom_BSplineCurve.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <STEPControl_Controller.hxx>
#include <STEPControl_Writer.hxx>
#include <ShapeUpgrade_UnifySameDomain.hxx>
#include <StlAPI_Writer.hxx>
#include <TColgp_HArray1OfPnt.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>
#include <gp_Trsf.hxx>
#include <stdexcept>

namespace graspmap::testing {

class MadeSolid::Shape {
 public:
  explicit Shape(TopoDS_Shape shape) : value(std::move(shape)) {}
  TopoDS_Shape value;
};

namespace {

gp_Pnt flat_point(const Eigen::Vector2d& p) { return {p.x(), p.y(), 0.0}; }

TopoDS_Wire wire_of(const OutlineLoop& loop) {
  BRepBuilderAPI_MakeWire wire;
  for (const OutlineCurve& curve : outline_curves(loop)) {
    if (curve.is_arc()) {
      wire.Add(BRepBuilderAPI_MakeEdge(GC_MakeArcOfCircle(flat_point(curve.begin_mm),
                                                          flat_point(point_at(curve, 0.5)),
                                                          flat_point(curve.end_mm))
                                           .Value()));
    } else {
      wire.Add(BRepBuilderAPI_MakeEdge(flat_point(curve.begin_mm), flat_point(curve.end_mm)));
    }
  }
  return wire.Wire();
}

}  // namespace

#define MADE(shape) MadeSolid(std::make_shared<Shape>(shape))

MadeSolid MadeSolid::box(double x, double y, double z) {
  return MADE(BRepPrimAPI_MakeBox(x, y, z).Shape());
}
MadeSolid MadeSolid::cylinder(double radius, double height) {
  return MADE(BRepPrimAPI_MakeCylinder(radius, height).Shape());
}
MadeSolid MadeSolid::sphere(double radius) { return MADE(BRepPrimAPI_MakeSphere(radius).Shape()); }
MadeSolid MadeSolid::cone(double low, double high, double height) {
  return MADE(BRepPrimAPI_MakeCone(low, high, height).Shape());
}
MadeSolid MadeSolid::torus(double radius, double tube) {
  return MADE(BRepPrimAPI_MakeTorus(radius, tube).Shape());
}

MadeSolid MadeSolid::prism(const Outline& outline, double height) {
  BRepBuilderAPI_MakeFace face(wire_of(outline.outer));
  for (const OutlineLoop& hole : outline.holes) face.Add(wire_of(hole));
  return MADE(BRepPrimAPI_MakePrism(face.Face(), gp_Vec(0, 0, height)).Shape());
}

MadeSolid MadeSolid::revolved(const std::vector<Eigen::Vector2d>& profile) {
  BRepBuilderAPI_MakePolygon polygon;
  for (const Eigen::Vector2d& p : profile) polygon.Add(gp_Pnt(p.x(), 0.0, p.y()));
  polygon.Close();
  BRepBuilderAPI_MakeFace face(polygon.Wire());
  return MADE(BRepPrimAPI_MakeRevol(face.Face(), gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1))).Shape());
}

MadeSolid MadeSolid::spline_prism(const std::vector<Eigen::Vector2d>& points, double height) {
  Handle(TColgp_HArray1OfPnt) through =
      new TColgp_HArray1OfPnt(1, static_cast<Standard_Integer>(points.size()));
  for (std::size_t k = 0; k < points.size(); ++k) {
    through->SetValue(static_cast<Standard_Integer>(k) + 1, flat_point(points[k]));
  }
  GeomAPI_Interpolate curve(through, Standard_True, 1e-9);
  curve.Perform();
  BRepBuilderAPI_MakeWire wire(BRepBuilderAPI_MakeEdge(curve.Curve()).Edge());
  BRepBuilderAPI_MakeFace face(wire.Wire());
  return MADE(BRepPrimAPI_MakePrism(face.Face(), gp_Vec(0, 0, height)).Shape());
}

MadeSolid MadeSolid::placed(const Eigen::Isometry3d& pose) const {
  const Eigen::Matrix4d m = pose.matrix();
  gp_Trsf place;
  place.SetValues(m(0, 0), m(0, 1), m(0, 2), m(0, 3), m(1, 0), m(1, 1), m(1, 2), m(1, 3), m(2, 0),
                  m(2, 1), m(2, 2), m(2, 3));
  return MADE(BRepBuilderAPI_Transform(shape_->value, place).Shape());
}

MadeSolid MadeSolid::without(const MadeSolid& other) const {
  return MADE(BRepAlgoAPI_Cut(shape_->value, other.shape_->value).Shape());
}

MadeSolid MadeSolid::with(const MadeSolid& other) const {
  ShapeUpgrade_UnifySameDomain united(BRepAlgoAPI_Fuse(shape_->value, other.shape_->value).Shape());
  united.Build();
  return MADE(united.Shape());
}

MadeSolid MadeSolid::rounded(double radius) const {
  BRepFilletAPI_MakeFillet fillet(shape_->value);
  for (TopExp_Explorer edges(shape_->value, TopAbs_EDGE); edges.More(); edges.Next()) {
    fillet.Add(radius, TopoDS::Edge(edges.Current()));
  }
  return MADE(fillet.Shape());
}

MadeSolid MadeSolid::beside(const MadeSolid& other) const {
  TopoDS_Compound both;
  const BRep_Builder builder;
  builder.MakeCompound(both);
  builder.Add(both, shape_->value);
  builder.Add(both, other.shape_->value);
  return MADE(both);
}

MadeSolid MadeSolid::skin() const {
  return MADE(TopExp_Explorer(shape_->value, TopAbs_SHELL).Current());
}

#undef MADE

void MadeSolid::write(const std::filesystem::path& file, const char* unit) const {
  Message::DefaultMessenger()->ChangePrinters().Clear();
  STEPControl_Controller::Init();
  Interface_Static::SetCVal("write.step.unit", unit);  // before the writer
  STEPControl_Writer writer;
  writer.Transfer(shape_->value, STEPControl_AsIs);
  if (writer.Write(file.c_str()) != IFSelect_RetDone) throw std::runtime_error("cannot write STEP");
}

void MadeSolid::write_stl(const std::filesystem::path& file, double deviation) const {
  const TopoDS_Shape copy = BRepBuilderAPI_Transform(shape_->value, gp_Trsf(), true).Shape();
  const BRepMesh_IncrementalMesh mesher(copy, deviation, Standard_False, 0.5);
  StlAPI_Writer writer;
  writer.ASCIIMode() = Standard_False;
  if (!writer.Write(copy, file.c_str())) throw std::runtime_error("cannot write STL");
}

}  // namespace graspmap::testing
