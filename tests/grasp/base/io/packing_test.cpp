#include "grasp/base/io/packing.hpp"

#include <zlib.h>

#include <catch2/catch.hpp>
#include <cstdint>

namespace graspmap {
namespace {

/// What a gzip file holds, by zlib.
std::string unpacked(std::string packed, std::size_t size) {
  std::string bytes(size + 1, '\0');
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, MAX_WBITS + 16) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  bytes.resize(stream.total_out);
  inflateEnd(&stream);
  return bytes;
}

TEST_CASE("gzip packs any bytes, and zlib gives them back") {
  std::string counting;
  for (std::int64_t k = 0; k < 100000; ++k) counting += static_cast<char>(k * k % 251);
  for (const std::string& bytes : {std::string(), std::string("a\0b\xff", 4), counting}) {
    const std::string packed = gzip(bytes);
    CHECK(packed.starts_with("\x1f\x8b"));
    CHECK(unpacked(packed, bytes.size()) == bytes);
    CHECK(gzip(bytes) == packed);
  }
  CHECK(gzip(std::string(100000, 'x')).size() < 500);
}

TEST_CASE("base64: the examples of RFC 4648, and bytes beyond ASCII") {
  CHECK(base64("").empty());
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("foob") == "Zm9vYg==");
  CHECK(base64("fooba") == "Zm9vYmE=");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64("\xff\xfe\xfd\x80") == "//79gA==");
}

}  // namespace
}  // namespace graspmap
