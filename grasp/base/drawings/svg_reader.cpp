#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <pugixml.hpp>

#include "grasp/base/drawings/sketch.hpp"
#include "grasp/base/drawings/svg_values.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kDeepestElement = 100;

/// Where an element of the tree is drawn, and on which layers.
struct Surroundings {
  Affine to_mm;
  std::string layer;                ///< the innermost group's name
  std::vector<std::string> groups;  ///< names and ids of all groups around, as --layer may say
  bool is_hidden = false;
  bool is_filled = true;
  bool is_stroked = false;
  bool may_be_styled = false;  ///< by a style sheet, which is not read
  Vec2 viewport{0, 0};         ///< of what percentages are, in user units; 0: not known
  std::size_t depth = 0;
};

/// "rect" for "svg:rect".
std::string_view local_name(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

template <std::size_t n>
bool is_one_of(std::string_view word, const std::array<std::string_view, n>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 5> kGroups = {"g", "a", "switch", "svg", "symbol"};
constexpr std::array<std::string_view, 7> kShapes = {"path", "rect",     "circle", "ellipse",
                                                     "line", "polyline", "polygon"};
/// Neither drawn nor worth a word.
constexpr std::array<std::string_view, 9> kSilent = {
    "defs",  "title",  "desc",           "metadata",      "namedview",
    "style", "script", "linearGradient", "radialGradient"};

std::string_view reason_of(std::string_view name) {
  constexpr std::array<std::string_view, 3> kTexts = {"text", "tspan", "flowRoot"};
  constexpr std::array<std::string_view, 4> kHelpers = {"clipPath", "mask", "marker", "pattern"};
  if (is_one_of(name, kTexts)) return "is a note; convert it to paths if it is part of the outline";
  if (name == "image") return "is a picture";
  if (is_one_of(name, kHelpers)) return "is no line itself";
  return "is no kind of element that is read";
}

class SvgReader {
 public:
  SvgReader(const SourceFile& source, const DrawingOptions& options)
      : source_(source), pen_(source, options), choice_(options.layers) {
    for (std::size_t at = source.text.find('\n'); at != std::string::npos;
         at = source.text.find('\n', at + 1)) {
      line_ends_.push_back(static_cast<std::ptrdiff_t>(at));
    }
  }

  Sketch read() {
    pugi::xml_document document;
    const auto result = document.load_buffer(source_.text.data(), source_.text.size());
    if (!result) {
      source_.fail(line_at(result.offset),
                   fmt::format("is no valid XML: {}", lower_case(result.description())));
    }
    const pugi::xml_node root = document.document_element();
    if (local_name(root) != "svg") {
      fail(root, fmt::format("the first element is {}; must be 'svg'", in_quotes(root.name())));
    }
    index_ids(root);
    check_style(root);
    if (const auto value = property(root, "transform"); !value.empty() && value != "none") {
      fail(root, "transform",
           "programs differ in what it does to the first element; put it on a group within");
    }
    Surroundings page;
    read_paint(root, page);
    page.to_mm = pen_.root(1.0) * page_of(root, page.viewport);
    read_children(root, page);
    choice_.check(source_);
    return pen_.take();
  }

 private:
  [[nodiscard]] int line_at(std::ptrdiff_t offset) const {
    const auto above = std::lower_bound(line_ends_.begin(), line_ends_.end(), offset);
    return static_cast<int>(above - line_ends_.begin()) + 1;
  }
  [[nodiscard]] int line_of(const pugi::xml_node& node) const {
    return line_at(node.offset_debug());
  }
  [[nodiscard]] static std::string lower_case(std::string text) {
    if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z')
      text[0] = static_cast<char>(text[0] + 32);
    return text;
  }
  [[noreturn]] void fail(const pugi::xml_node& node, const std::string& text) const {
    source_.fail(line_of(node), text);
  }
  [[noreturn]] void fail(const pugi::xml_node& node, const char* attribute,
                         const std::string& text) const {
    fail(node, fmt::format("{}: {}={}; {}", cleaned(local_name(node)), attribute,
                           in_quotes(property(node, attribute)), text));
  }

  void ignore(const pugi::xml_node& node, std::string_view reason) {
    pen_.ignore(cleaned(local_name(node)), reason, line_of(node));
  }

  /// Ids of all elements, and whether there is a style sheet, without recursion: a file may be
  /// nested deeply.
  void index_ids(const pugi::xml_node& root) {
    for (pugi::xml_node node = root; node;) {
      if (const pugi::xml_attribute id = node.attribute("id")) ids_.emplace(id.value(), node);
      has_style_sheet_ |= local_name(node) == "style";
      if (node.first_child()) {
        node = node.first_child();
        continue;
      }
      while (node && node != root && !node.next_sibling()) node = node.parent();
      if (!node || node == root) break;
      node = node.next_sibling();
    }
  }

  /// A length of `text` in user units, of which a mm within the drawing has as many as there are
  /// pixels in one; a percentage is one of `whole`, which is 0 when it is not known.
  static std::optional<double> length_of(std::string_view text, double whole) {
    SvgScanner scanner(text);
    const auto number = scanner.number();
    if (number && text.substr(scanner.position()) == "%") {
      return whole > 0.0 ? std::optional(*number / 100.0 * whole) : std::nullopt;
    }
    const auto plain = svg_numbers(text);
    if (plain && plain->size() == 1) return plain->front();
    const auto mm = svg_length_mm(text);
    return mm ? std::optional(*mm / kSvgPixelMm) : std::nullopt;
  }

  double length(const pugi::xml_node& node, const char* attribute, double whole,
                double fallback) const {
    const std::string_view text = property(node, attribute);
    if (text.empty()) return fallback;
    const auto value = length_of(text, whole);
    if (value) return *value;
    fail(node, attribute,
         "must be a number, or one with px, mm, cm, in, pt, pc or Q, or a percentage of a viewBox");
  }

  /// Two lengths, 0 where they are left out.
  Vec2 point(const pugi::xml_node& node, const Vec2& viewport, const char* x, const char* y) const {
    return {length(node, x, viewport.x(), 0.0), length(node, y, viewport.y(), 0.0)};
  }

  /// The page's width or height; a percentage, of a window that is not known, does not count.
  std::optional<double> size_mm(const pugi::xml_node& node, const char* attribute) const {
    const auto is_size = [](std::string_view value) {
      return !value.empty() && value != "auto" && value.find('%') == std::string_view::npos;
    };
    std::string_view text = svg_style(node.attribute("style").value(), attribute);
    if (!is_size(text)) text = node.attribute(attribute).value();
    if (!is_size(text)) return std::nullopt;
    const auto size = svg_length_mm(text);
    if (!size) fail(node, attribute, "must be a number, or one with px, mm, cm, in, pt, pc or Q");
    if (!(*size > 0.0)) fail(node, attribute, "must be > 0");
    return size;
  }

  struct ViewBox {
    Vec2 corner{0, 0};
    Vec2 size{0, 0};
  };

  std::optional<ViewBox> view_box(const pugi::xml_node& node) const {
    if (!node.attribute("viewBox")) return std::nullopt;
    const auto numbers = svg_numbers(node.attribute("viewBox").value());
    if (!numbers || numbers->size() != 4 || !((*numbers)[2] > 0.0) || !((*numbers)[3] > 0.0)) {
      fail(node, "viewBox", "must be four numbers: x, y, a width > 0, a height > 0");
    }
    return ViewBox{{(*numbers)[0], (*numbers)[1]}, {(*numbers)[2], (*numbers)[3]}};
  }

  /// From a view box to a rectangle with its corner at the origin.
  static Affine fitted(const pugi::xml_node& node, const ViewBox& box, const Vec2& size) {
    const std::string_view how = node.attribute("preserveAspectRatio").value();
    Vec2 scale = size.cwiseQuotient(box.size);
    Vec2 place = Vec2::Zero();
    if (how.find("none") == std::string_view::npos) {
      const bool slices = how.find("slice") != std::string_view::npos;
      scale.setConstant(slices ? scale.maxCoeff() : scale.minCoeff());
      const Vec2 rest = size - box.size.cwiseProduct(scale);
      const auto share = [&](std::string_view least, std::string_view most) {
        if (how.find(least) != std::string_view::npos) return 0.0;
        return how.find(most) != std::string_view::npos ? 1.0 : 0.5;
      };
      place = Vec2(share("xMin", "xMax") * rest.x(), share("YMin", "YMax") * rest.y());
    }
    return Affine::translation(place) * Affine::scaling(scale.x(), scale.y()) *
           Affine::translation(-box.corner);
  }

  /// From the root's coordinates to mm, y up, with the origin at the page's lower left corner.
  Affine page_of(const pugi::xml_node& root, Vec2& viewport) {
    const auto box = view_box(root);
    auto width = size_mm(root, "width");
    auto height = size_mm(root, "height");
    const bool has_both = box && (width || height);
    if (box) {
      const double aspect = box->size.y() / box->size.x();
      if (!width) width = height ? *height / aspect : box->size.x() * kSvgPixelMm;
      if (!height) height = *width * aspect;
    }
    const Affine place =
        box ? fitted(root, *box, {*width, *height}) : Affine::scaling(kSvgPixelMm, kSvgPixelMm);
    viewport = box ? box->size : Vec2(width.value_or(0.0), height.value_or(0.0)) / kSvgPixelMm;
    const double unit_mm = place.linear(0, 0);
    pen_.set_units(
        has_both ? fmt::format("1 unit is {:.9g} mm (width {}, viewBox {})", unit_mm,
                               in_quotes(root.attribute("width").value()),
                               in_quotes(root.attribute("viewBox").value()))
                 : fmt::format("1 unit is a pixel, {:.9g} mm (1/96 inch), since the file has no {}",
                               unit_mm, box ? "width" : "viewBox"));
    pen_.note(height ? "y points up here and down in the file; the drawing's origin is the lower "
                       "left corner of the page"
                     : "y points up here and down in the file; the page has no height, so the "
                       "drawing's origin is that of the file");
    Affine flip = Affine::scaling(1.0, -1.0);
    flip.shift.y() = height.value_or(0.0);
    return flip * place;
  }

  void read_children(const pugi::xml_node& node, const Surroundings& around) {
    for (const pugi::xml_node& child : node.children()) {
      if (child.type() == pugi::node_element) read_element(child, around);
    }
  }

  void read_element(const pugi::xml_node& node, const Surroundings& around) {
    const std::string_view name = local_name(node);
    pen_.count_entity(line_of(node));
    if (is_one_of(name, kSilent) || name == "symbol") return;
    Surroundings inner = around;
    if (++inner.depth > kDeepestElement) {
      fail(node, fmt::format("elements are nested more than {} deep", kDeepestElement));
    }
    if (property(node, "display") == "none") return ignore(node, "is not displayed");
    const std::string_view visibility = property(node, "visibility");
    if (!visibility.empty() && visibility != "inherit") {
      inner.is_hidden = visibility == "hidden" || visibility == "collapse";
    }
    if (SvgScanner(property(node, "opacity")).number() == 0.0) {
      return ignore(node, "has opacity 0");
    }
    read_paint(node, inner);
    check_style(node);
    apply_transform(node, inner);
    if (is_one_of(name, kGroups)) {
      enter_group(node, inner);
      if (name == "svg") enter_viewport(node, inner, node);
      return read_children(node, inner);
    }
    if (name == "use") return read_use(node, inner);
    if (!is_one_of(name, kShapes)) return ignore(node, reason_of(name));
    if (inner.is_hidden) return ignore(node, "is hidden");
    if (!inner.is_filled && !inner.is_stroked && !inner.may_be_styled) {
      return ignore(node, "is drawn neither filled nor stroked");
    }
    if (property(node, "width") == "100%" && property(node, "height") == "100%") {
      return ignore(node, "is as large as the page: its background");
    }
    draw(node, inner);
  }

  void read_paint(const pugi::xml_node& node, Surroundings& inner) const {
    const auto read = [&](const char* name, bool& is_painted) {
      const std::string_view paint = property(node, name);
      if (paint.empty() || paint == "inherit") return;
      is_painted = paint != "none" && paint != "transparent";
    };
    read("fill", inner.is_filled);
    read("stroke", inner.is_stroked);
    inner.may_be_styled |= has_style_sheet_ || node.attribute("class");
  }

  static std::string_view property(const pugi::xml_node& node, const char* name) {
    const std::string_view styled = svg_style(node.attribute("style").value(), name);
    return styled.empty() ? std::string_view(node.attribute(name).value()) : styled;
  }

  /// Refuses what would draw an element elsewhere, and is not read.
  void check_style(const pugi::xml_node& node) const {
    for (const char* name : {"translate", "rotate", "scale", "offset-path", "zoom", "d"}) {
      const std::string_view value = svg_style(node.attribute("style").value(), name);
      if (value.empty() || value == "none") continue;
      fail(node, fmt::format("{}: style has {}: {}; must have it as an attribute, {}",
                             cleaned(local_name(node)), name, in_quotes(value),
                             std::string_view(name) == "d" ? "d" : "transform"));
    }
  }

  void apply_transform(const pugi::xml_node& node, Surroundings& inner) const {
    const std::string_view value = property(node, "transform");
    if (value.empty() || value == "none") return;
    const std::string_view box = property(node, "transform-box");
    if (!box.empty() && box != "view-box") fail(node, "transform-box", "must be view-box");
    const auto transform = svg_transform(value);
    if (!transform) {
      fail(node, "transform",
           "must be matrix, translate, scale, rotate, skewX or skewY (numbers; in style with px "
           "and deg)");
    }
    const Affine about = Affine::translation(transform_origin(node, inner.viewport));
    const Affine back = Affine::translation(-about.shift);
    inner.to_mm = inner.to_mm * about * *transform * back;
  }

  Vec2 transform_origin(const pugi::xml_node& node, const Vec2& viewport) const {
    const std::string_view text = property(node, "transform-origin");
    if (text.empty()) return Vec2::Zero();
    const std::size_t blank = text.find_first_of(" ,");
    const auto x = length_of(text.substr(0, blank), viewport.x());
    const auto y = blank == std::string_view::npos
                       ? std::nullopt
                       : length_of(text.substr(text.find_first_not_of(" ,", blank)), viewport.y());
    if (!x || !y) fail(node, "transform-origin", "must be two lengths");
    return {*x, *y};
  }

  /// The name of a layer, else the id; a group within a layer with a name stays on it.
  static void enter_group(const pugi::xml_node& node, Surroundings& inner) {
    const std::string label = cleaned(node.attribute("inkscape:label").value());
    const std::string id = cleaned(node.attribute("id").value());
    for (const std::string& name : {label, id}) {
      if (!name.empty()) inner.groups.push_back(name);
    }
    if (!label.empty()) {
      inner.layer = label;
    } else if (inner.layer.empty()) {
      inner.layer = id;
    }
  }

  /// A nested svg, or a symbol: `sizes` has its width and height.
  void enter_viewport(const pugi::xml_node& node, Surroundings& inner,
                      const pugi::xml_node& sizes) const {
    inner.to_mm = inner.to_mm * Affine::translation(point(node, inner.viewport, "x", "y"));
    const auto box = view_box(node);
    const auto size = [&](const char* name, double whole, double fallback) {
      if (property(sizes, name) == "auto") return fallback;
      const double given = length(sizes, name, whole, fallback);
      if (given < 0.0 || (given == 0.0 && box)) fail(sizes, name, "must be > 0");
      return given;
    };
    const Vec2 whole = inner.viewport;
    const Vec2 all = box && !(whole.minCoeff() > 0.0) ? box->size : whole;
    const Vec2 extent(size("width", whole.x(), all.x()), size("height", whole.y(), all.y()));
    inner.viewport = box ? box->size : extent;
    if (box) inner.to_mm = inner.to_mm * fitted(node, *box, extent);
  }

  void read_use(const pugi::xml_node& node, Surroundings inner) {
    const pugi::xml_attribute plain = node.attribute("href");
    const std::string_view target = (plain ? plain : node.attribute("xlink:href")).value();
    const auto found = ids_.find(target.starts_with('#') ? target.substr(1) : "");
    if (found == ids_.end()) {
      return ignore(node, fmt::format("{} is not in the file", in_quotes(target)));
    }
    const pugi::xml_node used = found->second;
    if (std::find(uses_.begin(), uses_.end(), used) != uses_.end()) {
      fail(node, fmt::format("use: {} contains itself", in_quotes(target)));
    }
    inner.to_mm = inner.to_mm * Affine::translation(point(node, inner.viewport, "x", "y"));
    uses_.push_back(used);
    if (local_name(used) == "symbol") {
      enter_viewport(used, inner, node);
      read_children(used, inner);
    } else {
      read_element(used, inner);
    }
    uses_.pop_back();
  }

  void draw(const pugi::xml_node& node, const Surroundings& inner) {
    const std::string_view name = local_name(node);
    std::vector<std::string> layers = inner.groups;
    if (layers.empty()) layers.emplace_back();
    if (!choice_.take(layers)) {
      return pen_.ignore(fmt::format("{} on layer '{}'", name, inner.layer),
                         "the layer was not asked for", line_of(node));
    }
    pen_.begin(name, line_of(node), inner.layer, inner.to_mm);
    if (name == "path") {
      const std::string problem = draw_svg_path(node.attribute("d").value(), pen_);
      if (!problem.empty()) fail(node, fmt::format("path: d: {}", problem));
    }
    const Vec2& viewport = inner.viewport;
    if (name == "rect") draw_rect(node, viewport);
    if (name == "circle" || name == "ellipse") draw_ellipse(node, viewport);
    if (name == "line") {
      pen_.segment(point(node, viewport, "x1", "y1"), point(node, viewport, "x2", "y2"));
    }
    if (name == "polyline" || name == "polygon") draw_points(node, name == "polygon");
  }

  void draw_points(const pugi::xml_node& node, bool is_closed) {
    const auto numbers = svg_numbers(node.attribute("points").value());
    if (!numbers || numbers->size() % 2 != 0) fail(node, "points", "must be pairs of numbers");
    const std::size_t count = numbers->size() / 2;
    const auto vertex = [&](std::size_t k) {
      return Vec2((*numbers)[2 * (k % count)], (*numbers)[2 * (k % count) + 1]);
    };
    for (std::size_t k = 0; k + (is_closed ? 0 : 1) < count; ++k) {
      if (vertex(k) != vertex(k + 1)) pen_.segment(vertex(k), vertex(k + 1));
    }
  }

  void draw_ellipse(const pugi::xml_node& node, const Vec2& viewport) {
    const bool is_circle = local_name(node) == "circle";
    const double mean = viewport.minCoeff() > 0.0 ? viewport.norm() / std::sqrt(2.0) : 0.0;
    const double rx = length(node, is_circle ? "r" : "rx", is_circle ? mean : viewport.x(), 0.0);
    const double ry = length(node, is_circle ? "r" : "ry", is_circle ? mean : viewport.y(), 0.0);
    if (rx < 0.0 || ry < 0.0) fail(node, is_circle ? "r" : rx < 0 ? "rx" : "ry", "must be > 0");
    if (rx == 0.0 || ry == 0.0) return ignore(node, "has no radius");
    pen_.ellipse({point(node, viewport, "cx", "cy"), {rx, 0}, {0, ry}, 0.0, 2.0 * M_PI});
  }

  void draw_rect(const pugi::xml_node& node, const Vec2& viewport) {
    const Vec2 corner = point(node, viewport, "x", "y");
    const Vec2 extent = point(node, viewport, "width", "height");
    if (!(extent.x() > 0.0) || !(extent.y() > 0.0)) return ignore(node, "has no area");
    const auto given = [&](const char* name, double whole) {
      return property(node, name) == "auto" ? -1.0 : length(node, name, whole, -1.0);
    };
    double rx = given("rx", viewport.x());
    double ry = given("ry", viewport.y());
    if (rx < 0.0) rx = std::max(ry, 0.0);
    if (ry < 0.0) ry = rx;
    rx = std::min(rx, extent.x() / 2);
    ry = std::min(ry, extent.y() / 2);
    if (rx == 0.0 || ry == 0.0) rx = ry = 0.0;
    draw_rounded(corner, corner + extent, {rx, ry});
  }

  void draw_rounded(const Vec2& low, const Vec2& high, const Vec2& radii) {
    // From the corner at (high, low) on: a side along y, then a quarter of an ellipse.
    const Vec2 x(radii.x(), 0);
    const Vec2 y(0, radii.y());
    const Vec2 a = low + radii;
    const Vec2 b = high - radii;
    const std::array<Vec2, 4> centers = {b, Vec2(a.x(), b.y()), a, Vec2(b.x(), a.y())};
    const std::array<Vec2, 4> out = {x, y, Vec2(-radii.x(), 0), Vec2(0, -radii.y())};
    for (std::size_t k = 0; k < 4; ++k) {
      const Vec2 from = centers[(k + 3) % 4] + out[k];
      const Vec2 to = centers[k] + out[k];
      if (from != to) pen_.segment(from, to);
      if (radii.x() > 0.0) {
        pen_.ellipse({centers[k], out[k], out[(k + 1) % 4], 0.0, M_PI / 2});
      }
    }
  }

  const SourceFile& source_;
  Pen pen_;
  LayerChoice choice_;
  std::vector<std::ptrdiff_t> line_ends_;
  std::map<std::string, pugi::xml_node, std::less<>> ids_;
  bool has_style_sheet_ = false;
  std::vector<pugi::xml_node> uses_;  ///< that are drawn at this moment
};

}  // namespace

Sketch read_svg(const SourceFile& source, const DrawingOptions& options) {
  return SvgReader(source, options).read();
}

}  // namespace graspmap
