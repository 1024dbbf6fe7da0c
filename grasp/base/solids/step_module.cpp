/// STEP files by OpenCASCADE: a library of its own, which read_step loads.
#include <fmt/format.h>

#include <BRepAdaptor_Curve.hxx>
#include <BRepAdaptor_Curve2d.hxx>
#include <BRepAdaptor_Surface.hxx>
#include <BRepAlgoAPI_Section.hxx>
#include <BRepBndLib.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <GeomConvert.hxx>
#include <Geom_BSplineCurve.hxx>
#include <Geom_TrimmedCurve.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Poly_Triangulation.hxx>
#include <STEPControl_Reader.hxx>
#include <Standard_Failure.hxx>
#include <TColStd_Array1OfReal.hxx>
#include <TColStd_SequenceOfAsciiString.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Edge.hxx>
#include <TopoDS_Face.hxx>
#include <algorithm>
#include <gp_Circ.hxx>
#include <gp_Elips.hxx>
#include <gp_Pln.hxx>
#include <limits>
#include <math.hxx>
#include <math_Vector.hxx>
#include <stdexcept>

#include "grasp/base/solids/mesh.hpp"
#include "grasp/base/solids/step_reader.hpp"

namespace graspmap {
namespace {

/// Of facets of curved faces against each other, at most.
constexpr double kFacetAngleRad = 0.2;

/// Points of facets this near are one: files are no more exact.
constexpr double kWeldMm = 1e-6;

/// OpenCASCADE says of each edge how far it may be off; less is rounding.
constexpr double kExactEdgeMm = 1e-6;

Vec3 point_of(const gp_XYZ& xyz) { return {xyz.X(), xyz.Y(), xyz.Z()}; }
Vec2 flat(const gp_XYZ& xyz) { return {xyz.X(), xyz.Y()}; }

/// Integrals over the solid as integrals over its faces (divergence theorem), and these as
/// integrals along their edges in the faces' parameters (Green's theorem), by Gauss's rule between
/// knots. OpenCASCADE's own (BRepGProp) are off by 1e-3 for prisms of splines.
class SolidIntegrator {
 public:
  explicit SolidIntegrator(const TopoDS_Shape& shape) {
    math::GaussPoints(kPoints, points_);
    math::GaussWeights(kPoints, weights_);
    Bnd_Box box;
    BRepBndLib::Add(shape, box, Standard_False);
    from_ = 0.5 * (point_of(box.CornerMin().XYZ()) + point_of(box.CornerMax().XYZ()));
    for (TopExp_Explorer faces(shape, TopAbs_FACE); faces.More(); faces.Next()) {
      add_face(TopoDS::Face(faces.Current()));
    }
  }

  [[nodiscard]] SolidIntegrals integrals() const {
    SolidIntegrals integrals;
    integrals.volume_mm3 = sums_[0];
    const Vec3 centroid = sums_.segment<3>(1) / sums_[0];
    integrals.centroid_mm = from_ + centroid;
    Eigen::Matrix3d moments;
    moments << sums_[4], sums_[7], sums_[9], sums_[7], sums_[5], sums_[8], sums_[9], sums_[8],
        sums_[6];
    moments -= sums_[0] * centroid * centroid.transpose();
    integrals.inertia_mm5 = moments.trace() * Eigen::Matrix3d::Identity() - moments;
    return integrals;
  }

 private:
  /// Of 1, x, y, z, x^2, y^2, z^2, x y, y z, z x over the solid.
  using Sums = Eigen::Matrix<double, 10, 1>;
  static constexpr int kPoints = 12;
  /// Arcs and their surfaces are divided into pieces of this angle.
  static constexpr double kPiece = M_PI / 4;

  /// What the divergence theorem makes of them at a point of a face, dA = S_u x S_v.
  [[nodiscard]] Sums at(const BRepAdaptor_Surface& surface, double u, double v) const {
    gp_Pnt point;
    gp_Vec along_u;
    gp_Vec along_v;
    surface.D1(u, v, point, along_u, along_v);
    const Vec3 r = point_of(point.XYZ()) - from_;
    const Vec3 n = point_of(along_u.Crossed(along_v).XYZ());
    Sums sums;
    sums << r.dot(n) / 3.0, 0.5 * r.cwiseProduct(r).cwiseProduct(n),
        r.cwiseProduct(r).cwiseProduct(r).cwiseProduct(n) / 3.0,
        0.5 * r.x() * r.x() * r.y() * n.x(), 0.5 * r.y() * r.y() * r.z() * n.y(),
        0.5 * r.z() * r.z() * r.x() * n.z();
    return sums;
  }

  template <typename F>
  [[nodiscard]] Sums integral(double begin, double end, const F& f) const {
    Sums sums = Sums::Zero();
    const double half = 0.5 * (end - begin);
    for (int k = 1; k <= kPoints; ++k) {
      sums += weights_(k) * half * f(begin + half * (1.0 + points_(k)));
    }
    return sums;
  }

  /// The parameters between which a surface is smooth in u or in v.
  static std::vector<double> knots_of(const BRepAdaptor_Surface& surface, bool in_u) {
    const int count = in_u ? surface.NbUIntervals(GeomAbs_CN) : surface.NbVIntervals(GeomAbs_CN);
    TColStd_Array1OfReal knots(1, count + 1);
    if (in_u) {
      surface.UIntervals(knots, GeomAbs_CN);
    } else {
      surface.VIntervals(knots, GeomAbs_CN);
    }
    return {knots.begin(), knots.end()};
  }

  /// begin, then what divides the way to end, end.
  static std::vector<double> divided(double begin, double end, const std::vector<double>& knots,
                                     double piece) {
    std::vector<double> cuts{begin};
    for (const double knot : knots) {
      if (std::min(begin, end) < knot && knot < std::max(begin, end)) cuts.push_back(knot);
    }
    cuts.push_back(end);
    std::sort(cuts.begin(), cuts.end());
    if (begin > end) std::reverse(cuts.begin(), cuts.end());
    std::vector<double> pieces{begin};
    for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
      const int parts =
          std::max(1, static_cast<int>(std::ceil(std::abs(cuts[k + 1] - cuts[k]) / piece)));
      for (int i = 1; i <= parts; ++i) {
        pieces.push_back(cuts[k] + (cuts[k + 1] - cuts[k]) * i / parts);
      }
    }
    return pieces;
  }

  void add_face(const TopoDS_Face& oriented) {
    const double sense = oriented.Orientation() == TopAbs_REVERSED ? -1.0 : 1.0;
    const TopoDS_Face face = TopoDS::Face(oriented.Oriented(TopAbs_FORWARD));
    const BRepAdaptor_Surface surface(face);
    const bool is_plane = surface.GetType() == GeomAbs_Plane;
    const bool has_knots =
        surface.GetType() == GeomAbs_BSplineSurface || surface.GetType() == GeomAbs_BezierSurface;
    const double piece = is_plane || has_knots ? std::numeric_limits<double>::infinity() : kPiece;
    std::vector<double> u_knots;
    std::vector<double> v_knots;
    if (!is_plane) {
      u_knots = knots_of(surface, true);
      v_knots = knots_of(surface, false);
    }
    const double u_begin = surface.FirstUParameter();
    for (TopExp_Explorer edges(face, TopAbs_EDGE); edges.More(); edges.Next()) {
      const TopoDS_Edge& edge = TopoDS::Edge(edges.Current());
      const double way = edge.Orientation() == TopAbs_REVERSED ? -sense : sense;
      const BRepAdaptor_Curve2d curve(edge, face);
      const std::vector<double> cuts = smooth_parts(curve, u_knots, v_knots, piece);
      for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
        sums_ += way * integral(cuts[k], cuts[k + 1], [&](double t) {
                   gp_Pnt2d uv;
                   gp_Vec2d along;
                   curve.D1(t, uv, along);
                   Sums inner = Sums::Zero();
                   const std::vector<double> us = divided(u_begin, uv.X(), u_knots, piece);
                   for (std::size_t i = 0; i + 1 < us.size(); ++i) {
                     inner += integral(us[i], us[i + 1],
                                       [&](double u) { return at(surface, u, uv.Y()); });
                   }
                   return Sums(along.Y() * inner);
                 });
      }
    }
  }

  /// The parameters of an edge's curve between which it is smooth and passes no knot of the
  /// surface.
  static std::vector<double> smooth_parts(const BRepAdaptor_Curve2d& curve,
                                          const std::vector<double>& u_knots,
                                          const std::vector<double>& v_knots, double piece) {
    const int count = curve.NbIntervals(GeomAbs_CN);
    TColStd_Array1OfReal own(1, count + 1);
    curve.Intervals(own, GeomAbs_CN);
    const bool is_line = curve.GetType() == GeomAbs_Line;
    std::vector<double> parts =
        divided(own.First(), own.Last(), {own.begin(), own.end()}, is_line ? piece : kPiece);
    std::vector<double> cuts;
    for (std::size_t k = 0; k + 1 < parts.size(); ++k) {
      cuts.push_back(parts[k]);
      for (const bool in_u : {true, false}) {
        for (const double knot : in_u ? u_knots : v_knots) {
          const auto off = [&](double t) {
            const gp_Pnt2d uv = curve.Value(t);
            return (in_u ? uv.X() : uv.Y()) - knot;
          };
          double low = parts[k];
          double high = parts[k + 1];
          const double at_low = off(low);
          if (!(at_low * off(high) < 0.0)) continue;
          for (int i = 0; i < 60; ++i) {
            const double middle = 0.5 * (low + high);
            (at_low * off(middle) < 0.0 ? high : low) = middle;
          }
          cuts.push_back(low);
        }
      }
    }
    cuts.push_back(parts.back());
    std::sort(cuts.begin(), cuts.end());
    return cuts;
  }

  math_Vector points_{1, kPoints};
  math_Vector weights_{1, kPoints};
  Vec3 from_ = Vec3::Zero();
  Sums sums_ = Sums::Zero();
};

SolidMesh mesh_of(const TopoDS_Shape& shape, double deviation_mm) {
  const BRepMesh_IncrementalMesh mesher(shape, deviation_mm, Standard_False, kFacetAngleRad);
  std::vector<Vec3> corners;
  std::vector<bool> is_flat;
  for (TopExp_Explorer faces(shape, TopAbs_FACE); faces.More(); faces.Next()) {
    const TopoDS_Face& face = TopoDS::Face(faces.Current());
    TopLoc_Location place;
    const Handle(Poly_Triangulation) triangles = BRep_Tool::Triangulation(face, place);
    if (triangles.IsNull()) throw std::runtime_error("a face of the solid has no facets");
    const bool is_plane = BRepAdaptor_Surface(face).GetType() == GeomAbs_Plane;
    for (int k = 1; k <= triangles->NbTriangles(); ++k) {
      std::array<int, 3> nodes{};
      triangles->Triangle(k).Get(nodes[0], nodes[1], nodes[2]);
      if (face.Orientation() == TopAbs_REVERSED) std::swap(nodes[1], nodes[2]);
      for (const int node : nodes) {
        corners.push_back(
            point_of(triangles->Node(node).Transformed(place.Transformation()).XYZ()));
      }
      is_flat.push_back(is_plane);
    }
  }
  SolidMesh mesh = welded_mesh(corners, is_flat, kWeldMm);
  mesh.deviation_mm = deviation_mm;
  return mesh;
}

/// A curve of the plane as a rational spline, exactly.
Nurbs nurbs_of(const Handle(Geom_Curve) & curve, double begin, double end) {
  const Handle(Geom_BSplineCurve) spline =
      GeomConvert::CurveToBSplineCurve(new Geom_TrimmedCurve(curve, begin, end));
  if (spline->IsPeriodic()) spline->SetNotPeriodic();
  Nurbs nurbs;
  nurbs.degree = spline->Degree();
  for (int k = 1; k <= spline->NbKnots(); ++k) {
    nurbs.knots.insert(nurbs.knots.end(), static_cast<std::size_t>(spline->Multiplicity(k)),
                       spline->Knot(k));
  }
  for (int k = 1; k <= spline->NbPoles(); ++k) {
    nurbs.points.push_back(flat(spline->Pole(k).XYZ()));
    if (spline->IsRational()) nurbs.weights.push_back(spline->Weight(k));
  }
  return nurbs;
}

SectionCurve curve_of(const TopoDS_Edge& edge) {
  const BRepAdaptor_Curve curve(edge);
  const double begin = curve.FirstParameter();
  const double end = curve.LastParameter();
  const auto round = [&](const gp_Ax2& axes, double major, double minor) {
    return EllipseArc{flat(axes.Location().XYZ()), flat(axes.XDirection().XYZ() * major),
                      flat(axes.YDirection().XYZ() * minor), begin, end - begin};
  };
  switch (curve.GetType()) {
    case GeomAbs_Line:
      return SectionStroke{flat(curve.Value(begin).XYZ()), flat(curve.Value(end).XYZ()), 0.0};
    case GeomAbs_Circle:
      return round(curve.Circle().Position(), curve.Circle().Radius(), curve.Circle().Radius());
    case GeomAbs_Ellipse:
      return round(curve.Ellipse().Position(), curve.Ellipse().MajorRadius(),
                   curve.Ellipse().MinorRadius());
    default: {
      double first = 0.0;
      double last = 0.0;
      return nurbs_of(BRep_Tool::Curve(edge, first, last), begin, end);
    }
  }
}

class StepSolid final : public SolidBody {
 public:
  StepSolid(const TopoDS_Shape& shape, double deviation_mm)
      : shape_(shape), integrals_(SolidIntegrator(shape_).integrals()) {
    if (integrals_.volume_mm3 < 0.0) {
      shape_.Reverse();
      integrals_ = SolidIntegrator(shape_).integrals();
    }
    if (!(integrals_.volume_mm3 > 0.0)) throw std::runtime_error("the solid has no volume");
    mesh_ = mesh_of(shape_, deviation_mm);
    const std::string fault = mesh_fault(mesh_);
    if (!fault.empty()) {
      throw std::runtime_error("the faces of the solid do not meet: " + fault +
                               "; repair it in the program that made it");
    }
  }

  [[nodiscard]] const SolidMesh& mesh() const override { return mesh_; }
  [[nodiscard]] const SolidIntegrals& integrals() const override { return integrals_; }
  /// Those of the mesh where they agree up to rounding: plane faces have them exactly.
  [[nodiscard]] std::pair<double, double> heights(const SolidPose& pose) const override {
    std::pair<double, double> heights = mesh_heights(mesh_, pose);
    try {
      Bnd_Box box;
      BRepBndLib::AddOptimal(shape_.Moved(location_of(pose)), box, Standard_False, Standard_False);
      const double low = box.CornerMin().Z() + box.GetGap();
      const double high = box.CornerMax().Z() - box.GetGap();
      if (low < heights.first - kExactEdgeMm) heights.first = low;
      if (high > heights.second + kExactEdgeMm) heights.second = high;
    } catch (const Standard_Failure&) {  // NOLINT(bugprone-empty-catch): the mesh's are near
    }
    return heights;
  }
  [[nodiscard]] SolidSection section(const SolidPose& pose, double height_mm,
                                     double /*tolerance_mm*/) const override {
    try {
      const gp_Pln plane(gp_Pnt(0, 0, height_mm), gp_Dir(0, 0, 1));
      BRepAlgoAPI_Section cut(shape_.Moved(location_of(pose)), plane, Standard_False);
      cut.Approximation(Standard_True);
      cut.ComputePCurveOn1(Standard_False);
      cut.Build();
      if (!cut.IsDone()) throw std::runtime_error("OpenCASCADE cannot cut it there");
      SolidSection section;
      for (TopExp_Explorer edges(cut.Shape(), TopAbs_EDGE); edges.More(); edges.Next()) {
        const TopoDS_Edge& edge = TopoDS::Edge(edges.Current());
        section.curves.push_back(curve_of(edge));
        const double off_mm = BRep_Tool::Tolerance(edge);
        if (off_mm > kExactEdgeMm) section.deviation_mm = std::max(section.deviation_mm, off_mm);
      }
      return section;
    } catch (const Standard_Failure& failure) {
      throw std::runtime_error(
          fmt::format("OpenCASCADE cannot cut it there ({})", failure.DynamicType()->Name()));
    }
  }

 private:
  static TopLoc_Location location_of(const SolidPose& pose) {
    const Eigen::Matrix4d& m = pose.matrix();
    gp_Trsf place;
    place.SetValues(m(0, 0), m(0, 1), m(0, 2), m(0, 3), m(1, 0), m(1, 1), m(1, 2), m(1, 3), m(2, 0),
                    m(2, 1), m(2, 2), m(2, 3));
    place.SetScaleFactor(1.0);  // exactly: a location must not scale
    return place;
  }

  TopoDS_Shape shape_;
  SolidIntegrals integrals_;
  SolidMesh mesh_;
};

/// "1: 10 x 20 x 5 mm at (0, 0, 0), 2: ...".
std::string solids_text(const std::vector<TopoDS_Shape>& solids) {
  constexpr std::size_t kMostListed = 8;
  std::string text;
  for (std::size_t k = 0; k < std::min(solids.size(), kMostListed); ++k) {
    Bnd_Box box;
    BRepBndLib::AddOptimal(solids[k], box, Standard_False, Standard_False);
    const Vec3 low = point_of(box.CornerMin().XYZ());
    const Vec3 size = point_of(box.CornerMax().XYZ()) - low;
    text += fmt::format("{}{}: {:.4g} x {:.4g} x {:.4g} mm from ({:.4g}, {:.4g}, {:.4g})",
                        k == 0 ? "" : ", ", k + 1, size.x(), size.y(), size.z(), low.x(), low.y(),
                        low.z());
  }
  return solids.size() > kMostListed ? text + ", ..." : text;
}

std::string unit_of(STEPControl_Reader& reader) {
  TColStd_SequenceOfAsciiString lengths;
  TColStd_SequenceOfAsciiString angles;
  TColStd_SequenceOfAsciiString solid_angles;
  reader.FileUnits(lengths, angles, solid_angles);
  std::string units;
  for (int k = 1; k <= lengths.Length(); ++k) {
    const std::string unit = lengths.Value(k).ToCString();
    if (units.find(unit) == std::string::npos) units += (units.empty() ? "" : ", ") + unit;
  }
  return units.empty() ? "mm" : units;
}

std::unique_ptr<SolidBody> read(const StepRequest& request) {
  Message::DefaultMessenger()->ChangePrinters().Clear();
  STEPControl_Reader reader;
  Interface_Static::SetCVal("xstep.cascade.unit", "MM");
  if (reader.ReadFile(request.file.c_str()) != IFSelect_RetDone) {
    throw std::runtime_error("cannot be read as STEP; must be a whole file of ISO 10303-21");
  }
  const std::string unit = unit_of(reader);
  reader.TransferRoots();
  const TopoDS_Shape all = reader.OneShape();
  std::vector<TopoDS_Shape> solids;
  if (!all.IsNull()) {
    for (TopExp_Explorer found(all, TopAbs_SOLID); found.More(); found.Next()) {
      solids.push_back(found.Current());
    }
  }
  if (solids.empty()) {
    throw std::runtime_error(all.IsNull()
                                 ? "has no solid"
                                 : "has surfaces or curves, but no solid; must be closed to "
                                   "a solid in the program that made it");
  }
  const auto count = static_cast<int>(solids.size());
  if (request.solid > count || (request.solid == 0 && count > 1)) {
    throw std::runtime_error(fmt::format("has {} solid{}: {}; choose one with --solid N", count,
                                         count > 1 ? "s" : "", solids_text(solids)));
  }
  TopoDS_Shape shape = solids[index(std::max(request.solid, 1) - 1)];
  if (request.scale != 1.0) {
    gp_Trsf scale;
    scale.SetScaleFactor(request.scale);
    shape = BRepBuilderAPI_Transform(shape, scale, Standard_True).Shape();
  }
  auto solid = std::make_unique<StepSolid>(shape, request.deviation_mm);
  solid->source =
      count == 1 ? "STEP" : fmt::format("STEP, solid {} of {}", std::max(request.solid, 1), count);
  solid->units = unit;
  return solid;
}

}  // namespace
}  // namespace graspmap

/// kReadStep.
extern "C" __attribute__((visibility("default"))) graspmap::SolidBody* graspmap_read_step(
    const graspmap::StepRequest& request) {
  try {
    return graspmap::read(request).release();
  } catch (const Standard_Failure& failure) {
    throw std::runtime_error(
        fmt::format("OpenCASCADE cannot read it ({})", failure.DynamicType()->Name()));
  }
}
