#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "grasp/base/drawings/dxf_entities.hpp"
#include "grasp/base/drawings/sketch.hpp"
#include "grasp/base/io/number.hpp"

namespace graspmap {
namespace {

constexpr int kDeepestBlock = 32;

struct Unit {
  int code;
  const char* name;
  double mm;
};

constexpr std::array kUnits = {
    Unit{1, "inch", 25.4},   Unit{2, "foot", 304.8},   Unit{4, "mm", 1.0},
    Unit{5, "cm", 10.0},     Unit{6, "m", 1000.0},     Unit{8, "microinch", 25.4e-6},
    Unit{9, "mil", 25.4e-3}, Unit{10, "yard", 914.4},  Unit{11, "angstrom", 1e-7},
    Unit{12, "nm", 1e-6},    Unit{13, "micron", 1e-3}, Unit{14, "dm", 100.0}};

using Records = std::span<const DxfRecord>;

/// Layers as tables say; names differ in their letters, not in upper and lower case.
struct Layer {
  bool is_off = false;
  bool is_frozen = false;
  std::string linetype = {};
};

std::string folded(std::string_view name) {
  std::string text(name);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// True for the line types of centre lines and hidden edges, which are no outlines.
bool is_no_outline(std::string_view linetype) {
  static constexpr std::array kBegins = {"CENTER",         "CENTRE",         "HIDDEN",
                                         "PHANTOM",        "DASHDOT",        "MITTE",
                                         "STRICHPUNKT",    "VERDECKT",       "ACAD_ISO02W100",
                                         "ACAD_ISO04W100", "ACAD_ISO08W100", "ACAD_ISO10W100"};
  return std::any_of(kBegins.begin(), kBegins.end(),
                     [&](const char* begin) { return linetype.starts_with(begin); });
}

struct Block {
  Vec2 base{0, 0};
  Records entities;
};

/// What is at the file's sections.
struct DxfFile {
  std::optional<DxfGroup> units;
  std::map<std::string, Layer> layers;
  std::map<std::string, Block> blocks;
  Records entities;
  bool has_entities = false;
};

/// The records up to the one of a type, from a place on; the place is behind it afterwards.
Records until(Records all, std::size_t& at, std::string_view type) {
  const std::size_t first = at;
  while (at < all.size() && all[at].type() != type && all[at].type() != "EOF") ++at;
  const Records found = all.subspan(first, at - first);
  if (at < all.size() && all[at].type() == type) ++at;
  return found;
}

void read_header(const DxfRecord& header, DxfFile& file) {
  const auto groups = header.groups();
  for (std::size_t k = 0; k + 1 < groups.size(); ++k) {
    if (groups[k].code == 9 && groups[k].value == "$INSUNITS") file.units = groups[k + 1];
  }
}

void read_tables(Records tables, DxfFile& file) {
  for (const DxfRecord& entry : tables) {
    if (entry.type() != "LAYER" || !entry.has(2)) continue;
    file.layers[folded(entry.text(2, ""))] = {
        entry.integer(62, 7) < 0, (entry.integer(70, 0) & 1) != 0, folded(entry.text(6, ""))};
  }
}

void read_blocks(Records blocks, DxfFile& file) {
  std::size_t at = 0;
  while (at < blocks.size()) {
    const DxfRecord& block = blocks[at++];
    if (block.type() != "BLOCK") continue;
    const Vec2 base(block.number(10, 0.0), block.number(20, 0.0));
    const Records entities = until(blocks, at, "ENDBLK");
    file.blocks[folded(block.text(2, ""))] = {base, entities};
  }
}

DxfFile sections_of(Records all) {
  DxfFile file;
  std::size_t at = 0;
  while (at < all.size() && all[at].type() != "EOF") {
    const DxfRecord& section = all[at];
    if (section.type() != "SECTION") section.fail("must be SECTION or EOF");
    const std::string_view name = section.text(2, "");
    ++at;
    const Records inside = until(all, at, "ENDSEC");
    if (all[at - 1].type() != "ENDSEC") {
      section.fail(fmt::format("{} has no ENDSEC; save the file again", in_quotes(name)));
    }
    if (name == "HEADER") read_header(section, file);
    if (name == "TABLES") read_tables(inside, file);
    if (name == "BLOCKS") read_blocks(inside, file);
    if (name == "ENTITIES") {
      file.entities = inside;
      file.has_entities = true;
    }
  }
  return file;
}

/// How the entities of a block, or of the drawing, are placed.
struct Placement {
  Affine to_mm;
  std::string layer = "0";          ///< of the INSERT: what is on layer 0 of a block is on it
  std::vector<std::string> blocks;  ///< of which this one is a part
};

class DxfReader {
 public:
  DxfReader(const SourceFile& source, const DrawingOptions& options, const DxfFile& file)
      : source_(source), file_(file), pen_(source, options), choice_(options.layers) {}

  Sketch read() {
    const double unit_mm = read_unit();
    read_entities(file_.entities, {pen_.root(unit_mm), "0", {}});
    choice_.check(source_);
    return pen_.take();
  }

 private:
  double read_unit() {
    const std::int64_t code = file_.units ? parse_integer(file_.units->value).value_or(-1) : 0;
    if (code == 0) {
      pen_.set_units("mm, since the file names no unit ($INSUNITS)");
      return 1.0;
    }
    for (const Unit& unit : kUnits) {
      if (unit.code != code) continue;
      pen_.set_units(fmt::format("{} ($INSUNITS {})", unit.name, code));
      return unit.mm;
    }
    source_.fail(file_.units->line,
                 fmt::format("$INSUNITS: {}; must be 0 (none), 1 (inch), 4 (mm), 5 (cm), 6 (m) or "
                             "another length up to 14 but 3 and 7",
                             in_quotes(file_.units->value)));
  }

  void read_entities(Records entities, const Placement& placement) {
    std::size_t at = 0;
    while (at < entities.size()) {
      const DxfRecord& entity = entities[at++];
      const std::size_t first = at;
      if (entity.type() == "POLYLINE") {
        while (at < entities.size() && entities[at].type() == "VERTEX") ++at;
      }
      const Records vertices = entities.subspan(first, at - first);
      if (entity.type() == "SEQEND") continue;
      pen_.count_entity(entity.line());
      read_entity(entity, vertices, placement);
    }
  }

  void read_entity(const DxfRecord& entity, Records vertices, const Placement& placement) {
    const std::string own = cleaned(entity.text(8, "0"));
    const std::string layer = own == "0" ? placement.layer : own;
    if (entity.integer(67, 0) == 1) return ignore(entity, "is in paper space");
    if (entity.integer(60, 0) == 1) return ignore(entity, "is invisible");
    if (is_hidden(entity, layer)) return;
    if (entity.type() == "INSERT") return insert(entity, layer, placement);
    if (!is_dxf_outline(entity.type())) return ignore(entity, dxf_reason(entity.type()));
    if (!choice_.take({layer})) return ignore(entity, layer, "the layer was not asked for");
    if (has_other_linetype(entity, layer)) return;
    const auto axes = dxf_axes(entity);
    if (!axes || !dxf_is_level(entity, vertices)) {
      return ignore(entity, "lies in another plane than the drawing");
    }
    pen_.begin(entity.type(), entity.line(), layer, placement.to_mm * *axes);
    draw_dxf_entity(entity, vertices, pen_);
  }

  bool is_hidden(const DxfRecord& entity, const std::string& layer) {
    const auto found = file_.layers.find(folded(layer));
    if (found == file_.layers.end()) return false;
    const auto& [is_off, is_frozen, linetype] = found->second;
    // What a block has on layers that are on is seen.
    if (!is_frozen && (!is_off || entity.type() == "INSERT")) return false;
    choice_.hide(layer, is_frozen ? "frozen" : "off");
    ignore(entity, layer, is_frozen ? "the layer is frozen" : "the layer is off");
    return true;
  }

  /// A layer that is asked for is read whatever its own line type is.
  bool has_other_linetype(const DxfRecord& entity, const std::string& layer) {
    std::string linetype = folded(entity.text(6, "BYLAYER"));
    if (linetype == "BYLAYER") {
      const auto found = file_.layers.find(folded(layer));
      if (found == file_.layers.end() || choice_.names(layer)) return false;
      linetype = found->second.linetype;
    }
    if (!is_no_outline(linetype)) {
      note_linetype(linetype);
      return false;
    }
    ignore(entity, layer, fmt::format("is drawn as a {} line", cleaned(linetype)));
    return true;
  }

  void note_linetype(const std::string& linetype) {
    if (linetype.empty() || linetype == "CONTINUOUS" || linetype == "BYBLOCK") return;
    pen_.note(fmt::format("{} lines count as outlines: choose layers if they must not",
                          cleaned(linetype)));
  }

  void insert(const DxfRecord& entity, const std::string& layer, const Placement& placement) {
    const std::string name = folded(entity.text(2, ""));
    const auto block = file_.blocks.find(name);
    if (block == file_.blocks.end()) {
      return ignore(entity, fmt::format("its block {} is not in the file", in_quotes(name)));
    }
    const auto axes = dxf_axes(entity);
    if (!axes) return ignore(entity, "lies in another plane than the drawing");
    const auto& outer = placement.blocks;
    if (std::find(outer.begin(), outer.end(), name) != outer.end()) {
      entity.fail(fmt::format("block {} contains itself", in_quotes(name)));
    }
    if (outer.size() >= kDeepestBlock) {
      entity.fail(fmt::format("blocks are nested more than {} deep", kDeepestBlock));
    }
    Placement inner{placement.to_mm * *axes, layer, outer};
    inner.blocks.push_back(name);
    insert_copies(entity, block->second, inner);
  }

  void insert_copies(const DxfRecord& entity, const Block& block, const Placement& inner) {
    const Affine scaled = Affine::scaling(entity.number(41, 1.0), entity.number(42, 1.0)) *
                          Affine::translation(-block.base);
    const Affine turned = Affine::translation(entity.point(10)) *
                          Affine::rotation(entity.number(50, 0.0) * kDegree_rad);
    const int columns = std::max(entity.integer(70, 1), 1);
    const int rows = std::max(entity.integer(71, 1), 1);
    const Vec2 spacing(entity.number(44, 0.0), entity.number(45, 0.0));
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) {
        pen_.count_entity(entity.line());
        Placement copy = inner;
        copy.to_mm = inner.to_mm * turned *
                     Affine::translation({column * spacing.x(), row * spacing.y()}) * scaled;
        read_entities(block.entities, copy);
      }
    }
  }

  void ignore(const DxfRecord& entity, std::string_view reason) {
    pen_.ignore(cleaned(entity.type()), reason, entity.line());
  }
  void ignore(const DxfRecord& entity, const std::string& layer, std::string_view reason) {
    pen_.ignore(fmt::format("{} on layer '{}'", cleaned(entity.type()), layer), reason,
                entity.line());
  }

  const SourceFile& source_;
  const DxfFile& file_;
  Pen pen_;
  LayerChoice choice_;
};

}  // namespace

Sketch read_dxf(const SourceFile& source, const DrawingOptions& options) {
  const DxfRecords records(source);
  const DxfFile file = sections_of(records.all());
  if (!file.has_entities) source.fail(0, "has no section ENTITIES; save the drawing again");
  return DxfReader(source, options, file).read();
}

}  // namespace graspmap
