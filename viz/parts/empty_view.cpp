#include "viz/parts/empty_view.hpp"

#include <fmt/format.h>

#include "core/index/family.hpp"
#include "core/index/operations.hpp"
#include "core/tuning/batch_to_time.hpp"
#include "viz/models/tile_model.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {

void wait_or_explain(frame& f, const char* what) {
  const job_state& job = f.session.job;
  if (job.running) {
    const std::string percent = job.fraction >= 0 ? " " + percent_text(job.fraction) : "";
    if (empty_view(icon::clock, fmt::format("Busy {}{}. Then this shows {}.", job.stage, percent, what), "stop",
                   "Stop"))
      f.act.cancel();
    return;
  }
  if (f.session.unread)
    return caption(
        fmt::format("Your numbers could not be read, so this does not show {} yet: {}. Mend them in the "
                    "Workload panel.",
                    what, f.session.unread->words));
  if (f.session.index && f.model()->keys() == 0) {
    if (empty_view(icon::database, "This key set is empty: there is nothing to draw and every lookup is a miss.",
                   "example", "Open the 14-key example"))
      f.act.choose_workload(workload{});
    return;
  }
  if (empty_view(icon::database, fmt::format("Nothing is built yet. Build it, and this shows {}.", what), "build",
                 "Build"))
    f.act.run_again();
}

void offer_what_changes(frame& f, const std::string& remark, bool one_by_one) {
  const index_config& now = f.session.choice.config;
  const auto why = one_by_one ? check_interleaves(now, operation::insert) : check_serves(now, operation::insert);
  wrapped(fonts().words, type::body, theme().text, *why + ".");
  if (!remark.empty()) wrapped(fonts().words, type::small, theme().text_dim, remark);
  ImGui::Spacing();
  for (const family* one : families()) {
    index_config wanted = one->standard();
    if (one_by_one ? !one->changes_one_by_one(wanted) : !one->changes()) continue;
    wanted.keys = f.session.choice.config.keys;
    const std::string name = one->methods().front().name;
    const std::string words = "Take " + name;
    if (ImGui::GetContentRegionAvail().x < text_width(fonts().words_medium, type::small, words) + px(24))
      ImGui::NewLine();
    if (button(name.c_str(), words)) f.act.choose_config(wanted);
    hover_card(name, std::string(one->sentence()));
    ImGui::SameLine(0, px(4));
  }
  ImGui::NewLine();
}

void say_too_few(frame& f, const std::string& why) {
  if (why.empty()) return;
  const session_choice& now = f.session.choice;
  // Of what is there to be looked at it is no fault.
  if (now.load.keys <= most_keys_to_look_at && !now.batch_told)
    caption(why + ".");
  else
    say_wrong(why + ".");
  if (now.load.own_batch.given()) return;
  batch_extent usual = extent_of(now.load, now.machine);
  usual.operations = usual_batch(now.load, now.config, now.machine);
  // What is usual of the papers' keys is to be looked at, and of a search from end to end to be over soon.
  const bool tells = too_few_to_time(usual).empty();
  const u64 count = tells ? usual.operations : enough_to_time(usual);
  if (button("enough", fmt::format("Take {} {}", short_count(count), operation_noun(usual.kind)), icon::right))
    f.act.choose_batch(tells ? std::nullopt : std::optional(count));
}

bool tile_asks_too_much(frame& f) {
  const index_config& config = f.session.index->config();
  const u64 keys = f.model()->keys(), most = family_of(config).sensible_keys(config);
  if (keys <= most) return false;
  caption(
      fmt::format("Each of a tile's {} looks through {}: more than is worth counting. Up to {} it is; or choose an "
                  "index.",
                  counted(tile_lookups(config.launch), "lookup"), counted(keys, "key"), counted(most, "key")));
  return true;
}

}  // namespace pivotscope::viz
