#include "grasp/base/io/printable_text.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "grasp/base/io/csv.hpp"
#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/io/result.hpp"

namespace graspmap {
namespace {

TEST_CASE("text that says something stays and what does something is shown") {
  CHECK(printable("mu = 0.3, 5 \u00b5m, \u4e2d, \U0001F600 ~") ==
        "mu = 0.3, 5 \u00b5m, \u4e2d, \U0001F600 ~");
  CHECK(printable("a\nb\tc\rd") == "a\\nb\\tc\\rd");
  CHECK(printable("\x1b[31m\x07\x7f") == "\\x1b[31m\\x07\\x7f");
  CHECK(printable(std::string_view("\0", 1)) == "\\x00");
  CHECK(printable("\xc2\x9b"
                  "2J") == "\\u009b2J");                  // C1: another way to write ESC [
  CHECK(printable("\u202egnp.exe") == "\\u202egnp.exe");  // from right to left
  CHECK(printable("\u2028") == "\\u2028");
  CHECK(printable_lines("a\nb\x1b") == "a\nb\\x1b");
}

TEST_CASE("bytes that are no UTF-8 are shown one by one") {
  CHECK(printable("\xff\xfe") == "\\xff\\xfe");
  CHECK(printable("a\xc3") == "a\\xc3");                           // cut off
  CHECK(printable("\xc0\x9b") == "\\xc0\\x9b");                    // longer than need be
  CHECK(printable("\xe0\x82\x9b") == "\\xe0\\x82\\x9b");           // the same
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // a surrogate
  CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // beyond the last code
}

TEST_CASE("a stream passes nothing on but text") {
  std::ostringstream out;
  {
    const PrintableStream printable_out(out);
    out << "a\x1b[2Jb" << '\n'
        << "\xc2"
        << "\xb5" << 3;
  }
  out << '\x1b';
  CHECK(out.str() ==
        "a\\x1b[2Jb\n\u00b5"
        "3\x1b");
  std::ostringstream progress;
  {
    const PrintableStream printable_out(progress, true);
    progress << '\r' << "12 %"
             << "\x1b[K"
             << "\x1b[2J\n";
  }
  CHECK(progress.str() == "\r12 %\x1b[K\\x1b[2J\n");
}

TEST_CASE("JSON, CSV and figures have no control characters of others") {
  const std::string evil = "\x1b[31m\x7f\xc2\x9b\xff\"";
  CHECK(json_text(evil) == "\"\\u001b[31m\\u007f\\u009b\\ufffd\\\"\"\n");
  std::string line;
  append_csv_field(line, evil);
  CHECK(line == "\"\\x1b[31m\\x7f\\u009b\\xff\"\"\"");
  CHECK(gnuplot_string(evil) == "' [31m   \"'");
}

}  // namespace
}  // namespace graspmap
