// What libFuzzer calls: the reader whose name PIVOTSCOPE_FUZZ_READER is.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "tests/fuzz/reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const pivotscope::fuzz::reader& one : pivotscope::fuzz::readers()) {
    if (one.name != PIVOTSCOPE_FUZZ_READER) continue;
    try {
      one.body(bytes);
    } catch (const std::exception& broken) {
      std::fprintf(stderr, "broken: %s\n", broken.what());
      std::abort();
    }
    return 0;
  }
  std::abort();
}
