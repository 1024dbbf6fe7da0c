#include "grasp/base/pictures/gif.hpp"

#include <cmath>

#include "grasp/base/io/atomic_file.hpp"

namespace graspmap {
namespace {

/// Goes through the blocks of a GIF (GIF89a specification).
class GifReader {
 public:
  explicit GifReader(std::string_view gif) : gif_(gif) {}

  std::vector<std::size_t> delays() {
    if (!gif_.starts_with("GIF89a")) fail();
    constexpr std::size_t kScreenFlags = 10;
    position_ = 13 + color_table_size(byte(kScreenFlags));
    while (byte(position_) != kTrailer) skip_block();
    return delays_;
  }

 private:
  static constexpr unsigned kTrailer = 0x3b;
  static constexpr unsigned kExtension = 0x21;
  static constexpr unsigned kGraphicControl = 0xf9;
  static constexpr unsigned kImage = 0x2c;

  [[noreturn]] static void fail() {
    throw IoError("the animation is not complete; is the disk full?");
  }

  [[nodiscard]] unsigned byte(std::size_t at) const {
    if (at >= gif_.size()) fail();
    return static_cast<unsigned char>(gif_[at]);
  }

  static std::size_t color_table_size(unsigned flags) {
    return (flags & 0x80u) != 0 ? 3u << ((flags & 7u) + 1u) : 0u;
  }

  void skip_block() {
    if (byte(position_) == kExtension) {
      if (byte(position_ + 1) == kGraphicControl) delays_.push_back(position_ + 4);
      position_ += 2;
    } else if (byte(position_) == kImage) {
      position_ += 10 + color_table_size(byte(position_ + 9)) + 1;
    } else {
      fail();
    }
    while (byte(position_) != 0) position_ += byte(position_) + 1;
    ++position_;
  }

  std::string_view gif_;
  std::size_t position_ = 0;
  std::vector<std::size_t> delays_;
};

}  // namespace

std::vector<std::size_t> gif_delays(std::string_view gif) { return GifReader(gif).delays(); }

void hold_last_frame(std::string& gif, double hold_s) {
  const std::size_t at = gif_delays(gif).back();
  const auto hundredths = static_cast<unsigned>(std::lround(100.0 * hold_s));
  gif[at] = static_cast<char>(hundredths & 0xffu);
  gif[at + 1] = static_cast<char>(hundredths >> 8u);
}

}  // namespace graspmap
