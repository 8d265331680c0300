// Files that are neither text nor numbers, told by their first bytes.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pivotscope {

inline constexpr std::string_view utf8_mark = "\xef\xbb\xbf";  // a byte-order mark; some editors put it before text

// What the file `name` is and what to do with it, when its first bytes say so: "k.gz is gzip-compressed; convert it
// first, or on the way: gunzip -c k.gz | pivotscope ... with /dev/stdin as the file". Empty: they do not.
std::string signature_words(std::string_view name, std::span<const char> first);
// The same where only text will do: of an array of NumPy's, and of any other file that looks_binary().
std::string no_text_words(std::string_view name, std::span<const char> first);

}  // namespace pivotscope
