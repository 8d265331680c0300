#include "core/common/plain_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/common/portable.hpp"

namespace pivotscope {
namespace {

struct letter {
  std::size_t bytes = 1;
  bool shown = false;
};

bool turns_the_writing(u32 code) {
  return code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

// The letter that `text` begins with; a byte that begins none is one that is not shown.
letter first_letter(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<u8>(text[i]); };
  const u8 lead = byte(0);
  if (lead < 0x80) return {1, lead >= 0x20 && lead != 0x7F};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  u32 code = lead & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr u32 least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[bytes] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {bytes, code >= 0xA0 && !turns_the_writing(code)};
}

// At most `most` bytes of whole letters, and "..." where that is not all.
std::string_view cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<u8>(text[most]) & 0xC0) == 0x80) --most;
  return text.substr(0, most);
}

void append_cut(std::string& out, std::string_view part) {
  const std::string_view kept = cut(part, longest_quoted);
  out += kept;
  if (kept.size() < part.size()) out += "...";
}

bool is_in(std::string_view set, char c) { return set.find(c) != set.npos; }

// Where the quotation that begins at `at` ends: at the same mark before a blank, a stop or the end. None: npos.
std::size_t closing_mark(std::string_view words, std::size_t at) {
  const bool begins = at == 0 || is_in(" (=:", words[at - 1]);
  if (!begins || !is_in("'\"", words[at])) return words.npos;
  for (std::size_t i = at + 1; i < words.size(); ++i) {
    if (words[i] == words[at] && (i + 1 == words.size() || is_in(" .,:;)?", words[i + 1]))) return i;
  }
  return words.npos;
}

std::string with_short_quotations(std::string_view words) {
  std::string out;
  std::size_t run = 0;  // where the characters without a blank or a quotation began
  for (std::size_t at = 0; at <= words.size(); ++at) {
    const std::size_t closing = at < words.size() ? closing_mark(words, at) : words.npos;
    if (at < words.size() && words[at] != ' ' && closing == words.npos) continue;
    append_cut(out, words.substr(run, at - run));
    if (closing != words.npos) {
      out += words[at];
      append_cut(out, words.substr(at + 1, closing - at - 1));
      at = closing;
    }
    if (at < words.size()) out += words[at];
    run = at + 1;
  }
  return out;
}

}  // namespace

std::string plain_words(std::string_view words) {
  std::string shown;
  for (std::size_t at = 0; at < words.size();) {
    const letter next = first_letter(words.substr(at));
    for (std::size_t i = at; i < at + next.bytes; ++i) {
      if (next.shown) {
        shown += words[i];
      } else {
        shown += fmt::format("\\x{:02X}", static_cast<u8>(words[i]));
      }
    }
    at += next.bytes;
  }
  const std::string out = with_short_quotations(shown);
  const std::string_view kept = cut(out, longest_message);
  return kept.size() < out.size() ? std::string(kept) + "..." : out;
}

std::string plain_lines(std::string_view words) {
  std::string out;
  for (std::size_t at = 0;;) {
    const std::size_t end = words.find(line_below, at);
    out += plain_words(words.substr(at, end - at));
    if (end == words.npos) return out;
    out += line_below;
    at = end + line_below.size();
  }
}

std::string lines_below(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (const std::string_view line = text.substr(at, end - at); line.find_first_not_of(" \t\r") != line.npos)
      out.append(line_below).append(line);
    at = end + 1;
  }
  return out;
}

}  // namespace pivotscope
