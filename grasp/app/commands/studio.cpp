#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <string>

#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/base/drawings/drawing.hpp"
#include "grasp/base/drawings/sketch.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/show/report/live_module.hpp"
#include "grasp/show/report/report.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

namespace fs = std::filesystem;
namespace {

/// Where the page has room for parts: web/studio/bundle.mjs.
constexpr std::string_view kMarker = "<!-- graspmap: parts -->\n";

/// A part of the page for what the user gave, and the name of the page.
struct GivenPart {
  std::string name;
  std::string part;
};

GivenPart given_part(const Arguments& arguments) {
  if (arguments.operands().empty()) {
    if (arguments.has("set")) arguments.fail("--set is for a configuration; give one");
    return {"studio", ""};
  }
  const fs::path file = arguments.operand();
  const std::string ending = lower_case(file.extension().string());
  if (ending == ".dxf" || ending == ".svg") {
    if (arguments.has("set")) arguments.fail("--set is for a configuration, not for a drawing");
    return {file.stem().string() + "_studio",
            page_part("file:" + file.filename().string(), read_bytes(file, "a DXF or SVG file"))};
  }
  if (is_solid_file(file)) {
    throw config_error({file.string()}, "",
                       "is a solid; give the configuration that graspmap init makes of it");
  }
  const SweepConfig config = read_sweep_config(file, arguments.texts("set"));
  return {config.name + "_studio", page_part("config", to_toml(config))};
}

/// Replaces this process by the one that opens a file.
[[noreturn]] void open_in_browser(const fs::path& file) {
  std::cout.flush();
  ::execlp("xdg-open", "xdg-open", file.c_str(), nullptr);
  throw IoError(fmt::format("xdg-open: {}; open {} in a browser", std::strerror(errno),
                            fs::absolute(file).string()));
}

int write_studio(const Arguments& arguments) {
  const GivenPart given = given_part(arguments);
  const fs::path out = arguments.has("out") ? arguments.text("out") : given.name + ".html";
  if (fs::exists(out) && !arguments.has("force")) {
    arguments.fail(fmt::format("{} is there already; --force overwrites it, --out names another",
                               out.string()));
  }
  check_writable(out);
  std::optional<std::string> page = find_web_file("studio.html");
  if (!page) throw IoError("this graspmap was built without the studio; scripts/studio builds it");
  const std::size_t place = page->find(kMarker);
  if (place == std::string::npos) throw IoError("studio.html is not a page of this graspmap");
  page->insert(place + kMarker.size(), given.part);
  write_file_atomically(out, *page);
  constexpr double kMega = 1e6;
  std::cout << fmt::format("Studio in {}: {:.1f} MB. Open it in a browser.\n", out.string(),
                           static_cast<double>(page->size()) / kMega);
  if (arguments.has("open")) open_in_browser(out);
  return 0;
}

}  // namespace

Command studio_command() {
  return {
      {"studio",
       "write graspmap for the browser, one HTML file, with a part in it",
       "[CONFIG|FILE.dxf|FILE.svg]",
       "Writes graspmap for the browser: one HTML file, with a configuration or a drawing in it,\n"
       "that needs no installation, no server and no network on any system. The page simulates\n"
       "with graspmap's own engine: change the gripper, friction or the robot's error, and the "
       "map\n"
       "changes with it. What it exports as TOML, `graspmap run` simulates to the same bits.\n",
       "  graspmap studio\n"
       "  graspmap studio configs/lock_piece.toml --open\n"
       "  graspmap studio bracket.dxf --out bracket.html\n",
       {{"set KEY=VALUE ...", "override a key of the configuration; may be repeated"},
        {"out FILE.html", "write FILE.html (default: studio.html, or NAME_studio.html)"},
        {"open", "open it in the browser (by xdg-open)"},
        {"force", "overwrite a file that is there"}}},
      parsed(write_studio),
      keys_of_sweep};
}

}  // namespace graspmap
