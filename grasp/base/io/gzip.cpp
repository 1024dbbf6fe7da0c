#include "grasp/base/io/gzip.hpp"

#include <zlib.h>

#include "grasp/base/io/errors.hpp"

namespace graspmap {
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

}  // namespace graspmap
