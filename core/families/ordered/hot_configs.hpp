// The searches that are compiled for their config, so that the compiler turns a node into vector instructions; all
// others read it while they run.
#pragma once

#include <array>
#include <utility>

#include "core/families/ordered/config.hpp"

namespace pivotscope {

// What a search is compiled for: order, K, key width and layout. Lanes are a loop here, and the same loop for any
// number of them; how a batch is cut into tiles is read at run time.
struct hot_search {
  order_kind order;
  u32 fanout;
};
inline constexpr std::array hot_searches = {
    hot_search{order_kind::ascending, 2},    hot_search{order_kind::eytzinger, 2},
    hot_search{order_kind::eytzinger, 9},    hot_search{order_kind::eytzinger, 17},
    hot_search{order_kind::pivot_buffer, 2}, hot_search{order_kind::pivot_buffer, 9},
    hot_search{order_kind::pivot_buffer, 17}};

template <hot_search Search, key_width Keys, entry_layout Layout>
inline constexpr ordered_config hot_config{
    .order = Search.order, .fanout = Search.fanout, .keys = Keys, .layout = Layout};

struct ordered_hot_configs {
  // f(a static config) where there is one that searches as `config` does, else f(the dynamic config). Keys is its
  // width.
  template <key_width Keys, class F>
  static bool with(const ordered_config& config, F&& f) {
    bool done = false;
    const bool plain =
        config.pin == pin_kind::none && config.pivots == 0 && config.launch.reorder == reorder_kind::none;
    const auto try_search = [&]<hot_search Search>() {
      if (done || config.order != Search.order || config.fanout != Search.fanout) return false;
      done = true;
      return config.layout == entry_layout::aos ? f(static_config<hot_config<Search, Keys, entry_layout::aos>>{})
                                                : f(static_config<hot_config<Search, Keys, entry_layout::soa>>{});
    };
    bool result = false;
    if (plain) {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((result |= try_search.template operator()<hot_searches[I]>()), ...);
      }
      (std::make_index_sequence<hot_searches.size()>{});
    }
    return done ? result : f(dynamic_config{config});
  }
};

}  // namespace pivotscope
