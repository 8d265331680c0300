// Every way in which one value of a JSON text can be wrong: gone, or of another kind.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pivotscope::testing {

inline void collect_places(const nlohmann::json& of, const nlohmann::json::json_pointer& at,
                           std::vector<nlohmann::json::json_pointer>& places) {
  places.push_back(at);
  if (of.is_object())
    for (const auto& [name, inner] : of.items()) collect_places(inner, at / name, places);
  // The first one stands for the others.
  if (of.is_array() && !of.empty()) collect_places(of[0], at / 0, places);
}

inline void for_each_damage(std::string_view text, const std::function<void(const std::string& damaged)>& f) {
  using nlohmann::json;
  const json whole = json::parse(text);
  std::vector<json::json_pointer> places;
  collect_places(whole, json::json_pointer(), places);
  for (const json::json_pointer& at : places) {
    for (const json& other : {json(), json(-1.5), json("x"), json::array()}) {
      json damaged = whole;
      damaged[at] = other;
      f(damaged.dump(1));
    }
    if (at.empty()) continue;
    json damaged = whole;
    json& parent = damaged[at.parent_pointer()];
    if (parent.is_object())
      parent.erase(at.back());
    else
      parent.erase(static_cast<std::size_t>(std::stoul(at.back())));
    f(damaged.dump(1));
  }
  for (std::size_t length = 0; length < text.size(); length += 1 + text.size() / 50)
    f(std::string(text.substr(0, length)));
}

}  // namespace pivotscope::testing
