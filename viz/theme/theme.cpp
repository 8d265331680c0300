#include "viz/theme/theme.hpp"

#include <implot.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace pivotscope::viz {
namespace {

theme_tokens current;
theme_fonts loaded_fonts;
float display_scale = 1, user_scale = 1;

constexpr ImU32 rgb(u32 hex, u32 alpha = 255) {
  return IM_COL32((hex >> 16) & 255u, (hex >> 8) & 255u, hex & 255u, alpha);
}

theme_tokens dark_tokens() {
  theme_tokens t;
  t.ground = rgb(0x0E1013);
  t.panel = rgb(0x16191D);
  t.raised = rgb(0x20242A);
  t.hovered = rgb(0x2A3037);
  t.pressed = rgb(0x343B44);
  t.line = rgb(0x2B3138);
  t.text = rgb(0xECEAE6);
  t.text_dim = rgb(0xA6ADB5);
  t.text_faint = rgb(0x8A929C);
  t.edge = rgb(0x767E88);
  t.accent = rgb(0xFF9142);
  t.accent_soft = rgb(0xFF9142, 46);
  t.on_accent = rgb(0x1B0F05);
  t.bad = rgb(0xF0705E);
  t.bad_soft = rgb(0x3A1F1D);
  t.good = rgb(0x7CC4A4);
  t.empty_cell = rgb(0x16191D);
  t.erased = rgb(0x9A8F97);
  t.code_keyword = rgb(0xB4A7E6);
  t.code_type = rgb(0x86B9DE);
  t.code_number = rgb(0xC6B58F);
  return t;
}

theme_tokens light_tokens() {
  theme_tokens t;
  t.light = true;
  t.ground = rgb(0xE6E8EB);
  t.panel = rgb(0xFCFCFB);
  t.raised = rgb(0xF0F1F2);
  t.hovered = rgb(0xE4E7EA);
  t.pressed = rgb(0xD5DADF);
  t.line = rgb(0xD8DCE0);
  t.text = rgb(0x1A1D21);
  t.text_dim = rgb(0x474F58);
  t.text_faint = rgb(0x606872);
  t.edge = rgb(0x7C858F);
  t.accent = rgb(0xB84A05);
  t.accent_soft = rgb(0xB84A05, 34);
  t.on_accent = rgb(0xFFFFFF);
  t.bad = rgb(0xB3261E);
  t.bad_soft = rgb(0xF9E4E1);
  t.good = rgb(0x1E7A56);
  t.empty_cell = rgb(0xFCFCFB);
  t.erased = rgb(0x8A7F87);
  t.code_keyword = rgb(0x5B45A8);
  t.code_type = rgb(0x1F628F);
  t.code_number = rgb(0x6E5A1E);
  return t;
}

ImVec4 vec(ImU32 colour, float alpha = 1) {
  ImVec4 v = ImGui::ColorConvertU32ToFloat4(colour);
  v.w *= alpha;
  return v;
}

void style_colours(ImGuiStyle& style) {
  const theme_tokens& t = current;
  ImVec4* c = style.Colors;
  const auto set = [&](ImGuiCol which, ImU32 colour, float alpha = 1) { c[which] = vec(colour, alpha); };
  for (int i = 0; i < ImGuiCol_COUNT; ++i) set(i, t.raised);
  set(ImGuiCol_Text, t.text);
  set(ImGuiCol_TextDisabled, t.text_faint);
  set(ImGuiCol_WindowBg, t.panel);
  set(ImGuiCol_ChildBg, t.panel, 0);
  set(ImGuiCol_PopupBg, t.light ? t.panel : t.raised);
  set(ImGuiCol_Border, t.line);
  set(ImGuiCol_BorderShadow, t.line, 0);
  set(ImGuiCol_FrameBg, t.raised);
  set(ImGuiCol_FrameBgHovered, t.hovered);
  set(ImGuiCol_FrameBgActive, t.pressed);
  for (int title : {ImGuiCol_TitleBg, ImGuiCol_TitleBgActive, ImGuiCol_TitleBgCollapsed}) set(title, t.ground);
  set(ImGuiCol_MenuBarBg, t.panel);
  set(ImGuiCol_ScrollbarBg, t.panel, 0);
  set(ImGuiCol_ScrollbarGrab, t.hovered);
  set(ImGuiCol_ScrollbarGrabHovered, t.pressed);
  set(ImGuiCol_ScrollbarGrabActive, t.text_faint);
  set(ImGuiCol_CheckMark, t.text);
  set(ImGuiCol_CheckboxSelectedBg, t.pressed);
  set(ImGuiCol_SliderGrab, t.text_dim);
  set(ImGuiCol_SliderGrabActive, t.text);
  set(ImGuiCol_Button, t.raised);
  set(ImGuiCol_ButtonHovered, t.hovered);
  set(ImGuiCol_ButtonActive, t.pressed);
  set(ImGuiCol_Header, t.raised);
  set(ImGuiCol_HeaderHovered, t.hovered);
  set(ImGuiCol_HeaderActive, t.pressed);
  set(ImGuiCol_Separator, t.ground);
  set(ImGuiCol_SeparatorHovered, t.text_faint);
  set(ImGuiCol_SeparatorActive, t.text_dim);
  for (int grip : {ImGuiCol_ResizeGrip, ImGuiCol_ResizeGripHovered, ImGuiCol_ResizeGripActive}) set(grip, t.line, 0);
  set(ImGuiCol_InputTextCursor, t.accent);
  set(ImGuiCol_TabHovered, t.raised);
  set(ImGuiCol_Tab, t.ground);
  set(ImGuiCol_TabSelected, t.panel);
  set(ImGuiCol_TabSelectedOverline, t.panel, 0);
  set(ImGuiCol_TabDimmed, t.ground);
  set(ImGuiCol_TabDimmedSelected, t.panel);
  set(ImGuiCol_TabDimmedSelectedOverline, t.panel, 0);
  set(ImGuiCol_DockingPreview, t.text_faint, 0.5f);
  set(ImGuiCol_DockingEmptyBg, t.ground);
  set(ImGuiCol_TableHeaderBg, t.panel, 0);
  set(ImGuiCol_TableBorderStrong, t.line);
  set(ImGuiCol_TableBorderLight, t.line);
  set(ImGuiCol_TableRowBg, t.panel, 0);
  set(ImGuiCol_TableRowBgAlt, t.raised, 0.5f);
  set(ImGuiCol_TextSelectedBg, t.accent, 0.35f);
  set(ImGuiCol_NavCursor, t.text_dim);
  set(ImGuiCol_DragDropTarget, t.text_dim);
  set(ImGuiCol_DragDropTargetBg, t.text_dim, 0.1f);
  set(ImGuiCol_ModalWindowDimBg, t.ground, 0.6f);
  set(ImGuiCol_NavWindowingDimBg, t.ground, 0.4f);
  set(ImGuiCol_NavWindowingHighlight, t.text_dim);
}

void style_sizes(ImGuiStyle& style) {
  style.WindowPadding = {12, 12};
  style.FramePadding = {8, 5};
  style.ItemSpacing = {8, 8};
  style.ItemInnerSpacing = {8, 4};
  style.CellPadding = {8, 4};
  style.IndentSpacing = 16;
  style.ScrollbarSize = 10;
  style.GrabMinSize = 12;
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.FrameBorderSize = 0;
  style.TabBorderSize = 0;
  style.TabBarBorderSize = 0;
  style.TabBarOverlineSize = 0;
  style.DockingSeparatorSize = 4;
  style.WindowRounding = style.ChildRounding = style.FrameRounding = style.PopupRounding = 4;
  style.ScrollbarRounding = style.GrabRounding = style.TabRounding = 4;
  style.WindowMenuButtonPosition = ImGuiDir_None;
  style.DockingNodeHasCloseButton = false;
  style.TabMinWidthShrink = 56;  // then names are elided: before that no tab is out of sight
  style.TabCloseButtonMinWidthSelected = style.TabCloseButtonMinWidthUnselected = 0;
  style.SeparatorTextBorderSize = 1;
  style.WindowMinSize = {60, 40};
  style.HoverDelayShort = 0.12f;
  style.HoverDelayNormal = 0.35f;
  style.DisabledAlpha = 0.45f;
}

void style_plots() {
  if (!ImPlot::GetCurrentContext()) return;
  ImPlotStyle& style = ImPlot::GetStyle();
  const theme_tokens& t = current;
  ImPlot::StyleColorsDark(&style);
  style.Colors[ImPlotCol_FrameBg] = vec(t.panel, 0);
  style.Colors[ImPlotCol_PlotBg] = vec(t.panel, 0);
  style.Colors[ImPlotCol_PlotBorder] = vec(t.line, 0);
  style.Colors[ImPlotCol_AxisGrid] = vec(t.line);
  style.Colors[ImPlotCol_AxisTick] = vec(t.line);
  style.Colors[ImPlotCol_AxisText] = vec(t.text_faint);
  style.Colors[ImPlotCol_AxisBgHovered] = vec(t.hovered);
  style.Colors[ImPlotCol_AxisBgActive] = vec(t.pressed);
  style.Colors[ImPlotCol_InlayText] = vec(t.text_dim);
  style.Colors[ImPlotCol_TitleText] = vec(t.text_dim);
  style.Colors[ImPlotCol_LegendBg] = vec(t.raised);
  style.Colors[ImPlotCol_LegendBorder] = vec(t.line);
  style.Colors[ImPlotCol_LegendText] = vec(t.text_dim);
  style.Colors[ImPlotCol_Crosshairs] = vec(t.text_faint);
  style.PlotPadding = {px(4), px(8)};
  style.LabelPadding = {px(6), px(4)};
  style.MinorAlpha = 0.0f;
}

// Matplotlib's viridis at 16 even places; between them, straight lines in sRGB differ from it by less than one can see.
constexpr std::array<u32, 16> viridis = {0x440154, 0x481A6C, 0x472F7D, 0x414487, 0x39568C, 0x31688E,
                                         0x2A788E, 0x23888E, 0x1F988B, 0x22A884, 0x35B779, 0x54C568,
                                         0x7AD151, 0xA5DB36, 0xD2E21B, 0xFDE725};

ImFont* or_default(ImFont* font) { return font ? font : ImGui::GetIO().Fonts->Fonts[0]; }

}  // namespace

const theme_tokens& theme() { return current; }
const theme_fonts& fonts() { return loaded_fonts; }

void set_theme(bool light) {
  current = light ? light_tokens() : dark_tokens();
  ImGuiStyle style;
  style_sizes(style);
  style_colours(style);
  style.ScaleAllSizes(px(1));
  style.FontSizeBase = type::body;
  style.FontScaleDpi = px(1);
  ImGui::GetStyle() = style;
  style_plots();
}

void set_fonts(const theme_fonts& f) {
  loaded_fonts.words = or_default(f.words);
  loaded_fonts.words_medium = f.words_medium ? f.words_medium : loaded_fonts.words;
  loaded_fonts.words_bold = f.words_bold ? f.words_bold : loaded_fonts.words_medium;
  loaded_fonts.words_italic = f.words_italic ? f.words_italic : loaded_fonts.words;
  loaded_fonts.mono = or_default(f.mono);
  loaded_fonts.mono_bold = f.mono_bold ? f.mono_bold : loaded_fonts.mono;
}

float px(float units) { return units * display_scale * user_scale; }
void set_display_scale(float scale) { display_scale = scale; }
void set_user_scale(float scale) { user_scale = scale; }

ImU32 mix(ImU32 a, ImU32 b, float share_of_b) {
  ImU32 out = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    const float from = static_cast<float>((a >> shift) & 255u), to = static_cast<float>((b >> shift) & 255u);
    out |= static_cast<ImU32>(std::lround(from + (to - from) * share_of_b)) << shift;
  }
  return out;
}

ImU32 over(ImU32 colour, ImU32 ground) {
  return mix(ground, colour, static_cast<float>(colour >> IM_COL32_A_SHIFT) / 255) | IM_COL32_A_MASK;
}

double contrast(ImU32 a, ImU32 b) {
  const auto luminance = [](ImU32 colour) {
    const auto linear = [&](int shift) {
      const double c = ((colour >> shift) & 255u) / 255.0;
      return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(IM_COL32_R_SHIFT) + 0.7152 * linear(IM_COL32_G_SHIFT) + 0.0722 * linear(IM_COL32_B_SHIFT);
  };
  const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
  return std::max(x, y) / std::min(x, y);
}

ImU32 with_alpha(ImU32 colour, float alpha) {
  const auto a = static_cast<ImU32>(std::lround(static_cast<float>(colour >> IM_COL32_A_SHIFT) * alpha));
  return (colour & ~IM_COL32_A_MASK) | (a << IM_COL32_A_SHIFT);
}

ImU32 level_colour(u32 level, u32 levels) {
  // The ends of the map are left out: the darkest is lost on a dark ground, the lightest on a light one.
  const float least = current.light ? 0.02f : 0.07f, greatest = current.light ? 0.90f : 0.97f;
  const float share =
      levels <= 1 ? 0.0f : static_cast<float>(std::min(level, levels - 1)) / static_cast<float>(levels - 1);
  const float at = (least + (greatest - least) * share) * static_cast<float>(viridis.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), viridis.size() - 2);
  return mix(rgb(viridis[below]), rgb(viridis[below + 1]), at - static_cast<float>(below));
}

ImU32 cell_ground(ImU32 level, bool out) { return out ? mix(level, current.panel, 0.78f) : level; }

ImU32 ink_on(ImU32 background) {
  const ImU32 black = rgb(0x000000), white = rgb(0xFFFFFF);
  return contrast(black, background) > contrast(white, background) ? black : white;
}

text_style::text_style(ImFont* font, float size, ImU32 colour) {
  ImGui::PushFont(font, size);
  ImGui::PushStyleColor(ImGuiCol_Text, colour);
}
text_style::~text_style() {
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

float text_width(ImFont* font, float size, const std::string& words) {
  return font->CalcTextSizeA(px(size), FLT_MAX, 0, words.c_str(), words.c_str() + words.size()).x;
}

std::string elided(ImFont* font, float size, const std::string& words, float room) {
  room += 0.5f;  // what was right-aligned has its own width, but for rounding
  if (text_width(font, size, words) <= room) return words;
  // Whole code points: a byte that goes on with one begins with the bits 10.
  const auto begins = [&](std::size_t at) { return (static_cast<unsigned char>(words[at]) & 0xC0) != 0x80; };
  for (std::size_t kept = words.size(); kept-- > 0;) {
    if (!begins(kept)) continue;
    std::string shorter = words.substr(0, kept) + "\u2026";
    if (text_width(font, size, shorter) <= room) return shorter;
  }
  return "";
}

void draw_text(ImDrawList& to, ImFont* font, float size, ImVec2 at, ImU32 colour, const std::string& words) {
  to.AddText(font, px(size), {std::round(at.x), std::round(at.y)}, colour, words.c_str(), words.c_str() + words.size());
}

void draw_text_in(ImDrawList& to, ImFont* font, float size, ImVec2 at, float room, ImU32 colour,
                  const std::string& words) {
  draw_text(to, font, size, at, colour, elided(font, size, words, room));
}

void draw_text_centred(ImDrawList& to, ImFont* font, float size, ImVec2 middle, ImU32 colour,
                       const std::string& words) {
  const ImVec2 extent = font->CalcTextSizeA(px(size), FLT_MAX, 0, words.c_str(), words.c_str() + words.size());
  draw_text(to, font, size, {middle.x - extent.x / 2, middle.y - extent.y / 2}, colour, words);
}

}  // namespace pivotscope::viz
