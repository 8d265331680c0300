// Where the fonts are, and how they are loaded.
#pragma once

namespace pivotscope {

// Inter, JetBrains Mono and Font Awesome from the installed program's share/pivotscope, the build's assets, or Debian's
// folders; Dear ImGui's own font stands in for what is nowhere. Needs a Dear ImGui context.
void load_fonts();

}  // namespace pivotscope
