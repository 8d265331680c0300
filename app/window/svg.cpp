#include "app/window/svg.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "app/window/letter_outline.hpp"
#include "core/common/xml_text.hpp"
#include "viz/theme/theme.hpp"

namespace pivotscope {
namespace {

std::string fill_of(u32 colour) {
  const u32 r = colour >> IM_COL32_R_SHIFT & 255, g = colour >> IM_COL32_G_SHIFT & 255,
            b = colour >> IM_COL32_B_SHIFT & 255, a = colour >> IM_COL32_A_SHIFT & 255;
  std::string fill = fmt::format("fill=\"#{:02x}{:02x}{:02x}\"", r, g, b);
  if (a < 255) fill += fmt::format(" fill-opacity=\"{:.3g}\"", static_cast<double>(a) / 255);
  return fill;
}

std::string number(float x) {
  std::string words = fmt::format("{:.2f}", static_cast<double>(x));
  while (words.back() == '0') words.pop_back();
  if (words.back() == '.') words.pop_back();
  return words == "-0" ? "0" : words;
}

// A convex polygon's part within a rectangle, a side at a time (Sutherland and Hodgman).
std::vector<ImVec2> within(std::vector<ImVec2> polygon, const ImVec4& clip) {
  const auto cut = [&](auto&& inside, auto&& crossing) {
    std::vector<ImVec2> kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const ImVec2 &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
      if (inside(a)) kept.push_back(a);
      if (inside(a) != inside(b)) kept.push_back(crossing(a, b));
    }
    polygon = std::move(kept);
  };
  const auto at_x = [](float x) {
    return [x](const ImVec2& a, const ImVec2& b) { return ImVec2{x, a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)}; };
  };
  const auto at_y = [](float y) {
    return [y](const ImVec2& a, const ImVec2& b) { return ImVec2{a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y), y}; };
  };
  cut([&](const ImVec2& p) { return p.x >= clip.x; }, at_x(clip.x));
  cut([&](const ImVec2& p) { return p.x <= clip.z; }, at_x(clip.z));
  cut([&](const ImVec2& p) { return p.y >= clip.y; }, at_y(clip.y));
  cut([&](const ImVec2& p) { return p.y <= clip.w; }, at_y(clip.w));
  return polygon;
}

// A letter as the atlas has it, and where its outline comes from.
struct letter {
  const ImFontBaked* baked = nullptr;
  const ImFontGlyph* glyph = nullptr;
};

// The family and the weight that a browser knows a font by; none of a font that is not the window's.
struct named_font {
  const char* family = nullptr;
  const char* style = "";  // what is not the usual, as attributes
};
named_font name_of(const ImFont* font) {
  const viz::theme_fonts& f = viz::fonts();
  if (font == f.words) return {"Inter, sans-serif"};
  if (font == f.words_medium) return {"Inter, sans-serif", " font-weight=\"500\""};
  if (font == f.words_bold) return {"Inter, sans-serif", " font-weight=\"600\""};
  if (font == f.words_italic) return {"Inter, sans-serif", " font-style=\"italic\""};
  if (font == f.mono) return {"JetBrains Mono, monospace"};
  if (font == f.mono_bold) return {"JetBrains Mono, monospace", " font-weight=\"700\""};
  return {};
}

// Letters side by side on a line, in one font and colour.
struct text_run {
  const ImFont* font = nullptr;
  float size = 0, x = 0, y = 0, end = 0;  // y: of the line that letters stand on; end: where the next one would begin
  u32 colour = 0;
  std::string words;  // UTF-8
};

class writer {
 public:
  writer(const ImDrawData& drawn, ImVec2 low, ImVec2 high, svg_letters letters)
      : drawn_(drawn), low_(low), high_(high), as_text_(letters == svg_letters::text) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    for (int i = 0; i < atlas.Builder->BakedPool.Size; ++i) {
      const ImFontBaked& baked = atlas.Builder->BakedPool[i];
      for (const ImFontGlyph& glyph : baked.Glyphs)
        if (glyph.Visible) letters_.push_back({&baked, &glyph});
    }
    std::sort(letters_.begin(), letters_.end(), [](const letter& a, const letter& b) {
      return std::pair(a.glyph->V0, a.glyph->U0) < std::pair(b.glyph->V0, b.glyph->U0);
    });
  }

  std::string write(u32 ground, const svg_words& words) {
    for (const ImDrawList* list : drawn_.CmdLists) {
      for (const ImDrawCmd& command : list->CmdBuffer) {
        if (command.UserCallback) continue;
        draw(*list, command);
      }
    }
    end_path();
    end_run();
    const std::string width = number(high_.x - low_.x), height = number(high_.y - low_.y);
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"{7} {8} {0} "
        "{1}\">\n<title>{2}"
        "</title>\n<desc>{3}</desc>\n<defs>\n{4}</defs>\n<rect x=\"{7}\" y=\"{8}\" width=\"{0}\" height=\"{1}\" "
        "{5}/>\n{6}</svg>\n",
        width, height, xml_text(words.title), xml_text(words.description), definitions_, fill_of(ground), body_,
        number(low_.x), number(low_.y));
  }

 private:
  void draw(const ImDrawList& list, const ImDrawCmd& command) {
    const auto vertex = [&](unsigned i) -> const ImDrawVert& {
      return list
          .VtxBuffer[static_cast<int>(list.IdxBuffer[static_cast<int>(command.IdxOffset + i)] + command.VtxOffset)];
    };
    const auto index = [&](unsigned i) { return list.IdxBuffer[static_cast<int>(command.IdxOffset + i)]; };
    const ImVec4& c = command.ClipRect;
    const ImVec4 clip{std::max(c.x, low_.x), std::max(c.y, low_.y), std::min(c.z, high_.x), std::min(c.w, high_.y)};
    if (clip.z <= clip.x || clip.w <= clip.y) return;
    for (unsigned i = 0; i + 2 < command.ElemCount;) {
      const ImDrawVert& first = vertex(i);
      const bool textured = first.uv.x != vertex(i + 1).uv.x || first.uv.y != vertex(i + 2).uv.y;
      if (textured) {  // a letter is two triangles
        draw_letter(first, vertex(i + 2), clip);
        i += 6;
        continue;
      }
      // A fan about its first corner is one convex polygon.
      std::vector<ImVec2> polygon = {first.pos, vertex(i + 1).pos, vertex(i + 2).pos};
      unsigned end = i + 3;
      while (end + 2 < command.ElemCount && index(end) == index(i) && index(end + 1) == index(end - 1) &&
             vertex(end + 2).col == first.col) {
        polygon.push_back(vertex(end + 2).pos);
        end += 3;
      }
      draw_polygon(std::move(polygon), first.col, clip);
      i = end;
    }
  }

  void draw_polygon(std::vector<ImVec2> polygon, u32 colour, const ImVec4& clip) {
    if ((colour >> IM_COL32_A_SHIFT & 255) == 0) return;
    const std::vector<ImVec2> seen = within(std::move(polygon), clip);
    if (seen.size() < 3) return;
    end_run();
    // Opaque ones of a colour are one path. Of others each is drawn by itself: where two overlap, both show.
    const bool opaque = (colour >> IM_COL32_A_SHIFT & 255) == 255;
    if (!path_colour_ || *path_colour_ != colour || !opaque) end_path();
    path_colour_ = colour;
    for (std::size_t i = 0; i < seen.size(); ++i)
      path_ += fmt::format("{}{} {}", i == 0 ? "M" : "L", number(seen[i].x), number(seen[i].y));
    path_ += "Z";
  }

  void end_path() {
    if (path_colour_) body_ += fmt::format("<path {} d=\"{}\"/>\n", fill_of(*path_colour_), path_);
    path_colour_.reset();
    path_.clear();
  }

  void draw_letter(const ImDrawVert& low, const ImDrawVert& high, const ImVec4& clip) {
    // A plot's axis has its words upright: they run up, and their lines to the right.
    const bool upright = high.pos.y < low.pos.y;
    const ImVec2 corner{low.pos.x, std::min(low.pos.y, high.pos.y)}, end{high.pos.x, std::max(low.pos.y, high.pos.y)};
    if (end.x <= clip.x || corner.x >= clip.z || end.y <= clip.y || corner.y >= clip.w) return;
    const letter* found = find(low.uv, high.uv);
    if (!found) return;
    end_path();
    const ImFontGlyph& g = *found->glyph;
    const ImVec2 from = upright ? ImVec2{-low.pos.y, low.pos.x} : low.pos;  // along its line, and down
    const float along = upright ? low.pos.y - high.pos.y : high.pos.x - low.pos.x;
    // A letter that its text's own clipping has cut has the part of its texture that is left.
    const float scale = along / (high.uv.x - low.uv.x) * (g.U1 - g.U0) / (g.X1 - g.X0);
    const float left = from.x - (low.uv.x - g.U0) / (g.U1 - g.U0) * (g.X1 - g.X0) * scale;
    const float top = from.y - (low.uv.y - g.V0) / (g.V1 - g.V0) * (g.Y1 - g.Y0) * scale;
    if (as_text_ && !upright && add_to_run(*found, left, top, scale, low.col)) return;
    end_run();
    const outline& shape = outline_of(*found);
    const float y = top - g.Y0 * scale + (std::round(found->baked->Ascent) + shape.offset_y) * scale;
    const float x = left - g.X0 * scale;
    const float size = shape.em_scale * found->baked->Size * scale;
    const bool cut = corner.x < clip.x || corner.y < clip.y || end.x > clip.z || end.y > clip.w || low.uv.x > g.U0 ||
                     low.uv.y > g.V0 || high.uv.x < g.U1 || high.uv.y < g.V1;
    if (cut) body_ += fmt::format("<g clip-path=\"url(#{})\">", clip_of(corner, end, clip));
    body_ += fmt::format("<use href=\"#{}\" transform=\"translate({} {}){} scale({:.5f} {:.5f})\" {}/>", shape.id,
                         number(upright ? y : x), number(upright ? -x : y), upright ? " rotate(-90)" : "",
                         static_cast<double>(size), static_cast<double>(-size), fill_of(low.col));
    body_ += cut ? "</g>\n" : "\n";
  }

  // False: a letter that no text has.
  bool add_to_run(const letter& l, float left, float top, float scale, u32 colour) {
    constexpr u32 first_icon = 0xF000;
    const ImFontGlyph& g = *l.glyph;
    const ImFont* const font = l.baked->OwnerFont;
    if (g.Codepoint >= first_icon || !name_of(font).family) return false;
    const float x = left - g.X0 * scale, y = top - g.Y0 * scale + std::round(l.baked->Ascent) * scale;
    const float size = l.baked->Size * scale, blank = size * 0.2f;
    const bool on = !run_.words.empty() && run_.font == font && run_.colour == colour && std::abs(run_.y - y) < 0.1f &&
                    std::abs(run_.size - size) < 0.1f && x > run_.end - blank && x < run_.end + size;
    if (!on) {
      end_run();
      run_ = {font, size, x, y, x, colour, ""};
    } else if (x > run_.end + blank) {
      run_.words += ' ';
    }
    char utf8[5];
    ImTextCharToUtf8(utf8, g.Codepoint);
    run_.words += utf8;
    run_.end = x + g.AdvanceX * scale;
    return true;
  }

  void end_run() {
    if (run_.words.empty()) return;
    const named_font name = name_of(run_.font);
    // As wide as the window has it, in whatever font there is.
    body_ += fmt::format(
        "<text x=\"{}\" y=\"{}\" font-family=\"{}\" font-size=\"{}\"{} textLength=\"{}\" "
        "lengthAdjust=\"spacingAndGlyphs\" {}>{}</text>\n",
        number(run_.x), number(run_.y), name.family, number(run_.size), name.style, number(run_.end - run_.x),
        fill_of(run_.colour), xml_text(run_.words));
    run_ = {};
  }

  // The letter whose part of the atlas holds this one: the whole of it, or what clipping left.
  const letter* find(ImVec2 low, ImVec2 high) const {
    constexpr float near = 1e-6f;
    const auto after = std::upper_bound(letters_.begin(), letters_.end(), low.y + near,
                                        [](float v, const letter& l) { return v < l.glyph->V0; });
    for (auto at = after; at != letters_.begin();) {
      --at;
      const ImFontGlyph& g = *at->glyph;
      if (g.U0 <= low.x + near && g.V0 <= low.y + near && high.x <= g.U1 + near && high.y <= g.V1 + near) return &*at;
    }
    return nullptr;
  }

  struct outline {
    std::string id;
    float em_scale = 0;  // from the font's units to a size of 1
    float offset_y = 0;  // of letters that another font lends
  };
  const outline& outline_of(const letter& l) {
    const ImFont& font = *l.baked->OwnerFont;
    const ImFontConfig& source = *font.Sources[static_cast<int>(l.glyph->SourceIdx)];
    outline& out = outlines_[{&source, l.glyph->Codepoint}];
    if (!out.id.empty()) return out;
    out.id = fmt::format("g{}", outlines_.size());
    const float ref_size = font.Sources[0]->SizePixels;
    const letter_outline shape =
        pivotscope::outline_of(source.FontData, static_cast<int>(source.FontNo), l.glyph->Codepoint);
    out.em_scale = shape.unit_size * source.ExtraSizeScale;
    if (source.MergeMode && source.SizePixels != 0 && ref_size != 0) out.em_scale *= source.SizePixels / ref_size;
    out.offset_y = ImFloor(source.GlyphOffset.y * (ref_size != 0 ? l.baked->Size / ref_size : 1) + 0.5f);
    definitions_ += fmt::format("<path id=\"{}\" d=\"{}\"/>\n", out.id, shape.path.empty() ? "M0 0" : shape.path);
    return out;
  }

  std::string clip_of(ImVec2 low, ImVec2 high, const ImVec4& clip) {
    std::string id = fmt::format("c{}", ++clips_);
    const float x0 = std::max(low.x, clip.x), y0 = std::max(low.y, clip.y);
    definitions_ += fmt::format("<clipPath id=\"{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
                                id, number(x0), number(y0), number(std::min(high.x, clip.z) - x0),
                                number(std::min(high.y, clip.w) - y0));
    return id;
  }

  const ImDrawData& drawn_;
  ImVec2 low_, high_;            // what is seen of it
  std::vector<letter> letters_;  // by where they begin in the atlas
  std::map<std::pair<const ImFontConfig*, unsigned>, outline> outlines_;
  std::string definitions_, body_, path_;
  std::optional<u32> path_colour_;
  u32 clips_ = 0;
  bool as_text_;
  text_run run_;
};

}  // namespace

exact_shapes::exact_shapes() {
  ImGuiStyle& style = ImGui::GetStyle();
  lines_ = std::exchange(style.AntiAliasedLines, false);
  fill_ = std::exchange(style.AntiAliasedFill, false);
  circles_ = std::exchange(style.CircleTessellationMaxError, 0.05f);
  curves_ = std::exchange(style.CurveTessellationMaxError, 0.05f);
}

exact_shapes::~exact_shapes() {
  ImGuiStyle& style = ImGui::GetStyle();
  style.AntiAliasedLines = lines_;
  style.AntiAliasedFill = fill_;
  style.CircleTessellationMaxError = circles_;
  style.CurveTessellationMaxError = curves_;
}

std::string svg_of(const ImDrawData& drawn, ImVec2 low, ImVec2 high, u32 ground, const svg_words& words,
                   svg_letters letters) {
  return writer(drawn, low, high, letters).write(ground, words);
}

}  // namespace pivotscope
