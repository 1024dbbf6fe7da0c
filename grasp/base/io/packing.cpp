#include "grasp/base/io/packing.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <zip.h>
#include <zlib.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <utility>

#include "grasp/base/io/errors.hpp"

namespace graspmap {

namespace fs = std::filesystem;
namespace {

constexpr std::size_t kBlockSize = std::size_t{1} << 16;
constexpr std::size_t kHeaderSize = 128;  ///< a multiple of 64, with room for any size

/// The header of NPY 1.0: magic, version, length of the rest, and a Python dictionary, padded with
/// spaces.
std::string npy_header(const std::string& type, std::int64_t size) {
  constexpr std::size_t kPrefixSize = 10;
  static_assert(kHeaderSize - kPrefixSize < 256);
  std::string header{"\x93NUMPY\x01\x00", 8};
  header += static_cast<char>(kHeaderSize - kPrefixSize);
  header += '\0';
  header += fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", type, size);
  header.resize(kHeaderSize - 1, ' ');
  return header + '\n';
}

/// An archive that is being made; given up at the end of the scope unless it was closed.
using Archive = std::unique_ptr<zip_t, decltype(&zip_discard)>;

[[noreturn]] void fail(const fs::path& file, zip_error_t* error) {
  if (zip_error_system_type(error) == ZIP_ET_SYS) {
    fail_to_write(file, zip_error_code_system(error));
  }
  throw IoError(fmt::format("{}: cannot be written: {}", file.string(), zip_error_strerror(error)));
}

Archive open_archive(const fs::path& file, const fs::path& temporary) {
  int code = 0;
  Archive archive(zip_open(temporary.c_str(), ZIP_CREATE | ZIP_EXCL, &code), &zip_discard);
  if (archive == nullptr) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    fail(file, &error);
  }
  return archive;
}

/// A source of libzip's that reads a file from its position, and owns it.
zip_source_t* source_of(const Archive& archive, const fs::path& file, FileDescriptor content) {
  std::FILE* stream = ::fdopen(content.number(), "rb");
  if (stream == nullptr) fail_to_write(file, errno);
  static_cast<void>(content.release());
  zip_source_t* source = zip_source_filep(archive.get(), stream, 0, -1);
  if (source == nullptr) {
    std::fclose(stream);
    fail(file, zip_get_error(archive.get()));
  }
  return source;
}

/// Takes note of an array's file; closing the archive reads it.
void add_entry(const Archive& archive, const fs::path& file, NpyArray& array) {
  const auto check = [&](bool done) {
    if (!done) fail(file, zip_get_error(archive.get()));
  };
  zip_source_t* source = source_of(archive, file, array.finish());
  const std::string name = array.name() + ".npy";
  const zip_int64_t index = zip_file_add(archive.get(), name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) zip_source_free(source);
  check(index >= 0);
  constexpr zip_uint32_t kFastest = 1;
  constexpr zip_uint16_t kFirstOfJanuary1980 = 0x21;  // no clock: the same bytes each time
  const auto entry = static_cast<zip_uint64_t>(index);
  const zip_int32_t method = array.is_float() ? ZIP_CM_STORE : ZIP_CM_DEFLATE;
  check(zip_set_file_compression(archive.get(), entry, method, kFastest) == 0);
  check(zip_file_set_dostime(archive.get(), entry, 0, kFirstOfJanuary1980, 0) == 0);
}

int is_stopped(zip_t* /*archive*/, void* stop) {
  return static_cast<const std::atomic<int>*>(stop)->load() != 0 ? 1 : 0;
}

/// Writes the archive; false when it was stopped.
bool close_archive(Archive& archive, const fs::path& file, const std::atomic<int>& stop) {
  zip_register_cancel_callback_with_state(archive.get(), is_stopped, nullptr,
                                          const_cast<std::atomic<int>*>(&stop));
  if (zip_close(archive.get()) == 0) {
    static_cast<void>(archive.release());
    return true;
  }
  zip_error_t* error = zip_get_error(archive.get());
  if (zip_error_code_zip(error) == ZIP_ER_CANCELLED) return false;
  fail(file, error);
}

}  // namespace

NpyArray::NpyArray(fs::path npz, std::string name, std::string type, FileDescriptor file)
    : npz_(std::move(npz)),
      name_(std::move(name)),
      type_(std::move(type)),
      buffer_(kHeaderSize, '\0'),  // the size is known at the end
      file_(std::move(file)) {}

void NpyArray::append_bytes(std::string_view element) {
  ++size_;
  buffer_.append(element);
  if (buffer_.size() >= kBlockSize) flush();
}

void NpyArray::flush() {
  if (!file_.write_all(buffer_)) fail_to_write(npz_, errno);
  buffer_.clear();
}

FileDescriptor NpyArray::finish() {
  flush();
  if (!file_.seek(0) || !file_.write_all(npy_header(type_, size_)) || !file_.seek(0)) {
    fail_to_write(npz_, errno);
  }
  return std::move(file_);
}

NpzWriter::NpzWriter(const fs::path& file) : file_(file), staged_(file) {}

NpyArray& NpzWriter::add(std::string name, std::string type) {
  FileDescriptor file = FileDescriptor::unnamed_in(staged_.temporary().parent_path());
  if (!file.is_open()) fail_to_write(file_, errno);
  return arrays_.emplace_back(file_, std::move(name), std::move(type), std::move(file));
}

bool NpzWriter::commit(const std::atomic<int>& stop) {
  Archive archive = open_archive(file_, staged_.temporary());
  for (NpyArray& array : arrays_) add_entry(archive, file_, array);
  if (!close_archive(archive, file_, stop)) return false;
  const FileDescriptor written(staged_.temporary(), O_RDONLY);
  if (!written.is_open() || !written.sync()) fail_to_write(file_, errno);
  staged_.commit();
  return true;
}

namespace {

constexpr int kGzip = 16;  // added to the window's bits: a gzip header, not zlib's
constexpr int kLargestMemory = 9;

Bytef* as_bytes(const char* text) {
  // zlib takes what it only reads without const.
  return reinterpret_cast<Bytef*>(const_cast<char*>(text));  // NOLINT
}

}  // namespace

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzip, kLargestMemory,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw IoError("zlib cannot begin to compress: no memory");
  }
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = as_bytes(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = as_bytes(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int status = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw IoError("zlib cannot compress");
  return packed;
}

std::string base64(std::string_view bytes) {
  constexpr const char* kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr unsigned kSixBits = 63;
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t count = bytes.size() - k < 3 ? bytes.size() - k : 3;
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      word = word << 8 | (i < count ? static_cast<unsigned char>(bytes[k + i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text += i <= count ? kDigits[word >> (18 - 6 * i) & kSixBits] : '=';
    }
  }
  return text;
}

}  // namespace graspmap
