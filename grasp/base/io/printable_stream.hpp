#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace graspmap {

/// While it lives, all that is written to a stream goes through printable_lines: nothing that
/// others wrote reaches a terminal as more than text. A line is passed on when it ends or the
/// stream is flushed. With `progress`, what a progress bar needs stays too: a carriage return, and
/// "erase to the end of the line".
class PrintableStream : private std::streambuf {
 public:
  explicit PrintableStream(std::ostream& stream, bool progress = false);
  ~PrintableStream() override;
  PrintableStream(const PrintableStream&) = delete;
  PrintableStream& operator=(const PrintableStream&) = delete;

 private:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;
  /// False when it cannot be written.
  bool pass_on(std::size_t size);

  [[nodiscard]] std::string passed(std::string_view text) const;

  std::ostream& stream_;
  bool progress_;
  std::streambuf* target_;
  std::string waiting_;
};

}  // namespace graspmap
