#include "grasp/show/report/live_module.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <filesystem>
#include <system_error>
#include <vector>

#include "grasp/base/io/errors.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace {

/// Reads the binary format of WebAssembly: `ok` turns false where the bytes end too early or are
/// not as they must be, and stays so.
class ModuleBytes {
 public:
  explicit ModuleBytes(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return bytes_.empty(); }

  std::string_view take(std::size_t count) {
    if (count > bytes_.size()) {
      ok_ = false;
      count = bytes_.size();
    }
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

  std::uint8_t byte() {
    const std::string_view taken = take(1);
    return taken.empty() ? 0 : static_cast<std::uint8_t>(taken[0]);
  }

  /// An unsigned integer of 32 bits in LEB128, section 5.2.2.
  std::uint32_t number() {
    std::uint32_t value = 0;
    for (unsigned shift = 0; shift < 35 && ok_; shift += 7) {
      const std::uint8_t part = byte();
      value |= static_cast<std::uint32_t>(part & 0x7fU) << shift;
      if ((part & 0x80U) == 0) return value;
    }
    ok_ = false;
    return 0;
  }

  std::string_view name() { return take(number()); }

  void limits() {
    const bool has_most = (number() & 1U) != 0;
    number();
    if (has_most) number();
  }

  void fail() { ok_ = false; }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

/// The functions of an import section, section 5.5.5.
void read_imports(ModuleBytes& section, std::vector<std::string>& functions) {
  enum Kind : std::uint8_t { kFunction, kTable, kMemory, kGlobal };
  for (std::uint32_t left = section.number(); left > 0 && section.ok(); --left) {
    section.name();  // of the module that it comes from
    const std::string_view name = section.name();
    switch (section.byte()) {
      case kFunction:
        functions.emplace_back(name);
        section.number();
        break;
      case kTable:
        section.byte();
        section.limits();
        break;
      case kMemory:
        section.limits();
        break;
      case kGlobal:
        section.take(2);
        break;
      default:
        section.fail();
    }
  }
}

}  // namespace

std::optional<std::string> find_web_file(const char* name) {
  std::vector<fs::path> folders;  // the most likely first
#ifdef GRASPMAP_LIVE_FOLDER
  folders.emplace_back(GRASPMAP_LIVE_FOLDER);
#endif
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back(program.parent_path().parent_path() / "share" / "graspmap");
  for (const fs::path& folder : folders) {
    const fs::path file = folder / name;
    if (!fs::exists(file, error)) continue;
    if (auto bytes = file_bytes(file)) return bytes;
    throw IoError(file.string() + ": cannot be read");
  }
  return std::nullopt;
}

std::optional<std::vector<std::string>> imported_functions(std::string_view module) {
  constexpr std::string_view kHead{"\0asm\1\0\0\0", 8};
  constexpr std::uint8_t kImportSection = 2;
  ModuleBytes bytes(module);
  if (bytes.take(kHead.size()) != kHead) return std::nullopt;
  std::vector<std::string> functions;
  while (!bytes.at_end() && bytes.ok()) {
    const std::uint8_t id = bytes.byte();
    ModuleBytes section(bytes.take(bytes.number()));
    if (id == kImportSection && bytes.ok()) read_imports(section, functions);
    if (!section.ok()) return std::nullopt;
  }
  if (!bytes.ok()) return std::nullopt;
  return functions;
}

std::string why_page_cannot_run(std::string_view module, std::string_view page_script) {
  const auto functions = imported_functions(module);
  if (!functions) return "its file is not a whole WebAssembly module";
  std::vector<std::string> lacking;
  for (const std::string& name : *functions) {
    if (page_script.find(name + ":") == std::string_view::npos) lacking.push_back(name);
  }
  if (lacking.empty()) return "";
  return fmt::format("it asks for {}, which the page lacks", fmt::join(lacking, ", "));
}

}  // namespace graspmap
