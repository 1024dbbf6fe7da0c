#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/base/solids/mesh.hpp"

namespace graspmap {
namespace {

/// What is larger is no part.
constexpr std::size_t kMostFacets = 2'000'000;

/// Corners this near, as a share of the largest coordinate, are one: the last digits of files
/// differ.
constexpr double kWeldShare = 1e-6;

constexpr std::size_t kHeader = 84;
constexpr std::size_t kFacetBytes = 50;

class StlReader {
 public:
  StlReader(std::string_view bytes, const std::string& file, double scale)
      : bytes_(bytes), file_(file), scale_(scale) {}

  std::vector<Vec3> corners() {
    if (bytes_.find_first_not_of(" \t\r\n") == std::string_view::npos) {
      fail(0, "is empty; give an STL file");
    }
    if (bytes_.size() >= kHeader && bytes_.size() == kHeader + kFacetBytes * stated_facets()) {
      read_binary();
    } else if (is_ascii()) {
      read_ascii();
    } else if (bytes_.size() < kHeader) {
      fail(0,
           "is no STL file: it neither begins with 'solid' nor has the 84 bytes of a binary "
           "file's header");
    } else {
      fail(0,
           fmt::format("says {} facets, which are {} bytes, but has {}; must be a whole binary or "
                       "ASCII STL file",
                       stated_facets(), kHeader + kFacetBytes * stated_facets(), bytes_.size()));
    }
    if (corners_.empty()) fail(0, "has no facets");
    return std::move(corners_);
  }

  [[noreturn]] void fail(int line, std::string_view text) const {
    throw config_error({file_, line}, "", text);
  }

 private:
  [[nodiscard]] std::size_t stated_facets() const {
    std::uint32_t count = 0;
    std::memcpy(&count, bytes_.data() + kHeader - sizeof count, sizeof count);
    return count;
  }

  [[nodiscard]] bool is_ascii() const {
    return lower_case(bytes_.substr(0, 5)) == "solid" &&
           bytes_.substr(0, 512).find('\0') == std::string_view::npos;
  }

  void read_binary() {
    check_count(stated_facets(), 0);
    for (std::size_t k = 0; k < stated_facets(); ++k) {
      std::array<float, 9> xyz{};
      std::memcpy(xyz.data(), bytes_.data() + kHeader + k * kFacetBytes + 12, sizeof xyz);
      for (std::size_t i = 0; i < xyz.size(); i += 3) {
        add(Vec3(xyz[i], xyz[i + 1], xyz[i + 2]), 0, fmt::format("facet {}", k + 1));
      }
    }
  }

  /// `facet`, three `vertex x y z`, `endfacet`; other words are passed over.
  void read_ascii() {
    bool in_facet = false;
    std::size_t corners_of_facet = 0;
    for (std::string word = lower_case(skip_line()); !word.empty();
         word = lower_case(next_word())) {
      if (word == "facet") {
        if (in_facet)
          fail(line_, "'facet' within a facet; the one before must end with 'endfacet'");
        in_facet = true;
        corners_of_facet = 0;
      } else if (word == "vertex") {
        if (!in_facet) fail(line_, "'vertex' outside of a facet");
        ++corners_of_facet;
        Vec3 corner;
        for (double& x : corner) x = next_number();
        add(corner, line_, "'vertex'");
      } else if (word == "endfacet") {
        if (corners_of_facet != 3) {
          fail(line_, fmt::format("the facet has {} corners; must have 3", corners_of_facet));
        }
        in_facet = false;
        check_count(corners_.size() / 3, line_);
      } else if (word == "solid" || word == "endsolid") {
        if (in_facet) fail(line_, "the facet before must end with 'endfacet'");
        skip_line();
      }
    }
    if (in_facet) fail(line_, "the file ends within a facet");
  }

  /// The rest of the line is a name; returns the word after it.
  std::string_view skip_line() {
    const std::size_t end = bytes_.find_first_of("\r\n", at_);
    at_ = end == std::string_view::npos ? bytes_.size() : end;
    return next_word();
  }

  std::string_view next_word() {
    constexpr std::string_view kBlanks = " \t\r\n";
    while (at_ < bytes_.size() && kBlanks.find(bytes_[at_]) != std::string_view::npos) {
      if (bytes_[at_++] == '\n') ++line_;
    }
    const std::size_t begin = at_;
    at_ = std::min(bytes_.find_first_of(kBlanks, at_), bytes_.size());
    return bytes_.substr(begin, at_ - begin);
  }

  double next_number() {
    const std::string_view word = next_word();
    const std::optional<double> number = parse_number(word);
    if (number) return *number;
    fail(line_, fmt::format("{}; 'vertex' must be followed by three numbers",
                            word.empty() ? "the file ends" : in_quotes(word)));
  }

  void add(const Vec3& corner, int line, const std::string& where) {
    const Vec3 corner_mm = scale_ * corner;
    if (!corner_mm.allFinite() || corner_mm.cwiseAbs().maxCoeff() > kFarthestMm) {
      fail(line, fmt::format("{}: is at {}; must lie within {:.0f} mm of the origin", where,
                             corner_text(corner), kFarthestMm));
    }
    corners_.push_back(corner_mm);
  }

  void check_count(std::size_t facets, int line) const {
    if (facets <= kMostFacets) return;
    fail(line, fmt::format("has {} facets up to here; at most {} can be read: save it coarser",
                           facets, kMostFacets));
  }

  std::string_view bytes_;
  const std::string& file_;
  double scale_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::vector<Vec3> corners_;
};

class StlSolid final : public SolidBody {
 public:
  explicit StlSolid(SolidMesh mesh) : mesh_(std::move(mesh)), integrals_(mesh_integrals(mesh_)) {
    if (integrals_.volume_mm3 >= 0.0) return;
    for (std::array<int, 3>& facet : mesh_.facets) std::swap(facet[1], facet[2]);
    integrals_ = mesh_integrals(mesh_);
  }

  [[nodiscard]] const SolidMesh& mesh() const override { return mesh_; }
  [[nodiscard]] const SolidIntegrals& integrals() const override { return integrals_; }
  [[nodiscard]] SolidSection section(const SolidPose& pose, double height_mm,
                                     double tolerance_mm) const override {
    return section_of(mesh_section(mesh_, pose, height_mm), tolerance_mm);
  }
  [[nodiscard]] std::pair<double, double> heights(const SolidPose& pose) const override {
    return mesh_heights(mesh_, pose);
  }

 private:
  SolidMesh mesh_;
  SolidIntegrals integrals_;
};

}  // namespace

std::unique_ptr<SolidBody> parse_stl(std::string_view bytes, const std::string& file,
                                     double scale) {
  static_assert(std::endian::native == std::endian::little, "binary STL files are little-endian");
  StlReader reader(bytes, file, scale);
  const std::vector<Vec3> corners = reader.corners();
  double farthest = 0.0;
  for (const Vec3& corner : corners) farthest = std::max(farthest, corner.cwiseAbs().maxCoeff());
  constexpr double kSmallestMm = 1e-6;
  if (!(farthest > kSmallestMm)) reader.fail(0, "is no larger than 1e-6 mm; is the unit right?");
  SolidMesh mesh = welded_mesh(corners, {}, kWeldShare * farthest);
  const std::size_t degenerate = corners.size() / 3 - mesh.facets.size();
  const std::string fault = mesh_fault(mesh);
  if (!fault.empty()) {
    reader.fail(0,
                fmt::format("is not closed: {}; each edge must have two facets that face the same "
                            "side (repair the mesh in the program that made it)",
                            fault));
  }
  find_flat_facets(mesh);
  auto solid = std::make_unique<StlSolid>(std::move(mesh));
  if (!(solid->integrals().volume_mm3 > std::pow(kWeldShare * farthest, 3))) {
    reader.fail(0, "encloses no volume");
  }
  const std::string shells = shell_fault(solid->mesh(), kWeldShare * farthest);
  if (!shells.empty()) {
    reader.fail(0, fmt::format("is not one solid: {}; its shells must lie apart, or within one as "
                               "hollows that face inwards (unite them in the program that made it)",
                               shells));
  }
  solid->source = fmt::format("STL, {} facets", solid->mesh().facets.size());
  if (degenerate > 0) solid->source += fmt::format(", {} without area left out", degenerate);
  solid->units = "mm, since STL files name no unit";
  return solid;
}

}  // namespace graspmap
