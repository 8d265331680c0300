#include "app/window/fonts.hpp"

#include <imgui.h>

#include <array>
#include <filesystem>

#include "app/picture/font_files.hpp"
#include "viz/theme/theme.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

// Icons live where a font may have signs of its own.
constexpr std::array<ImWchar, 3> icon_range = {0xF000, 0xF2FF, 0};

ImFont* load(const char* file, const fs::path& icons) {
  const fs::path path = find_font(font_folders(), file);
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
  const fs::path icons = find_font(font_folders(), "fontawesome-webfont.ttf");
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
