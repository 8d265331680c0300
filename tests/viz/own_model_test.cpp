// What the forms of one's own data show.
#include <gtest/gtest.h>

#include "core/workload/own_numbers.hpp"
#include "viz/panels/own_data.hpp"

namespace pivotscope {
namespace {

using source = viz::own_data_state::source;

TEST(own_data, forms_follow_what_is_chosen_elsewhere) {
  viz::own_data_state state;
  viz::follow_own_data(state, {});
  EXPECT_EQ(state.keys, source::generated);
  workload load = with_keys({}, {.file = "/a.csv", .column = "key"});
  viz::follow_own_data(state, load);
  EXPECT_EQ(state.keys, source::file);
  EXPECT_EQ(state.keys_file.text, "/a.csv");
  EXPECT_EQ(state.keys_column, "key");
  load =
      with_batch(with_keys({}, {.list = {5, 7}}), {.numbers = {.list = {1}}, .kind = operation::range, .highs = {9}});
  viz::follow_own_data(state, load);
  EXPECT_EQ(state.keys, source::typed);
  EXPECT_EQ(state.keys_typed.text, "5 7");
  EXPECT_EQ(state.batch, source::typed);
  EXPECT_EQ(state.batch_typed.text, "1..9");
  viz::follow_own_data(state, {});
  EXPECT_EQ(state.keys, source::generated);
  EXPECT_EQ(state.batch, source::generated);
}

TEST(own_data, what_is_typed_stays_while_nothing_else_is_chosen) {
  viz::own_data_state state;
  viz::follow_own_data(state, {});
  state.keys = source::file;
  state.keys_file.text = "/half-a-na";
  viz::follow_own_data(state, {});
  EXPECT_EQ(state.keys, source::file);
  EXPECT_EQ(state.keys_file.text, "/half-a-na");
}

TEST(own_data, generated_keys_and_lookups_come_back_as_they_were) {
  viz::own_data_state state;
  const workload before{.keys = 1000,
                        .dist = distribution::duplicates,
                        .repeat = 9,
                        .lookups = 77,
                        .hits = 0.5,
                        .misses = miss_place::inside,
                        .order = lookup_order::nearly,
                        .displaced = 0.3,
                        .distance = 9,
                        .popular = popularity::zipf,
                        .exponent = 2,
                        .hot_keys = 0.2,
                        .hot_lookups = 0.3};
  viz::follow_own_data(state, before);
  const workload own = with_batch(with_keys(before, {.list = {1}}), {.numbers = {.list = {1}}});
  viz::follow_own_data(state, own);
  const workload keys = viz::with_generated_keys(own, state.generated);
  EXPECT_EQ(keys.own_batch, own.own_batch);
  EXPECT_EQ(viz::with_generated_batch(keys, state.generated), before);
}

TEST(own_data, its_words_say_how_many_and_where_from) {
  EXPECT_EQ(viz::own_keys_words(with_keys({}, {.list = {1}})), "1 key, typed");
  workload file = with_keys({}, {.file = "/home/me/keys.txt"});
  EXPECT_EQ(viz::own_keys_words(file), "keys of keys.txt") << "not read yet";
  file.keys = 14;
  EXPECT_EQ(viz::own_keys_words(file), "14 keys of keys.txt");
}

TEST(own_data, a_fault_names_the_file_without_its_folders) {
  EXPECT_EQ(viz::short_fault({{.file = "/home/me/k.txt"}, "/home/me/k.txt:3: 'x' is no number"}),
            "k.txt:3: 'x' is no number");
  EXPECT_EQ(viz::short_fault({{.file = "/k"}, "cannot open /k: No such file"}), "cannot open k: No such file");
  EXPECT_EQ(viz::short_fault({{.list = {5}}, "not enough memory"}), "not enough memory");
}

}  // namespace
}  // namespace pivotscope
