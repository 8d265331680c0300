// Markdown in our fonts and colours: headings, paragraphs, emphasis, code, lists, tables, quotes.
#pragma once

#include <string>

namespace pivotscope::viz {

// At the cursor, as wide as there is room. A link is copied by a click: lessons open no browser.
void draw_markdown(const std::string& text);

}  // namespace pivotscope::viz
