#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>

#include "geometry/assert.hpp"
#include "grasp/base/io/atomic_file.hpp"

namespace graspmap {

static_assert(std::endian::native == std::endian::little, "arrays are written as they are");

/// What numpy calls the type of an element.
template <class T>
constexpr const char* npy_type() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return "|u1";
  if constexpr (std::is_same_v<T, std::int32_t>) return "<i4";
  if constexpr (std::is_same_v<T, std::int64_t>) return "<i8";
  if constexpr (std::is_same_v<T, double>) return "<f8";
}

/// A one-dimensional array in numpy's format (NPY 1.0), made element by element in an unnamed
/// temporary file: its memory is a buffer of fixed size. Made by NpzWriter.
class NpyArray {
 public:
  /// An array `name` of elements that numpy calls `type`, made in the empty file `file`. `npz` is
  /// the archive that errors name.
  NpyArray(std::filesystem::path npz, std::string name, std::string type, FileDescriptor file);

  /// Appends an element, whose type must be that of the array. Throws IoError.
  template <class T>
  void append(T value) {
    GRASPMAP_ASSERT(type_ == npy_type<T>());
    append_bytes({reinterpret_cast<const char*>(&value), sizeof value});
  }
  /// Appends an element by its bytes. Throws IoError.
  void append_bytes(std::string_view element);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool is_float() const { return type_ == npy_type<double>(); }

  /// Completes the file, goes back to its start, and leaves it to the caller. Throws IoError.
  [[nodiscard]] FileDescriptor finish();

 private:
  void flush();

  std::filesystem::path npz_;
  std::string name_;
  std::string type_;
  std::int64_t size_ = 0;  ///< elements
  std::string buffer_;
  FileDescriptor file_;
};

/// Writes an NPZ of any size, as numpy.load reads it: completely or not at all. The arrays are made
/// in temporary files first and copied into the archive at the end, so for a moment the disk holds
/// everything twice; the memory used does not depend on the size. Integers are deflated, which
/// makes counts much smaller; doubles are stored as they are, for they lose a tenth and cost most
/// of the time. The archive's bytes depend on its content only.
class NpzWriter {
 public:
  /// Throws IoError when `file` is nothing that a file can replace (a pipe, a device).
  explicit NpzWriter(const std::filesystem::path& file);

  /// A new array; the reference stays valid. Throws IoError.
  NpyArray& add(std::string name, std::string type);

  /// Writes the archive under its final name, and returns true; or removes what it began and
  /// returns false when `stop` becomes other than zero meanwhile. Throws IoError.
  [[nodiscard]] bool commit(const std::atomic<int>& stop);

 private:
  std::filesystem::path file_;
  StagedName staged_;
  std::deque<NpyArray> arrays_;
};

/// `bytes` as a gzip file, as small as zlib makes it. No time and no name are in it: the same bytes
/// give the same file. Throws IoError when memory runs out.
std::string gzip(std::string_view bytes);

/// Bytes as text of A-Z, a-z, 0-9, + and /, filled up with = (RFC 4648, section 4).
std::string base64(std::string_view bytes);

}  // namespace graspmap
