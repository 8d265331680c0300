// The knobs of what families with such a scene have in common: how rows and planes are marked, and how a bucket is
// searched once its triangle is found.
#pragma once

#include "core/index/table_knobs.hpp"

namespace pivotscope {

inline constexpr std::string_view scene_form_words[] = {"naive", "optimised"};   // scene_form
inline constexpr std::string_view bucket_search_words[] = {"binary", "linear"};  // bucket_search
std::string explain_scene_form(std::string_view value);
std::string explain_bucket_search(std::string_view value);

template <u32 Knob>
axis scene_form_axis() {
  return named_axis<Knob, scene_form_words>(
      "form", "Scene", "How rows and planes are marked that have representatives.", explain_scene_form);
}

}  // namespace pivotscope
