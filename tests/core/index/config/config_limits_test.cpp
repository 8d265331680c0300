// Configs at their limits: both sides of every one, every refusal word for word, and where a refused axis is moved to.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/families/ordered/config.hpp"
#include "core/families/packed/config.hpp"
#include "core/index/axes.hpp"
#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "core/index/scratch_bytes.hpp"
#include "tests/core/index/config/refusal.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/method_lists.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

using testing::config_of;

std::string refusal(const ordered_config& config) { return check(config).value_or("accepted"); }

ordered_config nearest(const ordered_config& config, std::string_view keep = {}) {
  return nearest_accepted(config, keep);
}
scratch_bytes scratch_of(const ordered_config& config) { return block_scratch(config); }

ordered_config with(ordered_config c, void (*change)(ordered_config&)) {
  change(c);
  return c;
}

const ordered_config eo_bs, eo_ks = config_of("EO+KS"), pb = config_of("AO+PB+BS");

TEST(check_config, says_the_limits_of_the_fanout) {
  const char* words = " is outside 2 to 33: a node's K - 1 keys must fit the 32 lanes of a warp";
  EXPECT_EQ(refusal({.fanout = 0}), std::string("fanout=0") + words);
  EXPECT_EQ(refusal({.fanout = 1}), std::string("fanout=1") + words);
  EXPECT_EQ(refusal({.fanout = 2}), "accepted");
  EXPECT_EQ(refusal({.fanout = 33}), "accepted");
  EXPECT_EQ(refusal({.fanout = 34}), std::string("fanout=34") + words);
}

TEST(check_config, says_the_limits_of_the_lanes) {
  EXPECT_EQ(refusal({.fanout = 2, .lanes = 2}),
            "lanes=2 is outside 1 to 1: a step of fanout=2 compares 1 key, and every lane needs one");
  EXPECT_EQ(refusal({.fanout = 3, .lanes = 0}),
            "lanes=0 is outside 1 to 2: a step of fanout=3 compares 2 keys, and every lane needs one");
  EXPECT_EQ(refusal({.fanout = 3, .lanes = 1}), "accepted");
  EXPECT_EQ(refusal({.fanout = 3, .lanes = 2}), "accepted");
  EXPECT_EQ(refusal({.fanout = 3, .lanes = 3}),
            "lanes=3 is outside 1 to 2: a step of fanout=3 compares 2 keys, and every lane needs one");
}

TEST(check_config, says_the_limits_of_a_block) {
  const char* words = " is not a multiple of 32 from 64 to 1024: a block is made of whole warps";
  for (const u32 threads : {64u, 96u, 992u, 1024u}) EXPECT_EQ(refusal({.launch = {.threads = threads}}), "accepted");
  for (const u32 threads : {0u, 32u, 63u, 65u, 80u, 1023u, 1056u}) {
    EXPECT_EQ(refusal({.launch = {.threads = threads}}), "threads=" + std::to_string(threads) + words);
  }
  EXPECT_EQ(refusal({.launch = {.per_thread = 1}}), "accepted");
  EXPECT_EQ(refusal({.launch = {.per_thread = 16}}), "accepted");
  EXPECT_EQ(refusal({.launch = {.per_thread = 0}}),
            "per_thread=0 is outside 1 to 16: a thread keeps its lookups in registers");
  EXPECT_EQ(refusal({.launch = {.per_thread = 17}}),
            "per_thread=17 is outside 1 to 16: a thread keeps its lookups in registers");
}

TEST(check_config, says_the_limits_of_the_pivots) {
  EXPECT_EQ(refusal({.order = order_kind::pivot_buffer, .pivots = 32}), "accepted");
  EXPECT_EQ(refusal({.order = order_kind::pivot_buffer, .pivots = 33}),
            "pivots=33 is more than 32: no pivot buffer is that high");
  for (const order_kind order : {order_kind::eytzinger, order_kind::ascending}) {
    EXPECT_EQ(refusal({.order = order, .pivots = 1}),
              "pivots=1 needs a pivot buffer (AO+PB): this order has none to trim");
  }
}

TEST(check_config, says_the_limits_of_a_static_schedule) {
  constexpr schedule_kind fixed = schedule_kind::fixed;
  EXPECT_EQ(refusal({.launch = {.schedule = fixed, .blocks_per_sm = 1}}), "accepted");
  EXPECT_EQ(refusal({.launch = {.schedule = fixed, .blocks_per_sm = 32}}), "accepted");
  EXPECT_EQ(refusal({.launch = {.schedule = fixed, .blocks_per_sm = 0}}), "blocks_per_sm=0 is outside 1 to 32");
  EXPECT_EQ(refusal({.launch = {.schedule = fixed, .blocks_per_sm = 33}}), "blocks_per_sm=33 is outside 1 to 32");
  EXPECT_EQ(refusal({.launch = {.blocks_per_sm = 2}}),
            "blocks_per_sm=2 needs schedule=static: a dynamic schedule has a block for every tile");
}

TEST(check_config, says_the_limits_of_scratch) {
  constexpr pin_kind full = pin_kind::full;
  for (const u32 bytes : {16u, 32u, 1024u, 227u * 1024})
    EXPECT_EQ(refusal({.pin = full, .scratch = bytes}), "accepted");
  EXPECT_EQ(refusal({.pin = full, .scratch = 0}), "scratch=0KiB is not a multiple of 16 bytes from 16 to 227KiB");
  EXPECT_EQ(refusal({.pin = full, .scratch = 15}), "scratch=15 is not a multiple of 16 bytes from 16 to 227KiB");
  EXPECT_EQ(refusal({.pin = full, .scratch = 24}), "scratch=24 is not a multiple of 16 bytes from 16 to 227KiB");
  EXPECT_EQ(refusal({.pin = full, .scratch = 227 * 1024 + 16}),
            "scratch=232464 is not a multiple of 16 bytes from 16 to 227KiB");
  EXPECT_EQ(refusal({.scratch = 8192}), "scratch=8KiB needs pin=steps or pin=full: nothing else is kept there");
  EXPECT_EQ(refusal({.pin = pin_kind::steps, .scratch = 8192}), "accepted");
}

TEST(check_config, wants_whole_steps_of_lookups_in_flight) {
  EXPECT_EQ(refusal({.flight = 3, .launch = {.per_thread = 3}}), "flight=3 is not 1, 2, 4 or 8");
  EXPECT_EQ(refusal({.flight = 16, .launch = {.per_thread = 16}}), "flight=16 is not 1, 2, 4 or 8");
  EXPECT_EQ(refusal({.flight = 2}),
            "flight=2 needs a multiple of it as per_thread: so many lookups of a thread are served in step");
  EXPECT_EQ(refusal({.flight = 8, .launch = {.per_thread = 16}}), "accepted");
}

// What a group's lanes have in step is one wave, of at most 32 (simt/wave.hpp).
TEST(check_config, wants_no_more_lookups_in_step_than_a_wave_has) {
  EXPECT_EQ(words_of("PACKED leaf=128 lanes=8 flight=8 threads=512 per_thread=8"),
            "the config PACKED leaf=128 lanes=8 flight=8 threads=512 per_thread=8 is refused: flight=8 with lanes=8 is "
            "64 lookups in step, and a GPU serves at most 32 so: take flight=4 or lanes=4");
  for (const key_width width : {key_width::u32, key_width::u64}) {
    for (const u32 lanes : {1u, 2u, 4u, 8u}) {
      for (const u32 flight : {1u, 2u, 4u, 8u}) {
        const packed_config c{
            .keys = width, .leaf = 128, .lanes = lanes, .flight = flight, .launch = {.per_thread = 8}};
        EXPECT_EQ(check(c) == std::nullopt, lanes * flight <= 32) << to_line(c);
        const packed_config by_lanes = nearest_accepted(c, "lanes"), by_flight = nearest_accepted(c, "flight");
        EXPECT_EQ(check(nearest_accepted(c)), std::nullopt) << to_line(c);
        EXPECT_EQ(check(by_lanes), std::nullopt) << to_line(c);
        EXPECT_EQ(check(by_flight), std::nullopt) << to_line(c);
        EXPECT_EQ(by_lanes.lanes, lanes);
        EXPECT_EQ(by_lanes.flight, std::min(flight, 32 / lanes));
        EXPECT_EQ(by_flight.flight, flight);
        EXPECT_EQ(by_flight.lanes, std::min(lanes, 32 / flight));
      }
    }
  }
}

TEST(check_config, wants_entries_that_are_read_in_one_go_for_reads_of_once) {
  EXPECT_EQ(refusal({.order = order_kind::ascending, .reads = entry_reads::once}),
            "reads=once needs entries that a lookup reads in one go: AO+BS searches its entries step by step and comes "
            "back to what it read");
  EXPECT_EQ(
      refusal({.order = order_kind::pivot_buffer, .pivots = 3, .reads = entry_reads::once}),
      "reads=once needs entries that a lookup reads in one go: AO+PB+BS searches a trimmed buffer's leaves step by "
      "step and comes back to what it read");
  EXPECT_EQ(refusal({.order = order_kind::pivot_buffer, .reads = entry_reads::once}), "accepted");
  EXPECT_EQ(refusal({.reads = entry_reads::once}), "accepted");
}

// 1024 threads sort 14336 keys of 8 bytes and their 16-bit places: 143360 bytes. "double" has room for 57344 more.
TEST(check_config, adds_up_a_blocks_scratch) {
  const ordered_config sorting{.keys = key_width::u64,
                               .launch = {.threads = 1024, .per_thread = 14, .reorder = reorder_kind::lookup}};
  ordered_config c = sorting;
  EXPECT_EQ(scratch_of(c).pinned, 0u);
  EXPECT_EQ(scratch_of(c).sorting, 143360u);
  EXPECT_EQ(scratch_of(c).answers, 0u);
  EXPECT_EQ(refusal(c), "accepted");
  c.launch.reorder = reorder_kind::both;
  EXPECT_EQ(scratch_of(c).answers, 57344u);
  EXPECT_EQ(refusal(c), "accepted");
  c.pin = pin_kind::full, c.scratch = 227 * 1024 - 143360 - 57344;
  EXPECT_EQ(scratch_of(c).all(), 227u * 1024);
  EXPECT_EQ(refusal(c), "accepted");
  c.scratch += 16;
  EXPECT_EQ(refusal(c),
            "a block would need 232464 bytes of scratch, and no GPU has more than 227KiB: take fewer threads or "
            "lookups a thread, or pin less");
  EXPECT_EQ(scratch_of({.launch = {.threads = 64, .reorder = reorder_kind::lookup}}).sorting, 64u * 36 + 1024)
      << "a small tile: what sorting counts in";
}

TEST(nearest_accepted, moves_each_axis_to_its_closest_value) {
  EXPECT_EQ(nearest({.fanout = 0}).fanout, 2u);
  EXPECT_EQ(nearest({.fanout = 40}).fanout, 33u);
  EXPECT_EQ(nearest({.fanout = 5, .lanes = 9}).lanes, 4u);
  EXPECT_EQ(nearest({.fanout = 5, .lanes = 0}).lanes, 1u);
  EXPECT_EQ(nearest({.launch = {.threads = 0}}).launch.threads, 64u);
  EXPECT_EQ(nearest({.launch = {.threads = 111}}).launch.threads, 96u);
  EXPECT_EQ(nearest({.launch = {.threads = 112}}).launch.threads, 128u);
  EXPECT_EQ(nearest({.launch = {.threads = 5000}}).launch.threads, 1024u);
  EXPECT_EQ(nearest({.launch = {.per_thread = 0}}).launch.per_thread, 1u);
  EXPECT_EQ(nearest({.launch = {.per_thread = 99}}).launch.per_thread, 16u);
  EXPECT_EQ(nearest(with(pb, [](auto& c) { c.pivots = 99; })).pivots, 32u);
  EXPECT_EQ(nearest({.pivots = 3}).pivots, 0u);
  EXPECT_EQ(nearest({.launch = {.schedule = schedule_kind::fixed, .blocks_per_sm = 0}}).launch.blocks_per_sm, 1u);
  EXPECT_EQ(nearest({.launch = {.schedule = schedule_kind::fixed, .blocks_per_sm = 99}}).launch.blocks_per_sm, 32u);
  EXPECT_EQ(nearest({.launch = {.blocks_per_sm = 4}}).launch.blocks_per_sm, 1u);
  EXPECT_EQ(nearest({.pin = pin_kind::full, .scratch = 0}).scratch, 16u);
  EXPECT_EQ(nearest({.pin = pin_kind::full, .scratch = 47}).scratch, 32u);
  EXPECT_EQ(nearest({.pin = pin_kind::full, .scratch = 1 << 20}).scratch, 227u * 1024);
  EXPECT_EQ(nearest({.scratch = 64}).scratch, default_scratch);
  EXPECT_EQ(nearest({.flight = 0, .launch = {.per_thread = 4}}).flight, 1u);
  EXPECT_EQ(nearest({.flight = 99, .launch = {.per_thread = 16}}).flight, 8u);
  EXPECT_EQ(nearest({.flight = 3, .launch = {.per_thread = 4}}).flight, 2u);
  EXPECT_EQ(nearest({.flight = 4, .launch = {.per_thread = 6}}).flight, 2u);
  EXPECT_EQ(nearest({.flight = 4}).flight, 1u);
  EXPECT_EQ(nearest({.order = order_kind::ascending, .reads = entry_reads::once}).reads, entry_reads::cached);
  EXPECT_EQ(nearest({.order = order_kind::pivot_buffer, .pivots = 3, .reads = entry_reads::once}).reads,
            entry_reads::cached);
  EXPECT_EQ(nearest({.reads = entry_reads::once}).reads, entry_reads::once);
}

TEST(nearest_accepted, keeps_what_it_is_told_to) {
  EXPECT_EQ(nearest({.fanout = 5, .lanes = 9}, "lanes"), (ordered_config{.fanout = 10, .lanes = 9}));
  EXPECT_EQ(nearest({.fanout = 5, .lanes = 4}, "lanes"), (ordered_config{.fanout = 5, .lanes = 4}));
  EXPECT_EQ(nearest({.fanout = 5, .lanes = 32}, "lanes"), (ordered_config{.fanout = 33, .lanes = 32}));
  EXPECT_EQ(nearest({.fanout = 5, .lanes = 33}, "lanes"), (ordered_config{.fanout = 33, .lanes = 32}));
  EXPECT_EQ(nearest({.pivots = 3}, "pivots"), (ordered_config{.order = order_kind::pivot_buffer, .pivots = 3}));
  EXPECT_EQ(nearest({.launch = {.blocks_per_sm = 4}}, "blocks_per_sm"),
            (ordered_config{.launch = {.schedule = schedule_kind::fixed, .blocks_per_sm = 4}}));
  EXPECT_EQ(nearest({.scratch = 64}, "scratch"), (ordered_config{.pin = pin_kind::full, .scratch = 64}));
  EXPECT_EQ(nearest({.fanout = 40}, "fanout").fanout, 33u) << "no fanout is that great";
  EXPECT_EQ(nearest({.flight = 4}, "flight"), (ordered_config{.flight = 4, .launch = {.per_thread = 4}}));
  EXPECT_EQ(nearest({.flight = 8, .launch = {.per_thread = 15}}, "flight").launch.per_thread, 16u);
  EXPECT_EQ(nearest({.order = order_kind::ascending, .reads = entry_reads::once}, "reads"),
            (ordered_config{.order = order_kind::pivot_buffer, .reads = entry_reads::once}));
  EXPECT_EQ(nearest({.order = order_kind::pivot_buffer, .pivots = 3, .reads = entry_reads::once}, "reads").pivots, 0u);
}

TEST(nearest_accepted, gives_up_lookups_a_thread_for_scratch_then_pinned_keys) {
  ordered_config c{.keys = key_width::u64,
                   .launch = {.threads = 1024, .per_thread = 16, .reorder = reorder_kind::both}};
  EXPECT_EQ(nearest(c), c) << "229376 of 232448 bytes";
  c.pin = pin_kind::full, c.scratch = 16 * 1024;
  EXPECT_EQ(nearest(c).launch.per_thread, 15u);
  EXPECT_EQ(nearest(c).scratch, 16u * 1024);
  c.scratch = 227 * 1024;
  EXPECT_EQ(nearest(c).launch.per_thread, 1u);
  EXPECT_EQ(nearest(c).scratch, default_scratch);
}

TEST(nearest_accepted, leaves_what_is_accepted) {
  for (const char* line : {"EO+BS", "AO+PB+KS fanout=5 lanes=2 pivots=3", "EO+BS schedule=static blocks_per_sm=8",
                           "AO+BS pin=full scratch=64KiB", "EO+KS threads=64 per_thread=16 reorder=double"}) {
    EXPECT_EQ(to_line(nearest_accepted(config_of(line))), line);
  }
}

TEST(config_line, says_what_differs_in_the_order_of_the_axes) {
  ordered_config c{.order = order_kind::pivot_buffer,
                   .fanout = 17,
                   .lanes = 4,
                   .keys = key_width::u64,
                   .layout = entry_layout::soa,
                   .pivots = 2,
                   .pin = pin_kind::steps,
                   .scratch = 1000,
                   .scan = scan_kind::cooperative,
                   .launch = {.schedule = schedule_kind::fixed,
                              .blocks_per_sm = 4,
                              .threads = 128,
                              .per_thread = 2,
                              .reorder = reorder_kind::lookup}};
  EXPECT_EQ(to_line(c),
            "AO+PB+KS fanout=17 lanes=4 keys=u64 layout=soa threads=128 per_thread=2 pivots=2 schedule=static "
            "blocks_per_sm=4 pin=steps scratch=1000 reorder=lookup scan=cooperative");
  nlohmann::json json;
  to_json(json, c);
  EXPECT_EQ(json, nlohmann::json::parse(R"({"method": "AO+PB+KS", "fanout": 17, "lanes": 4, "keys": "u64",
      "layout": "soa", "threads": 128, "per_thread": 2, "pivots": "2", "schedule": "static", "blocks_per_sm": 4,
      "pin": "steps", "scratch": "1000", "reorder": "lookup", "scan": "cooperative", "flight": 1, "reads": "cached"})"));
  c.scratch = 1008;
  EXPECT_EQ(config_of(to_line(c)), c);
}

TEST(config_line, is_read_with_any_blanks) {
  EXPECT_EQ(config_of(" \tEO+KS\r\n fanout=3\t lanes=1 \n"), (ordered_config{.fanout = 3, .lanes = 1}));
  EXPECT_EQ(config_of("EO+BS scratch=32768"), eo_bs);
  EXPECT_EQ(config_of("EO+BS pin=full scratch=1KiB"), (ordered_config{.pin = pin_kind::full, .scratch = 1024}));
  EXPECT_EQ(config_of("AO+PB+BS pivots=all"), pb);
}

std::string listed_methods() {
  return fmt::format("{}", fmt::join(testing::and_later({"AO+BS", "AO+KS", "EO+BS", "EO+KS", "AO+PB+BS", "AO+PB+KS",
                                                         "PLAIN", "HT+OA", "PACKED"}),
                                     ", "));
}

TEST(config_line, is_refused_in_words) {
  const std::string methods = listed_methods();
  EXPECT_EQ(words_of(" "), "the config is empty: it begins with a method, one of " + methods);
  EXPECT_EQ(words_of("EO"), "unknown method 'EO': a config begins with one of " + methods);
  EXPECT_EQ(words_of("EO+BS lanes"), "'lanes' in a config is not of the form name=value");
  EXPECT_EQ(
      words_of("EO+BS method=EO+BS"),
      "unknown setting 'method' in a config; there are: method, fanout, lanes, keys, layout, threads, per_thread, "
      "pivots, schedule, blocks_per_sm, pin, scratch, reorder, scan, flight, reads");
  EXPECT_EQ(words_of("EO+KS lanes=1 fanout=3 lanes=1"), "lanes is given twice in a config");
  EXPECT_EQ(words_of("EO+KS fanout=two"), "'two' is no value for fanout: expected a number from 2 to 33");
  EXPECT_EQ(words_of("EO+KS fanout="), "'' is no value for fanout: expected a number from 2 to 33");
  EXPECT_EQ(words_of("EO+KS fanout=3x"), "'3x' is no value for fanout: expected a number from 2 to 33");
  EXPECT_EQ(words_of("EO+KS fanout=4294967296"), "'4294967296' is no value for fanout: expected a number from 2 to 33");
  EXPECT_EQ(words_of("EO+BS keys=u8"), "'u8' is no value for keys: expected one of u32, u64");
  EXPECT_EQ(words_of("EO+BS pin=full scratch=1048577KiB"),
            "'1048577KiB' is no value for scratch: expected one of 8KiB, 16KiB, 32KiB, 48KiB, 64KiB, 96KiB, 160KiB, "
            "224KiB");
  EXPECT_EQ(words_of("EO+BS pin=full scratch=1048576KiB"),
            "the config EO+BS pin=full scratch=1048576KiB is refused: scratch=1048576KiB is not a multiple of 16 bytes "
            "from 16 to 227KiB");
  EXPECT_EQ(words_of("EO+KS fanout=34"),
            "the config EO+KS fanout=34 is refused: fanout=34 is outside 2 to 33: a node's K - 1 keys must fit the 32 "
            "lanes of a warp");
}

TEST(config_json, is_refused_in_words) {
  const auto words = [](const char* text) {
    const auto config = config_from_json(nlohmann::json::parse(text));
    return config ? to_line(*config) : config.error().words;
  };
  const std::string methods = listed_methods();
  for (const char* text : {"3", "{}", R"({"method": 3})"}) {
    EXPECT_EQ(words(text), "a config in JSON is an object with a \"method\", one of " + methods);
  }
  EXPECT_EQ(words(R"({"method": "EO+KS fanout=3"})"), "unknown method 'EO+KS fanout=3'");
  EXPECT_EQ(words(R"({"method": "EO+KS", "fanout": -3})"),
            "'-3' is no value for fanout: expected a number from 2 to 33");
  EXPECT_EQ(words(R"({"method": "EO+KS", "fanout": "3 lanes=1"})"),
            "'\"3 lanes=1\"' is no value for fanout: expected a number from 2 to 33");
  EXPECT_EQ(words(R"({"method": "EO+KS", "fanout": null})"),
            "'null' is no value for fanout: expected a number from 2 to 33");
  EXPECT_EQ(words(R"({"method": "EO+KS", "lanes": 1, "fanout": "3"})"), "EO+KS fanout=3 lanes=1");
}

// What setting an axis does to the others.
TEST(axes, of_method_and_fanout_bring_lanes_with_them) {
  const auto set = [](const ordered_config& from, const char* name, const char* value) -> ordered_config {
    index_config c = from;
    EXPECT_TRUE(find_axis(name)->set(c, value)) << name << value;
    return c;
  };
  EXPECT_EQ(set(eo_bs, "method", "AO+PB+KS"),
            (ordered_config{.order = order_kind::pivot_buffer, .fanout = 9, .lanes = 8}));
  EXPECT_EQ(set({.fanout = 5, .lanes = 2}, "method", "AO+KS"),
            (ordered_config{.order = order_kind::ascending, .fanout = 5, .lanes = 2}));
  EXPECT_EQ(set({.fanout = 5, .lanes = 2}, "method", "AO+BS"), (ordered_config{.order = order_kind::ascending}));
  EXPECT_EQ(set(eo_ks, "fanout", "17").lanes, 16u) << "K - 1 of the papers stays K - 1";
  EXPECT_EQ(set({.fanout = 9, .lanes = 4}, "fanout", "17").lanes, 4u);
  EXPECT_EQ(set({.fanout = 9, .lanes = 4}, "fanout", "5").lanes, 4u);
  EXPECT_EQ(set({.fanout = 9, .lanes = 4}, "fanout", "4").lanes, 3u);
  EXPECT_EQ(set({.fanout = 9, .lanes = 4}, "fanout", "2").lanes, 1u);
  EXPECT_EQ(set({.fanout = 9, .lanes = 4}, "fanout", "1").lanes, 4u) << "no fanout; check() says so";
  EXPECT_EQ(set({.pivots = 3}, "pivots", "all").pivots, 0u);
  index_config c = default_config();
  EXPECT_FALSE(find_axis("pivots")->set(c, "0"));
  EXPECT_FALSE(find_axis("method")->set(c, "EO+"));
  EXPECT_FALSE(find_axis("method")->set(c, "EO+BSX"));
  EXPECT_EQ(find_axis("fanotu"), nullptr);
}

TEST(axes, explain_nothing_that_is_no_value) {
  EXPECT_EQ(find_axis("method")->explain("EO"), "");
  EXPECT_EQ(find_axis("method")->explain("XX+BS"), "");
  EXPECT_EQ(find_axis("fanout")->explain("1"), "");
  EXPECT_EQ(find_axis("fanout")->explain("x"), "");
  EXPECT_EQ(find_axis("lanes")->explain("x"), "");
}

// Every knob as the window and the help have it.
TEST(axes, are_as_they_were) {
  std::string text;
  for (const axis& a : axes(ordered_id)) {
    text += a.name + " (" + a.title + "): " + a.sentence + "\n";
    if (a.range) text += "  from " + std::to_string(a.range->first) + " to " + std::to_string(a.range->second) + "\n";
    for (const std::string& value : a.values) {
      index_config c = a.name == "scratch" ? ordered_config{.pin = pin_kind::full} : ordered_config{};
      EXPECT_TRUE(a.set(c, value));
      EXPECT_EQ(a.get(c), value) << a.name;
      if (testing::is_golden(family_of(c))) text += "  " + value + ": " + a.explain(value) + "\n";
    }
  }
  testing::expect_golden("tests/core/index/config/golden/axes.txt", text);
}

}  // namespace
}  // namespace pivotscope
