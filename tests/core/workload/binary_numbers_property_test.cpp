// Whatever numbers a binary file has, and however they are written.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/workload/files/key_file.hpp"
#include "tests/app/program.hpp"
#include "tests/support/binary_files.hpp"

namespace pivotscope {
namespace {

std::vector<u64> any_values() {
  std::vector<u64> values = *rc::gen::nonEmpty(rc::gen::container<std::vector<u64>>(
      rc::gen::oneOf(rc::gen::arbitrary<u64>(), rc::gen::inRange<u64>(0, 1000), rc::gen::inRange<u64>(2600, 2620),
                     rc::gen::inRange<u64>(0, u64{1} << 40))));
  if (*rc::gen::arbitrary<bool>()) std::sort(values.begin(), values.end());
  return values;
}

// None is ever told to have a bad line: it has none.
RC_GTEST_PROP(BinaryFile, IsReadOrNamedButHasNoLines, ()) {
  const scratch_folder folder;
  const std::vector<u64> values = any_values();
  const std::vector<u32> halves(values.begin(), values.end());
  std::string bytes;
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      bytes = testing::bytes_of(values);
      break;
    case 1:
      bytes = testing::bytes_of(halves);
      break;
    case 2:
      bytes = testing::with_count(*rc::gen::inRange<u64>(0, 100), testing::bytes_of(values));
      break;
    case 3:
      bytes = testing::big_endian(std::vector<u64>{values.size()}) + testing::big_endian(values);
      break;
    default:
      bytes = testing::bytes_of(std::vector<u32>{static_cast<u32>(values.size())}) + testing::bytes_of(halves);
  }
  bytes.resize(bytes.size() - *rc::gen::inRange<std::size_t>(0, 2));
  // Bytes that all are letters or digits are text.
  RC_PRE(std::any_of(bytes.begin(), bytes.end(), [](char c) { return c >= 0 && c < '\t'; }));
  const std::string path = folder.write("f", bytes);
  for (const key_width width : {key_width::u32, key_width::u64})
    for (const auto& read : {read_key_file(path, width), read_key_column(path, "1", width)})
      if (!read) RC_ASSERT(read.error().words.find(path + ":") != 0 || read.error().words.find(path + ": its") == 0);
}

// An array of NumPy's has its values, or names the first that is none of the width.
RC_GTEST_PROP(BinaryFile, OfNumpyHasItsValues, ()) {
  const scratch_folder folder;
  const std::vector<u64> values = any_values();
  const bool is_signed = *rc::gen::arbitrary<bool>();
  const std::string path =
      folder.write("f", testing::numpy_file(is_signed ? "'<i8'" : "'<u8'", fmt::format("({},)", values.size()),
                                            testing::bytes_of(values)));
  for (const key_width width : {key_width::u32, key_width::u64}) {
    const u64 greatest = width == key_width::u32 ? greatest_key<u32>() : is_signed ? ~u64{0} >> 1 : ~u64{0};
    const auto bad = std::find_if(values.begin(), values.end(), [&](u64 value) { return value > greatest; });
    const auto read = read_key_file(path, width);
    RC_ASSERT(read.ok() == (bad == values.end()));
    if (!read) {
      RC_ASSERT(read.error().words.starts_with(fmt::format("{}: value {}: ", path, bad - values.begin())));
      continue;
    }
    RC_ASSERT(read->size() == values.size());
    for (u64 i = 0; i < values.size(); ++i) RC_ASSERT((*read)[i] == values[i]);
  }
}

}  // namespace
}  // namespace pivotscope
