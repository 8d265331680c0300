// host_code_of: makes the host_code of a family. The loops over tiles are those of core/batch. Here they are compiled
// once for each level of x86-64 instructions, and the level of this machine is chosen at run time.
#pragma once

#include "core/batch/host_blocks.hpp"
#include "core/batch/host_code.hpp"
#include "core/batch/host_routes.hpp"
#include "core/batch/hot_configs.hpp"
#include "core/batch/lookup.hpp"
#include "core/batch/next_keys.hpp"
#include "core/batch/ranges.hpp"
#include "core/batch/serves.hpp"
#include "core/batch/update.hpp"
#include "core/common/expect.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {
namespace host_code_detail {

// Everything that a function calls is compiled into it, for its own instructions, so that no
// other code is linked to them.
#define PIVOTSCOPE_SERVE(name, ...)                                                                               \
  template <class Family, class Config, class Lanes, class Key>                                                   \
  __VA_ARGS__ void name(Config config, host_block<Lanes, Key>& block, const index_view& view, const Key* lookups, \
                        u32* answers, u64 count) {                                                                \
    lookup_batch<Family>(config, block, view, lookups, answers, count);                                           \
  }
PIVOTSCOPE_SERVE(serve)
#if defined(__x86_64__) && defined(NDEBUG)  // a sanitizer's build would take minutes longer
#define PIVOTSCOPE_LEVELS 1
PIVOTSCOPE_SERVE(serve_v2, [[gnu::target("arch=x86-64-v2"), gnu::flatten]])
PIVOTSCOPE_SERVE(serve_v3, [[gnu::target("arch=x86-64-v3"), gnu::flatten]])
PIVOTSCOPE_SERVE(serve_v4, [[gnu::target("arch=x86-64-v4"), gnu::flatten]])
#endif
#undef PIVOTSCOPE_SERVE

template <class Config, class Lanes, class Key>
using serve_function = void (*)(Config, host_block<Lanes, Key>&, const index_view&, const Key*, u32*, u64);

template <class>
inline constexpr bool is_static = false;
template <auto Value>
inline constexpr bool is_static<static_config<Value>> = true;

template <class Family, auto Value>
std::integral_constant<u32, Family::lanes(Value)> lanes_of(static_config<Value>) {
  return {};
}
template <class Family, class Config>
any_lanes lanes_of(const dynamic_config<Config>& config) {
  return {Family::lanes(config.value)};
}

template <class Family, class Config, class Lanes, class Key>
serve_function<Config, Lanes, Key> serve_at([[maybe_unused]] u32 level) {
#if defined(PIVOTSCOPE_LEVELS)
  // A search that reads its config at run time gains nothing from it.
  if constexpr (is_static<Config>) {
    switch (level) {
      case 4:
        return serve_v4<Family, Config, Lanes, Key>;
      case 3:
        return serve_v3<Family, Config, Lanes, Key>;
      case 2:
        return serve_v2<Family, Config, Lanes, Key>;
      default:
        break;
    }
  }
#endif
  return serve<Family, Config, Lanes, Key>;
}

// Each part is a task, which serves its lookups one tile after another.
template <class Family, class Key>
bool find_routed(const typename Family::config& config, const host_batch& b, const std::vector<Key>& keys,
                 std::span<u32> answers) {
  const routes by_part = route_lookups<Family, Key>(config, b.view, keys);
  const dynamic_config search{config};
  const auto lanes = lanes_of<Family>(search);
  launch_config launch = config.launch;
  launch.schedule = schedule_kind::fixed;
  tile_watch watch(ceil_div<u64>(keys.size(), tile_lookups(launch)) + by_part.begins.size(), b.control);
  parallel_each(by_part.begins.size() - 1, [&](u64 part) {
    const u64 begin = by_part.begins[part], count = by_part.begins[part + 1] - begin;
    if (part == b.forgotten || count == 0) return;
    host_block<std::remove_const_t<decltype(lanes)>, Key> block(lanes, launch, b.view);
    block.take(0, 1, [&] { return watch.go_on(); });
    routed_batch<Family, Key>(search, block, b.view, static_cast<u32>(part),
                              routed_lookups<Key>{keys.data(), by_part.places.data() + begin}, answers.data(), count);
  });
  return !b.control.cancelled();
}

template <class Family>
void route(const host_batch& b, const key_array& all) {
  all.visit([&]<class Key>(const std::vector<Key>& keys) {
    static_cast<void>(route_lookups<Family, Key>(Family::config::of(b.config), b.view, keys));
  });
}

template <class Family, class Hot>
bool find(const host_batch& b, const key_array& all, std::span<u32> answers) {
  PIVOTSCOPE_EXPECT(answers.size() == all.size());
  const auto config = Family::config::of(b.config);
  if constexpr (routes_lookups<Family>) {
    if (Family::is_routed(config))
      return all.visit(
          [&]<class Key>(const std::vector<Key>& keys) { return find_routed<Family, Key>(config, b, keys, answers); });
  }
  return all.visit([&]<class Key>(const std::vector<Key>& keys) {
    constexpr key_width width = sizeof(Key) == 4 ? key_width::u32 : key_width::u64;
    return Hot::template with<width>(config, [&]<class Config>(Config search) {
      const auto lanes = lanes_of<Family>(search);
      const auto serve_block = serve_at<Family, Config, std::remove_const_t<decltype(lanes)>, Key>(b.level);
      return each_block<Key>(lanes, b.config.launch, b.view, keys.size(), b.forgotten, b.control, [&](auto& block) {
        serve_block(search, block, b.view, keys.data(), answers.data(), keys.size());
      });
    });
  });
}

template <class Family, class Output>
bool ranges(const host_batch& b, const key_array& all_lows, const key_array& all_highs, Output output) {
  PIVOTSCOPE_EXPECT(all_highs.size() == all_lows.size());
  const dynamic_config search{Family::config::of(b.config)};
  return all_lows.visit([&]<class Key>(const std::vector<Key>& lows) {
    const Key* const highs = all_highs.as<Key>().data();
    return each_block<Key>(
        lanes_of<Family>(search), b.config.launch, b.view, lows.size(), b.forgotten, b.control,
        [&](auto& block) { range_batch<Family>(search, block, b.view, lows.data(), highs, lows.size(), output); });
  });
}

template <class Family>
bool count_ranges(const host_batch& b, const key_array& lows, const key_array& highs, std::span<range_answer> answers) {
  PIVOTSCOPE_EXPECT(answers.size() == lows.size());
  return ranges<Family>(b, lows, highs, range_totals{answers.data()});
}

template <class Family>
bool write_rows(const host_batch& b, const key_array& lows, const key_array& highs, const u64* begins, u32* rows) {
  return ranges<Family>(b, lows, highs, range_rows{begins, rows});
}

template <class Family, bool Itself>
bool next_keys_as(const host_batch& b, const key_array& all, std::span<successor_answer> answers) {
  PIVOTSCOPE_EXPECT(answers.size() == all.size());
  const dynamic_config search{Family::config::of(b.config)};
  return all.visit([&]<class Key>(const std::vector<Key>& keys) {
    return each_block<Key>(
        lanes_of<Family>(search), b.config.launch, b.view, keys.size(), b.forgotten, b.control, [&](auto& block) {
          next_key_batch<Family, Itself>(search, block, b.view, keys.data(), answers.data(), keys.size());
        });
  });
}
template <class Family>
bool next_keys(const host_batch& b, const key_array& keys, bool itself, std::span<successor_answer> answers) {
  return itself ? next_keys_as<Family, true>(b, keys, answers) : next_keys_as<Family, false>(b, keys, answers);
}

constexpr u64 operations_a_task = 1 << 12;

template <class Family, class Key, class Config>
PIVOTSCOPE_FLATTEN void update_part(Config config, const build_view& view, const update_work& work, u64 begin,
                                    u64 end) {
  host_writing here(view, Family::lanes(config.value));
  const auto perform_one = [&](u64 i) {
    if (work.kinds != nullptr) return update_mixed<Family, Key>(config, here.lanes, here.memory, view, work, i);
    if constexpr (has_insert<Family>) {
      if (work.kind == operation::insert)
        return update_one<Family, operation::insert, Key>(config, here.lanes, here.memory, view, work, i);
    }
    if constexpr (has_erase<Family>)
      update_one<Family, operation::erase, Key>(config, here.lanes, here.memory, view, work, i);
  };
  each_told_ahead(
      begin, end,
      [&](u64 i) {
        if constexpr (tells_where_it_begins<Family>)
          Family::template will_begin<Key>(config, here.memory, Family::begins_at(view.found_by, work.key<Key>(i)));
      },
      perform_one);
}

// Finds where the operations of a batch begin, while nobody writes.
template <class Family, class Key, class Config>
bool look_all(Config config, const build_view& view, const update_work& work, u32* begins, const job_control& control) {
  constexpr u64 no_block = ~u64{0};
  index_view seen;
  static_cast<state_view&>(seen) = view.found_by;
  for (u32 r = 0; r < max_regions; ++r) seen.regions[r] = view.regions[r];
  return each_block<Key>(
      lanes_of<Family>(config), launch_config{}, seen, work.count, no_block, control, [&](auto& block) {
        look_batch<Family>(config, block, seen, static_cast<const Key*>(work.keys), begins, work.count);
      });
}

template <class Family, class Key, class Config>
bool update_all(Config config, const build_view& view, const update_work& work, const job_control& control) {
  std::atomic<u64> begun{0};
  const u64 parts = ceil_div(work.count, operations_a_task);
  parallel_each(parts, [&](u64 part) {
    if (control.cancelled()) return;
    control.progress("updating", static_cast<double>(begun++) / static_cast<double>(parts));
    const u64 begin = part * operations_a_task;
    update_part<Family, Key>(config, view, work, begin, std::min(work.count, begin + operations_a_task));
  });
  return !control.cancelled();
}

template <class Family, class Hot>
bool update(const index_config& config, const build_view& view, const update_work& work, const job_control& control) {
  return with_hot_config_of_writes<Hot>(for_writes<Family>(Family::config::of(config)),
                                        [&]<class Key>(auto search, Key) {
                                          if constexpr (can_look_ahead<Family>) {
                                            if (Family::looks_ahead(Family::config::of(config))) {
                                              std::vector<u32> begins(work.count);
                                              if (!look_all<Family, Key>(search, view, work, begins.data(), control))
                                                return false;
                                              update_work looked = work;
                                              looked.begins = begins.data();
                                              return update_all<Family, Key>(search, view, looked, control);
                                            }
                                          }
                                          return update_all<Family, Key>(search, view, work, control);
                                        });
}

}  // namespace host_code_detail

// Part: the family with a part of its lookups by itself (device_code::part), if it has one that is timed. It gets the same
// hot configs, so that the two times can be compared.
template <class Family, class Hot = no_hot_configs, class Part = void>
constexpr host_code host_code_of() {
  host_code code{.find = host_code_detail::find<Family, Hot>};
  if constexpr (routes_lookups<Family>) code.route = host_code_detail::route<Family>;
  if constexpr (has_range<Family>)
    code.count_ranges = host_code_detail::count_ranges<Family>, code.write_rows = host_code_detail::write_rows<Family>;
  if constexpr (has_next_key<Family>) code.next_keys = host_code_detail::next_keys<Family>;
  if constexpr (has_writes<Family> || writes_by_batch<Family>) code.update = host_code_detail::update<Family, Hot>;
  if constexpr (!std::is_void_v<Part>) code.part = host_code_detail::find<Part, Hot>;
  return code;
}

}  // namespace pivotscope
