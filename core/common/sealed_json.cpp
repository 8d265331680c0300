#include "core/common/sealed_json.hpp"

#include <fmt/format.h>

#define XXH_INLINE_ALL  // no library to carry along
#include <xxhash.h>

#include "core/common/expect.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view end = "\n}\n", before = ",\n \"checksum\": \"", behind = "\"\n}\n";
constexpr std::size_t digits = 16, tail = before.size() + digits + behind.size();

}  // namespace

std::string checksum_text(std::string_view bytes) {
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

std::string sealed(std::string_view text) {
  PIVOTSCOPE_EXPECT(text.ends_with(end));
  text.remove_suffix(end.size());
  return std::string(text) + std::string(before) + checksum_text(text) + std::string(behind);
}

seal seal_of(std::string_view text) {
  if (text.size() < tail || !text.ends_with(behind)) return seal::none;
  const std::string_view body = text.substr(0, text.size() - tail), last = text.substr(body.size());
  if (!last.starts_with(before)) return seal::none;
  return last.substr(before.size(), digits) == checksum_text(body) ? seal::right : seal::wrong;
}

outcome<nlohmann::json> parse_sealed(std::string_view text, int format) {
  const seal is = seal_of(text);
  if (is == seal::wrong) return problem{"its checksum is not that of what stands in it"};
  nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded()) return problem{"it is no JSON, or it was cut off"};
  if (!json.is_object()) return problem{"it is of another format"};
  const nlohmann::json is_of = json.value("format", nlohmann::json());
  if (is == seal::right ? is_of != format : is_of != format && is_of != format - 1)
    return problem{"it is of another format"};
  if (is == seal::none && (is_of == format || json.contains("checksum")))
    return problem{"its checksum is not at its end"};
  return json;
}

}  // namespace pivotscope
