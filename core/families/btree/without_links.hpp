// A tree whose finds go by no side links: for interleavings alone (btree_model::dispensable), to show the key that is lost then.
#pragma once

#include "core/families/btree/btree.hpp"

namespace pivotscope {

struct btree_without_links : btree {
  template <class Config>
  struct config_without_links : Config {
    using ignores_links = void;  // follows_links() in walk.hpp
  };

  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find(Config config, Wave& wave, const state_view& view) {
    return btree::find(config_without_links<Config>{config}, wave, view);
  }
};

}  // namespace pivotscope
