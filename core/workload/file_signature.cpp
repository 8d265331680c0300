#include "core/workload/file_signature.hpp"

#include <fmt/format.h>

#include <iterator>

namespace pivotscope {
namespace {

using namespace std::string_view_literals;

struct signature {
  std::string_view first, what;
  std::string_view unpack = {};  // the command that writes what is inside to its standard output
};

constexpr signature signatures[] = {
    {"\x1f\x8b"sv, "gzip-compressed", "gunzip -c"},
    {"\x28\xb5\x2f\xfd"sv, "compressed by zstd", "zstd -dc"},
    {"\xfd\x37zXZ\x00"sv, "compressed by xz", "xz -dc"},
    {"BZh"sv, "compressed by bzip2", "bunzip2 -c"},
    {"\x04\x22\x4d\x18"sv, "compressed by lz4", "lz4 -dc"},
    {"PK\x03\x04"sv, "a zip archive", "unzip -p"},
    {"\xff\xfe"sv, "text in UTF-16", "iconv -f UTF-16 -t UTF-8"},
    {"\xfe\xff"sv, "text in UTF-16", "iconv -f UTF-16 -t UTF-8"},
    {"\x7f\x45LF"sv, "a program (ELF)"},
    {"\x89PNG\r\n"sv, "a PNG picture"},
    {"\x93NUMPY"sv, "a NumPy array"},
    {"PAR1"sv, "an Apache Parquet table"},
};

}  // namespace

std::string signature_words(std::string_view name, std::span<const char> first) {
  const std::string_view bytes(first.data(), first.size());
  for (const signature& known : signatures) {
    if (!bytes.starts_with(known.first)) continue;
    if (known.unpack.empty()) {
      return fmt::format("{} is {}; write its numbers to a text file, one a line", name, known.what);
    }
    return fmt::format("{} is {}; convert it first, or on the way: {} {} | pivotscope ... with /dev/stdin as the file",
                       name, known.what, known.unpack, name);
  }
  return {};
}

}  // namespace pivotscope
