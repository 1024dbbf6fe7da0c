#include "grasp/base/io/printable_stream.hpp"

#include <algorithm>

#include "grasp/base/io/printable_text.hpp"

namespace graspmap {

PrintableStream::PrintableStream(std::ostream& stream, bool progress)
    : stream_(stream), progress_(progress), target_(stream.rdbuf(this)) {}

PrintableStream::~PrintableStream() {
  pass_on(waiting_.size());
  stream_.rdbuf(target_);
}

PrintableStream::int_type PrintableStream::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char character = traits_type::to_char_type(c);
  return xsputn(&character, 1) == 1 ? c : traits_type::eof();
}

std::streamsize PrintableStream::xsputn(const char* text, std::streamsize size) {
  waiting_.append(text, static_cast<std::size_t>(size));
  const std::size_t end = waiting_.rfind('\n');
  if (end != std::string::npos && !pass_on(end + 1)) return 0;
  return size;
}

int PrintableStream::sync() { return pass_on(waiting_.size()) && target_->pubsync() == 0 ? 0 : -1; }

std::string PrintableStream::passed(std::string_view text) const {
  if (!progress_) return printable_lines(text);
  std::string result;
  while (!text.empty()) {
    const std::size_t next = std::min(text.find_first_of("\r\x1b"), text.size());
    result += printable_lines(text.substr(0, next));
    text.remove_prefix(next);
    if (text.empty()) break;
    constexpr std::string_view kEraseLine = "\x1b[K";
    const std::size_t kept = text.starts_with('\r')         ? 1
                             : text.starts_with(kEraseLine) ? kEraseLine.size()
                                                            : 0;
    result += kept > 0 ? std::string(text.substr(0, kept)) : printable(text.substr(0, 1));
    text.remove_prefix(std::max<std::size_t>(kept, 1));
  }
  return result;
}

bool PrintableStream::pass_on(std::size_t size) {
  const std::string text = passed(std::string_view(waiting_).substr(0, size));
  waiting_.erase(0, size);
  const auto length = static_cast<std::streamsize>(text.size());
  return target_->sputn(text.data(), length) == length;
}

}  // namespace graspmap
