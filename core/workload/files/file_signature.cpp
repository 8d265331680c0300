#include "core/workload/files/file_signature.hpp"

#include <fmt/format.h>

#include <iterator>

#include "core/common/shell_word.hpp"
#include "core/workload/files/numpy_header.hpp"

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
    {"7z\xbc\xaf\x27\x1c"sv, "a 7-Zip archive"},
    {"\xff\xd8\xff"sv, "a JPEG picture"},
    {"%PDF"sv, "a PDF document"},
    {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, "an old Excel or Word file"},
    {"PAR1"sv, "an Apache Parquet table"},
    {"ARROW1"sv, "an Apache Arrow table"},
    {"Obj\x01"sv, "an Apache Avro file"},
    {"\x89HDF\r\n\x1a\n"sv, "an HDF5 file"},
    {"\x80\x04\x95"sv, "a Python pickle"},
};

constexpr std::string_view sqlite = "SQLite format 3\0"sv;

}  // namespace

std::string signature_words(std::string_view name, std::span<const char> first) {
  const std::string_view bytes(first.data(), first.size());
  if (bytes.starts_with(sqlite)) {
    return fmt::format(
        "{0} is an SQLite database; name a table's column: sqlite3 {1} 'select COLUMN from TABLE' | "
        "pivotscope ... with /dev/stdin as the file",
        name, shell_path(name));
  }
  for (const signature& known : signatures) {
    if (!bytes.starts_with(known.first)) continue;
    if (known.unpack.empty()) {
      return fmt::format("{} is {}; write its numbers to a text file, one a line", name, known.what);
    }
    return fmt::format("{} is {}; convert it first, or on the way: {} {} | pivotscope ... with /dev/stdin as the file",
                       name, known.what, known.unpack, shell_path(name));
  }
  return {};
}

std::string no_text_words(std::string_view name, std::span<const char> first) {
  if (std::string words = signature_words(name, first); !words.empty()) return words;
  const bool numpy = std::string_view(first.data(), first.size()).starts_with(numpy_magic);
  if (numpy) return fmt::format("{} is a NumPy file, and here text is wanted", name);
  return looks_binary(first) ? fmt::format("{} is binary, and here text is wanted", name) : std::string();
}

}  // namespace pivotscope
