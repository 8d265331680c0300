#include "core/index/axes.hpp"

#include <algorithm>
#include <map>

namespace pivotscope {
namespace {

// Another family's knobs begin at its standard; key width and launch stay.
bool set_method(index_config& c, std::string_view text) {
  for (const family* f : families()) {
    const auto methods = f->methods();
    if (std::none_of(methods.begin(), methods.end(), [&](const method& m) { return m.name == text; })) continue;
    if (c.family != f->id()) {
      index_config fresh = f->standard();
      fresh.keys = c.keys;
      fresh.launch = c.launch;
      c = fresh;
    }
    f->set_method(c, text);
    return true;
  }
  return false;
}

std::string explain_method(std::string_view value) {
  for (const family* f : families()) {
    for (const method& m : f->methods()) {
      if (m.name == value) return m.sentence;
    }
  }
  return {};
}

std::vector<axis> make_axes(const family& f) {
  std::vector<axis> list = f.axes();
  const auto all = method_names();
  list.insert(list.begin(), {"method",
                             "Method",
                             "How the entries lie in memory, and how a lookup goes through them.",
                             {all.begin(), all.end()},
                             std::nullopt,
                             method_name,
                             set_method,
                             explain_method});
  return list;
}

}  // namespace

std::string method_name(const index_config& c) { return family_of(c).method_of(c); }

std::span<const std::string> method_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const family* f : families()) {
      for (const method& m : f->methods()) list.push_back(m.name);
    }
    return list;
  }();
  return names;
}

std::span<const axis> axes(family_id id) {
  static const std::map<family_id, std::vector<axis>> lists = [] {
    std::map<family_id, std::vector<axis>> all;
    for (const family* f : families()) all.emplace(f->id(), make_axes(*f));
    return all;
  }();
  return lists.at(family_of(id).id());
}

const axis* find_axis(family_id id, std::string_view name) {
  for (const axis& a : axes(id)) {
    if (a.name == name) return &a;
  }
  return nullptr;
}

const axis* find_axis(std::string_view name) {
  for (const family* f : families()) {
    if (const axis* a = find_axis(f->id(), name)) return a;
  }
  return nullptr;
}

}  // namespace pivotscope
