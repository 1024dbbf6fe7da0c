#include "grasp/base/drawings/written_outline.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

namespace graspmap {
namespace {

std::string dxf_loop(const OutlineLoop& loop) {
  // 66 = 1: vertices follow; 70 = 1: closed.
  std::string text = "0\nPOLYLINE\n8\noutline\n66\n1\n10\n0.0\n20\n0.0\n30\n0.0\n70\n1\n";
  for (const OutlineElement& element : loop) {
    text += fmt::format("0\nVERTEX\n8\noutline\n10\n{}\n20\n{}\n30\n0.0\n42\n{}\n",
                        element.begin_mm.x(), element.begin_mm.y(), element.bulge);
  }
  return text + "0\nSEQEND\n8\noutline\n";
}

/// y points down in SVG: an arc that runs counter-clockwise has sweep 0.
std::string svg_loop(const OutlineLoop& loop) {
  std::string text;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const OutlineCurve curve = outline_curve(loop, k);
    if (k == 0) text += fmt::format("M {} {}", curve.begin_mm.x(), -curve.begin_mm.y());
    if (curve.is_arc()) {
      text += fmt::format(" A {0} {0} 0 {1} {2} {3} {4}", curve.radius_mm,
                          std::abs(curve.turn_rad) > M_PI ? 1 : 0, curve.turn_rad > 0 ? 0 : 1,
                          curve.end_mm.x(), -curve.end_mm.y());
    } else {
      text += fmt::format(" L {} {}", curve.end_mm.x(), -curve.end_mm.y());
    }
  }
  return text + " Z";
}

}  // namespace

std::string dxf_text(const Outline& outline) {
  // $INSUNITS 4: mm.
  std::string text =
      "0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1009\n9\n$INSUNITS\n70\n4\n0\nENDSEC\n";
  text += "0\nSECTION\n2\nENTITIES\n";
  for (const OutlineLoop* loop : loops_of(outline)) text += dxf_loop(*loop);
  return text + "0\nENDSEC\n0\nEOF\n";
}

std::string svg_text(const Outline& outline) {
  constexpr double kMargin_mm = 2.0;
  Eigen::AlignedBox2d box;
  std::string path;
  for (const OutlineLoop* loop : loops_of(outline)) {
    path += (path.empty() ? "" : " ") + svg_loop(*loop);
    for (const OutlineCurve& curve : outline_curves(*loop)) {
      for (int k = 0; k <= 16; ++k) box.extend(point_at(curve, k / 16.0));
    }
  }
  const Vec2 low = box.min() - Vec2::Constant(kMargin_mm);
  const Vec2 high = box.max() + Vec2::Constant(kMargin_mm);
  const Vec2 size = high - low;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}mm\" height=\"{1}mm\" "
      "viewBox=\"{2} {3} {0} {1}\">\n"
      "<path d=\"{4}\" fill=\"none\" stroke=\"black\" stroke-width=\"0.1\" "
      "fill-rule=\"evenodd\"/>\n</svg>\n",
      size.x(), size.y(), low.x(), -high.y(), path);
}

}  // namespace graspmap
