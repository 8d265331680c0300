// Words as the text of an XML file, or of an attribute in double quotes.
#pragma once

#include <string>
#include <string_view>

namespace pivotscope {

// Control characters, which XML cannot have, are left out.
inline std::string xml_text(std::string_view words) {
  std::string out;
  for (const char c : words) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) >= ' ')
      out += c;
  }
  return out;
}

}  // namespace pivotscope
