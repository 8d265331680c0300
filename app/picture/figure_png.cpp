#include "app/picture/figure_png.hpp"

#include <fmt/format.h>
#include <plutosvg.h>

#include <array>
#include <memory>

namespace pivotscope {
namespace {

constexpr float dots_a_unit = 2;

template <auto destroy>
struct by {
  template <class T>
  void operator()(T* one) const {
    destroy(one);
  }
};
using font_face = std::unique_ptr<plutovg_font_face_t, by<plutovg_font_face_destroy>>;
using glyph_path = std::unique_ptr<plutovg_path_t, by<plutovg_path_destroy>>;
using svg_document = std::unique_ptr<plutosvg_document_t, by<plutosvg_document_destroy>>;
using pixel_surface = std::unique_ptr<plutovg_surface_t, by<plutovg_surface_destroy>>;

std::string path_text(const plutovg_path_t& path) {
  std::string text;
  const auto add = [&](char command, std::initializer_list<plutovg_point_t> points) {
    text += command;
    for (const plutovg_point_t& p : points)
      text += fmt::format("{:.2f} {:.2f} ", static_cast<double>(p.x), static_cast<double>(p.y));
  };
  plutovg_path_iterator_t at;
  plutovg_path_iterator_init(&at, &path);
  std::array<plutovg_point_t, 3> p = {};
  while (plutovg_path_iterator_has_next(&at)) {
    switch (plutovg_path_iterator_next(&at, p.data())) {
      case PLUTOVG_PATH_COMMAND_MOVE_TO:
        add('M', {p[0]});
        break;
      case PLUTOVG_PATH_COMMAND_LINE_TO:
        add('L', {p[0]});
        break;
      case PLUTOVG_PATH_COMMAND_CUBIC_TO:
        add('C', {p[0], p[1], p[2]});
        break;
      case PLUTOVG_PATH_COMMAND_CLOSE:
        add('Z', {});
    }
  }
  return text;
}

class outlining {
 public:
  static outcome<outlining> open(const std::vector<std::filesystem::path>& folders) {
    outlining out;
    for (const auto& [face, file] :
         {std::pair(&out.regular_, "Inter-Regular.otf"), std::pair(&out.semibold_, "Inter-SemiBold.otf"),
          std::pair(&out.italic_, "Inter-Italic.otf")}) {
      const std::filesystem::path path = find_font(folders, file);
      if (!path.empty()) face->reset(plutovg_font_face_load_from_file(path.c_str(), 0));
      if (*face == nullptr)
        return problem{
            fmt::format("the font {} that a PNG's letters are drawn with {}; install it (Debian: fonts-inter), or draw "
                        "an SVG, which "
                        "needs none",
                        file, path.empty() ? "is not there" : fmt::format("cannot be read from {}", path.string()))};
    }
    return out;
  }

  std::string outlined(const drawn_words& words) const {
    plutovg_font_face_t* const face = words.semibold ? semibold_.get() : words.italic ? italic_.get() : regular_.get();
    const auto size = static_cast<float>(words.size);
    const auto length = static_cast<int>(words.words.size());
    const float width =
        plutovg_font_face_text_extents(face, size, words.words.data(), length, PLUTOVG_TEXT_ENCODING_UTF8, nullptr);
    auto x = static_cast<float>(words.x);
    if (words.anchor != words_anchor::start) x -= words.anchor == words_anchor::end ? width : width / 2;
    const glyph_path path(plutovg_path_create());
    plutovg_text_iterator_t letters;
    plutovg_text_iterator_init(&letters, words.words.data(), length, PLUTOVG_TEXT_ENCODING_UTF8);
    while (plutovg_text_iterator_has_next(&letters))
      x += plutovg_font_face_get_glyph_path(face, size, x, static_cast<float>(words.y),
                                            plutovg_text_iterator_next(&letters), path.get());
    const std::string turn =
        words.upwards ? fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", words.x, words.y) : "";
    return fmt::format("<path d=\"{}\" fill=\"{}\"{}/>\n", path_text(*path), words.fill, turn);
  }

 private:
  outlining() = default;
  font_face regular_, semibold_, italic_;
};

outcome<picture> pixels_of(const std::string& svg) {
  const svg_document document(
      plutosvg_document_load_from_data(svg.data(), static_cast<int>(svg.size()), -1, -1, nullptr, nullptr));
  if (document == nullptr) return problem{"the figure is no SVG that can be read"};
  picture out;
  out.width = static_cast<int>(plutosvg_document_get_width(document.get()) * dots_a_unit);
  out.height = static_cast<int>(plutosvg_document_get_height(document.get()) * dots_a_unit);
  const pixel_surface surface(
      plutosvg_document_render_to_surface(document.get(), nullptr, out.width, out.height, nullptr, nullptr, nullptr));
  if (surface == nullptr) return problem{"there is not enough memory for the picture"};
  const unsigned char* const bytes = plutovg_surface_get_data(surface.get());
  const auto stride = static_cast<std::size_t>(plutovg_surface_get_stride(surface.get()));
  const auto width = static_cast<std::size_t>(out.width), height = static_cast<std::size_t>(out.height);
  out.rgb.reserve(width * height * 3);
  // Opaque, as its ground is; in memory blue comes first.
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x)
      for (const std::size_t channel : {2u, 1u, 0u}) out.rgb.push_back(bytes[y * stride + x * 4 + channel]);
  return out;
}

}  // namespace

outcome<picture> figure_pixels(const figure_drawing& draw, const std::vector<std::filesystem::path>& fonts) {
  const outcome<outlining> letters = outlining::open(fonts);
  if (!letters) return letters.error();
  return pixels_of(draw([&](const drawn_words& words) { return letters->outlined(words); }));
}

outcome<std::string> figure_png(const figure_drawing& draw) {
  const outcome<picture> drawn = figure_pixels(draw);
  return drawn ? png_of(*drawn) : outcome<std::string>(drawn.error());
}

}  // namespace pivotscope
