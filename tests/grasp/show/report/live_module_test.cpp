#include "grasp/show/report/live_module.hpp"

#include <catch2/catch.hpp>

#include "grasp/show/report/report.hpp"

namespace graspmap {
namespace {

using namespace std::string_literals;
using Names = std::vector<std::string>;

/// A number below 2^14 in LEB128, in two bytes.
std::string leb(std::size_t number) {
  return {static_cast<char>(number % 128 + 128), static_cast<char>(number / 128)};
}

/// A module that imports functions, written by hand after the WebAssembly core specification: a
/// type section, (func), and an import section that also imports a memory and a global.
std::string module_that_imports(const Names& names) {
  std::string section(1, static_cast<char>(names.size() + 2));
  section += "\3env\6memory\2\0\1"s;
  section += "\3env\4size\3\x7f\0"s;
  for (const std::string& name : names) {
    section += "\3env" + std::string(1, static_cast<char>(name.size())) + name + "\0\0"s;
  }
  return "\0asm\1\0\0\0"s + "\1\4\1\x60\0\0"s + "\2" + leb(section.size()) + section;
}

TEST_CASE("the functions that a module imports are read") {
  CHECK(imported_functions(module_that_imports({})) == Names{});
  CHECK(imported_functions(module_that_imports({"fd_seek", "stat"})) == Names{"fd_seek", "stat"});
  CHECK(imported_functions("\0asm\1\0\0\0"s) == Names{});
}

TEST_CASE("a module that is cut off anywhere, or is something else, is refused") {
  const std::string module = module_that_imports({"fd_seek"});
  for (std::size_t length = 0; length < module.size(); ++length) {
    if (length == 8 || length == 14) continue;  // ends between two sections: whole
    CHECK_FALSE(imported_functions(module.substr(0, length)).has_value());
  }
  CHECK_FALSE(imported_functions("<html>").has_value());
  CHECK_FALSE(imported_functions(module + "\2").has_value());
}

TEST_CASE("a module that asks for more than the page has is named with what is lacking") {
  const std::string script = "const s={fd_seek:a,fd_write:b}";
  CHECK(why_page_cannot_run(module_that_imports({"fd_seek", "fd_write"}), script).empty());
  CHECK(why_page_cannot_run(module_that_imports({"fd_seek", "fork", "fd_wri"}), script) ==
        "it asks for fork, fd_wri, which the page lacks");
  CHECK(why_page_cannot_run("", script) == "its file is not a whole WebAssembly module");
}

TEST_CASE("the page has what emscripten's programs ask for") {
  CHECK(why_page_cannot_run(module_that_imports({"emscripten_notify_memory_growth", "fd_close",
                                                 "fd_read", "fd_seek", "fd_write", "proc_exit",
                                                 "environ_get", "environ_sizes_get"}),
                            page_script())
            .empty());
}

}  // namespace
}  // namespace graspmap
