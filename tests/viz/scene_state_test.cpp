// What Scene keeps while nobody sees it.
#include "viz/state/scene_state.hpp"

#include <gtest/gtest.h>

#include "tests/support/build_index.hpp"
#include "viz/models/scene_study.hpp"

namespace pivotscope::viz {
namespace {

TEST(SceneState, WhatNoFrameHasDrawnForAWhileIsLetGo) {
  const auto index = testing::build_on_cpu(testing::config_of("RX"), testing::paper_keys_in_order());
  scene_state state;
  state.study = std::make_shared<scene_study>(index, model_of(*index));
  const std::weak_ptr<scene_study> kept = state.study;
  state.boxes = 1, state.slice = {scene_slice::kind::plane, 3, 0};
  state.studied_at = 10;
  let_go_of_hidden_scene(state, 10);
  let_go_of_hidden_scene(state, 11);
  EXPECT_TRUE(state.study) << "one may come back";
  let_go_of_hidden_scene(state, 13);
  EXPECT_TRUE(kept.expired());
  EXPECT_EQ(state.boxes, 1u) << "what was chosen stays";
  EXPECT_EQ(state.slice.z, 3);
  let_go_of_hidden_scene(state, 14);
  EXPECT_FALSE(state.study);
}

TEST(SceneState, OfAForgottenPictureNothingIsPicked) {
  scene_state state;
  state.shown.triangles.push_back(shown_triangle{3, {}, {10, 10, 0}});
  state.level.list = {7};
  state.shown_of.changes = 1;
  state.told = true;
  forget_picture(state);
  EXPECT_EQ(pick(state.shown, 10, 10, 5), nullptr);
  EXPECT_TRUE(state.level.list.empty());
  EXPECT_EQ(state.shown_of, scene_state::shown_for{});
  EXPECT_FALSE(state.told);
}

}  // namespace
}  // namespace pivotscope::viz
