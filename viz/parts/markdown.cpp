#include "viz/parts/markdown.hpp"

#include <imgui_rich_md/internal/rich_md_renderer.h>

#include "viz/theme/theme.hpp"

namespace pivotscope::viz {
namespace {

class lesson_renderer final : public RichMd::Renderer {
 public:
  lesson_renderer() {
    selectableText = false;  // ctrl C copies the scenario
    style.blockGap = 0.4f;
    style.listItemGap = 0.15f;
  }
  // Colours follow the theme.
  void take_colours() {
    const auto colour = [](ImU32 c) { return ImGui::ColorConvertU32ToFloat4(c); };
    style.codeColor = colour(theme().text);
    style.linkColor = colour(theme().text);
    style.linkUnderline = style.linkUnderlineHovered = colour(theme().text_faint);
    style.quoteBar = colour(theme().line);
  }

 private:
  MdSizedFont get_font() const override {
    if (m_is_code) return {m_is_strong ? fonts().mono_bold : fonts().mono, type::small};
    if (m_hlevel != 0) return {fonts().words_bold, m_hlevel == 1 ? type::title : type::body};
    ImFont* font = m_is_strong || m_is_table_header ? fonts().words_bold
                   : m_is_em                        ? fonts().words_italic
                                                    : fonts().words;
    return {font, type::body};
  }
  ImVec4 get_color() const override { return ImGui::ColorConvertU32ToFloat4(theme().text); }
  image_status get_image(image_info&) const override { return image_status::none; }
  void open_url() const override { ImGui::SetClipboardText(m_href.c_str()); }
};

}  // namespace

void draw_markdown(const std::string& text) {
  static lesson_renderer renderer;
  renderer.take_colours();
  const text_style style(fonts().words, type::body, theme().text);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ImGui::GetStyle().ItemSpacing.x, px(3)));  // of lines
  renderer.print(text.data(), text.data() + text.size());
  ImGui::PopStyleVar();
}

}  // namespace pivotscope::viz
