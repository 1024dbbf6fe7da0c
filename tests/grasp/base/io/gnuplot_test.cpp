#include "grasp/base/io/gnuplot.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "grasp/base/io/atomic_file.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using testing::file_text;
using testing::TemporaryFolder;

/// What gnuplot makes of a string that it reads in a script.
std::string through_gnuplot(const std::string& text) {
  const TemporaryFolder folder;
  write_file_atomically(folder.path() / "echo.gp",
                        "set print 'said.txt'\nprint " + gnuplot_string(text) + "\n");
  run_gnuplot(folder.path() / "echo.gp", "gnuplot");
  return file_text(folder.path() / "said.txt");
}

TEST_CASE("gnuplot_string: gnuplot reads back the text itself") {
  const std::string text =
      GENERATE("", "lock_piece", "it's", "''", "'", R"(back\slash \n %s)", "trailing \\",
               "\"double\"", "`touch evil`", "$(touch evil)", "@macro",
               "it's @macro 'x' `touch evil`", "a # b", "{x}_2^3", "µ ± é");
  CAPTURE(text);
  CHECK(through_gnuplot(text) == text + "\n");
}

TEST_CASE("gnuplot_string: control characters become blanks, so that no command can follow") {
  CHECK(gnuplot_string("a\nb\tc\rd\x7f") == "'a b c d '");
  CHECK(gnuplot_string(std::string("a\0b", 3)) == "'a b'");
}

TEST_CASE("run_gnuplot: runs in the script's folder") {
  const TemporaryFolder folder;
  write_file_atomically(folder.path() / "where.gp", "set print 'here.txt'\nprint 'x'\n");
  run_gnuplot(folder.path() / "where.gp", "gnuplot");
  CHECK(file_text(folder.path() / "here.txt") == "x\n");
}

TEST_CASE("run_gnuplot: a script that is wrong gives gnuplot's first error line") {
  const TemporaryFolder folder;
  write_file_atomically(folder.path() / "bad.gp", "a = 1\nplot nothing_of_this_name\n");
  CHECK_THROWS_WITH(run_gnuplot(folder.path() / "bad.gp", "gnuplot"),
                    StartsWith("gnuplot failed on bad.gp: \"bad.gp\" line 2: ") &&
                        Contains("undefined variable: nothing_of_this_name"));
}

TEST_CASE("run_gnuplot: many messages do not block it") {
  const TemporaryFolder folder;
  write_file_atomically(folder.path() / "loud.gp",
                        "do for [i=1:20000] { printerr 'a warning of some length' }\n"
                        "set print 'end.txt'\nprint 'done'\n");
  run_gnuplot(folder.path() / "loud.gp", "gnuplot");
  CHECK(file_text(folder.path() / "end.txt") == "done\n");
}

TEST_CASE("run_gnuplot: without gnuplot the message names the Debian package") {
  const TemporaryFolder folder;
  write_file_atomically(folder.path() / "any.gp", "print 1\n");
  const std::string program = GENERATE("/nowhere/gnuplot", "gnuplot-that-nobody-has");
  CHECK_THROWS_AS(run_gnuplot(folder.path() / "any.gp", program), IoError);
  CHECK_THROWS_WITH(run_gnuplot(folder.path() / "any.gp", program),
                    StartsWith(program) && Contains("not found") && Contains("gnuplot-nox"));
}

TEST_CASE("run_gnuplot: a program that fails without a word, and one that is no program") {
  const TemporaryFolder folder;
  write_file_atomically(folder.path() / "any.gp", "print 1\n");
  CHECK_THROWS_WITH(run_gnuplot(folder.path() / "any.gp", "/bin/false"),
                    "gnuplot failed on any.gp: it gave no reason");
  CHECK_THROWS_WITH(run_gnuplot(folder.path() / "any.gp", folder.path().string()),
                    Contains("cannot be run"));
}

TEST_CASE("run_gnuplot: an end by a signal is an error") {
  const TemporaryFolder folder;
  const std::filesystem::path program = folder.path() / "dies";
  write_file_atomically(program, "#!/bin/sh\nkill -TERM $$\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  write_file_atomically(folder.path() / "any.gp", "print 1\n");
  CHECK_THROWS_WITH(run_gnuplot(folder.path() / "any.gp", program.string()),
                    "gnuplot was ended by signal 15 in any.gp");
}

}  // namespace
}  // namespace graspmap
