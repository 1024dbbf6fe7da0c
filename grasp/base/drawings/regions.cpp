#include "grasp/base/drawings/regions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "geometry/outline.hpp"
#include "geometry/outline_faults.hpp"
#include "geometry/tolerances.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/io/toml_reader.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kLongestName = 100;

/// A chain, and what it lies in.
struct NestedChain {
  const ClosedChain* strokes = nullptr;
  OutlineLoop loop;
  Eigen::AlignedBox2d box;
  double area_mm2 = 0.0;  ///< signed
  int parent = -1;        ///< the chain right around it, -1: none
  int depth = 0;
};

OutlineLoop loop_of(const ClosedChain& chain) {
  OutlineLoop loop;
  for (const Stroke& stroke : chain) loop.push_back({stroke.begin_mm, stroke.bulge, ""});
  return loop;
}

/// Refuses chains that cross or touch. This is quick where many do, as in a hatch or a scribble.
void check_crossings(const SourceFile& source, const Sketch& sketch,
                     const std::vector<NestedChain>& chains) {
  std::vector<std::vector<OutlineCurve>> curves;
  for (const NestedChain& chain : chains) curves.push_back(outline_curves(chain.loop));
  const std::optional<Crossing> crossing = first_crossing(curves);
  if (!crossing) return;
  const auto stroke = [&](const ChainElement& at) {
    return (*chains[at.chain].strokes)[at.element];
  };
  const Stroke a = stroke(crossing->a);
  const Stroke b = stroke(crossing->b);
  source.fail(std::max(sketch.entities[a.entity].line, sketch.entities[b.entity].line),
              fmt::format("{} and {} cross or touch at ({:.6g}, {:.6g}) mm; change the drawing{}",
                          stroke_name(sketch, a), stroke_name(sketch, b), crossing->point_mm.x(),
                          crossing->point_mm.y(), or_layers(sketch)));
}

/// Refuses a chain with a fault of its own: a spike, an area of nothing.
void check_faults(const SourceFile& source, const Sketch& sketch, const NestedChain& chain) {
  const std::vector<OutlineFault> faults = outline_faults({chain.loop, {}});
  if (faults.empty()) return;
  // A person knows what is drawn; numbers of elements are those of the result.
  OutlineFault fault = faults.front();
  int line = sketch.entities[chain.strokes->front().entity].line;
  for (FaultyElement& element : fault.elements) {
    const Stroke& stroke = (*chain.strokes)[element.element];
    element.name = stroke_name(sketch, stroke);
    line = std::max(line, sketch.entities[stroke.entity].line);
  }
  source.fail(line, fmt::format("{}; change the drawing{}", describe(fault), or_layers(sketch)));
}

/// Chains from the largest to the smallest, each with the smallest one that holds it.
void nest(std::vector<NestedChain>& chains) {
  std::stable_sort(chains.begin(), chains.end(), [](const NestedChain& a, const NestedChain& b) {
    return std::abs(a.area_mm2) > std::abs(b.area_mm2);
  });
  for (std::size_t k = 0; k < chains.size(); ++k) {
    NestedChain& inner = chains[k];
    for (std::size_t other = k; other-- > 0 && inner.parent < 0;) {
      const NestedChain& outer = chains[other];
      if (!outer.box.contains(inner.box)) continue;
      if (!contains(outer.loop, inner.loop.front().begin_mm)) continue;
      inner.parent = static_cast<int>(other);
      inner.depth = outer.depth + 1;
    }
  }
}

/// A layer's name as an element may be called: letters, digits, - _ . and "_" for all others.
std::string element_name_of(const std::string& layer) {
  const std::string name = rewritten(layer, [](const FirstCharacter& character) {
    const std::string text(character.text);
    return is_name("_" + text) ? text : std::string("_");
  });
  return name.empty() || is_name(name) ? name : fmt::format("_{}", name).substr(0, kLongestName);
}

/// What elements of each layer are called: names that differ, as those of the layers do.
std::vector<std::string> element_names(const std::vector<std::string>& layers, Drawing& drawing) {
  std::vector<std::string> names(layers.size());
  std::map<std::string, std::string> layer_of;
  for (const std::string& layer : layers) {
    if (element_name_of(layer) == layer) layer_of[layer] = layer;
  }
  for (std::size_t k = 0; k < layers.size(); ++k) {
    const std::string plain = element_name_of(layers[k]);
    names[k] = plain;
    for (int number = 2; layer_of.try_emplace(names[k], layers[k]).first->second != layers[k];) {
      const std::string suffix = fmt::format("_{}", number++);
      names[k] = plain.substr(0, kLongestName - suffix.size()) + suffix;
    }
    if (names[k] == plain) continue;
    drawing.notes.push_back(
        fmt::format("elements of layer '{}' are called {}, since {} are those "
                    "of layer '{}'",
                    layers[k], names[k], plain, layer_of[plain]));
  }
  return names;
}

/// True when no point of a loop is farther than a tolerance from another one, at its joints and at
/// the middles of its elements.
bool follows(const OutlineLoop& loop, const OutlineLoop& other, double tolerance_mm) {
  const std::vector<OutlineCurve> curves = outline_curves(other);
  const auto is_near = [&](const Vec2& point) {
    return std::any_of(curves.begin(), curves.end(), [&](const OutlineCurve& curve) {
      return distance_mm(curve, point) <= tolerance_mm;
    });
  };
  const std::vector<OutlineCurve> own = outline_curves(loop);
  return std::all_of(own.begin(), own.end(), [&](const OutlineCurve& curve) {
    return is_near(curve.begin_mm) && is_near(point_at(curve, 0.5));
  });
}

void note_foil(const OutlineLoop& outer, const OutlineLoop& hole, double tolerance_mm,
               Drawing& drawing) {
  if (!follows(hole, outer, tolerance_mm) || !follows(outer, hole, tolerance_mm)) return;
  const Vec2 center = box_of(hole).center();
  drawing.notes.push_back(
      fmt::format("the wall around the hole at ({:.6g}, {:.6g}) mm is nowhere thicker than {} mm "
                  "(tolerance): is the outline there twice?",
                  center.x(), center.y(), tolerance_mm));
}

/// "spline_1" for what became several arcs from one curve; "" for others.
std::string curve_name(const SketchEntity& entity) {
  if (entity.kind != "SPLINE" && entity.kind != "ELLIPSE") return "";
  return fmt::format("{}_{}", lower_case(entity.kind), entity.number);
}

/// The chain as a loop that runs counter-clockwise, or clockwise.
/// Without names of layers, elements have those of curves.
OutlineLoop directed(const Sketch& sketch, const NestedChain& chain, bool counter_clockwise,
                     const std::vector<std::string>& names) {
  const bool turns = (chain.area_mm2 > 0.0) != counter_clockwise;
  ClosedChain strokes = *chain.strokes;
  if (turns) {
    std::reverse(strokes.begin(), strokes.end());
    for (Stroke& stroke : strokes) stroke = reversed(stroke);
  }
  OutlineLoop loop = loop_of(strokes);
  for (std::size_t k = 0; k < loop.size(); ++k) {
    loop[k].name =
        names.empty() ? curve_name(sketch.entities[strokes[k].entity]) : names[strokes[k].layer];
  }
  return loop;
}

/// True when the outer chains have strokes of several layers, so that layers tell elements apart.
bool layers_differ(const std::vector<NestedChain>& chains) {
  std::set<std::size_t> layers;
  for (const NestedChain& chain : chains) {
    for (const Stroke& stroke : *chain.strokes) {
      if (chain.depth % 2 == 0) layers.insert(stroke.layer);
    }
  }
  return layers.size() > 1;
}

}  // namespace

std::vector<Outline> regions_of(const SourceFile& source, const Sketch& sketch,
                                const std::vector<ClosedChain>& strokes,
                                const DrawingOptions& options, Drawing& drawing) {
  std::vector<NestedChain> chains;
  for (const ClosedChain& chain : strokes) {
    NestedChain nested;
    nested.strokes = &chain;
    nested.loop = loop_of(chain);
    nested.box = box_of(nested.loop);
    nested.area_mm2 = signed_area_mm2(nested.loop);
    chains.push_back(std::move(nested));
  }
  check_crossings(source, sketch, chains);
  for (const NestedChain& chain : chains) check_faults(source, sketch, chain);
  nest(chains);
  std::vector<std::string> names;
  if (options.name_by_layer.value_or(layers_differ(chains))) {
    names = element_names(sketch.layers, drawing);
  }
  std::vector<Outline> regions;
  std::vector<std::size_t> region_of(chains.size(), 0);
  for (std::size_t k = 0; k < chains.size(); ++k) {
    const bool is_region = chains[k].depth % 2 == 0;
    OutlineLoop loop = directed(sketch, chains[k], is_region, names);
    if (is_region) {
      region_of[k] = regions.size();
      regions.push_back({std::move(loop), {}});
    } else {
      const auto parent = static_cast<std::size_t>(chains[k].parent);
      note_foil(chains[parent].loop, chains[k].loop, options.tolerance_mm, drawing);
      regions[region_of[parent]].holes.push_back(std::move(loop));
    }
  }
  return regions;
}

namespace {

struct BoxedCurve {
  ChainElement where;
  const OutlineCurve* curve;
  Eigen::AlignedBox2d box;
};

/// True for an element and the next one of its chain, which share a point.
bool are_neighbours(const ChainElement& a, const ChainElement& b, std::size_t size) {
  if (a.chain != b.chain) return false;
  return (a.element + 1) % size == b.element || (b.element + 1) % size == a.element;
}

/// The axis along which the boxes are shorter.
Eigen::Index axis_of(const std::vector<BoxedCurve>& curves) {
  Vec2 sum = Vec2::Zero();
  for (const BoxedCurve& curve : curves) sum += curve.box.sizes();
  return sum.x() <= sum.y() ? 0 : 1;
}

}  // namespace

std::optional<Crossing> first_crossing(const std::vector<std::vector<OutlineCurve>>& chains) {
  std::vector<BoxedCurve> curves;
  for (std::size_t chain = 0; chain < chains.size(); ++chain) {
    for (std::size_t k = 0; k < chains[chain].size(); ++k) {
      curves.push_back({{chain, k}, &chains[chain][k], box_of(chains[chain][k])});
    }
  }
  Eigen::AlignedBox2d all;
  for (const BoxedCurve& curve : curves) all.extend(curve.box);
  const double touch_mm = curves.empty() ? 0.0 : tolerances::kRounding * all.sizes().maxCoeff();
  for (BoxedCurve& curve : curves) {
    curve.box.extend(Vec2(curve.box.max() + Vec2::Constant(touch_mm)));
  }
  const Eigen::Index axis = axis_of(curves);
  std::sort(curves.begin(), curves.end(), [&](const BoxedCurve& a, const BoxedCurve& b) {
    return a.box.min()[axis] < b.box.min()[axis];
  });
  std::vector<const BoxedCurve*> open;  // those that reach as far as the next one's begin
  for (const BoxedCurve& next : curves) {
    std::erase_if(open, [&](const BoxedCurve* other) {
      return other->box.max()[axis] < next.box.min()[axis];
    });
    for (const BoxedCurve* other : open) {
      if (!other->box.intersects(next.box)) continue;
      if (are_neighbours(other->where, next.where, chains[next.where.chain].size())) continue;
      const auto found = meetings(*other->curve, *next.curve, touch_mm);
      if (!found.empty()) return Crossing{other->where, next.where, found.front().point_mm};
    }
    open.push_back(&next);
  }
  return std::nullopt;
}

}  // namespace graspmap
