#include "app/window/fonts.hpp"

#include <imgui.h>

#include <array>
#include <filesystem>
#include <system_error>
#include <vector>

#include "viz/theme.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders() {
  std::vector<fs::path> out;
  std::error_code fault;
  const fs::path program = fs::read_symlink("/proc/self/exe", fault);
  if (!fault) out.push_back(program.parent_path().parent_path() / "share" / "pivotscope" / "fonts");
#ifdef PIVOTSCOPE_ASSETS_DIR
  out.push_back(fs::path(PIVOTSCOPE_ASSETS_DIR) / "fonts");
#endif
  for (const char* debian : {"/usr/share/fonts/opentype/inter", "/usr/share/fonts/truetype/jetbrains-mono",
                             "/usr/share/fonts/truetype/font-awesome"})
    out.emplace_back(debian);
  return out;
}

fs::path find(const char* file) {
  std::error_code fault;
  for (const fs::path& folder : folders())
    if (fs::exists(folder / file, fault)) return folder / file;
  return {};
}

// Icons live where a font may have signs of its own.
constexpr std::array<ImWchar, 3> icon_range = {0xF000, 0xF2FF, 0};

ImFont* load(const char* file, const fs::path& icons) {
  const fs::path path = find(file);
  if (path.empty()) return nullptr;
  ImFontConfig config;
  config.GlyphExcludeRanges = icon_range.data();
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  ImFont* font = atlas.AddFontFromFileTTF(path.string().c_str(), viz::type::body, &config);
  if (!font || icons.empty()) return font;
  ImFontConfig merged;
  merged.MergeMode = true;
  merged.GlyphOffset = {0, 1};
  atlas.AddFontFromFileTTF(icons.string().c_str(), viz::type::body, &merged);
  return font;
}

}  // namespace

void load_fonts() {
  const fs::path icons = find("fontawesome-webfont.ttf");
  viz::theme_fonts loaded;
  loaded.words = load("Inter-Regular.otf", icons);
  loaded.words_medium = load("Inter-Medium.otf", icons);
  loaded.words_bold = load("Inter-SemiBold.otf", icons);
  loaded.words_italic = load("Inter-Italic.otf", icons);
  loaded.mono = load("JetBrainsMono-Regular.ttf", icons);
  loaded.mono_bold = load("JetBrainsMono-Bold.ttf", icons);
  if (!loaded.words) ImGui::GetIO().Fonts->AddFontDefault();
  viz::set_fonts(loaded);
  ImGui::GetIO().FontDefault = viz::fonts().words;
}

}  // namespace pivotscope
