#include "viz/panels/own_data.hpp"

#include <fmt/format.h>

#include "core/workload/own_numbers.hpp"
#include "viz/parts/file_browser.hpp"
#include "viz/parts/widgets.hpp"
#include "viz/theme/icons.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {
namespace {

using source = own_data_state::source;

// What became of a file that was asked for: what is wrong with it, how much of it is read, or how many it holds.
void reading_words(frame& f, const own_numbers& of, const std::string& done) {
  const session_view& s = f.session;
  if (s.unread && s.unread->of == of) return say_wrong(short_fault(*s.unread));
  if (!done.empty())
    return wrapped(fonts().words, type::small, theme().text_dim, fmt::format("{}  {}", icon::check, done));
  const std::string share = s.job.fraction >= 0 ? " " + percent_text(s.job.fraction) : "";
  caption(s.job.running ? s.job.stage + share : "Not read yet.");
}

// A path, which may be chosen from a folder's listing, and the column of a CSV file. True when they were entered.
bool file_fields(frame& f, entry_state& path, std::string& column, bool has_column, const char* what, bool& browsed) {
  const float again = px(30 + 30);
  const bool wrong = f.session.unread.has_value();  // a card would hide why, which stands below
  bool entered =
      text_field("##file", path.text, "/path/to/keys.txt", ImGui::GetContentRegionAvail().x - again, type::small);
  if (!wrong)
    hover_card(
        fmt::format("A file of {}", what),
        "Text with one a line, a column of a CSV file, or SOSD's or NumPy's format, told from the content. Then Enter. "
        "~ is your home folder. A file that is dropped onto the window is a file of keys.",
        path.text);
  ImGui::SameLine(0, px(4));
  if (icon_button("again", icon::again, "Read it again: it may hold something else by now.", !path.text.empty(), 26))
    f.act.read_again();
  ImGui::SameLine(0, px(4));
  if (icon_button("browse", icon::folder, browsed ? "Close the list" : "Choose a file from a list", true, 26)) {
    browsed = !browsed;
    if (browsed) f.act.list_folder(path.text.empty() ? "~" : path.text);
  }
  if (browsed)
    if (std::optional<std::string> chosen = file_browser(f)) {
      path.text = std::move(*chosen), column.clear();
      browsed = false, entered = true;
    }
  if (!has_column) return entered;
  entered |=
      text_field("##column", column, "column of a CSV file", ImGui::GetContentRegionAvail().x - again, type::small);
  if (!wrong)
    hover_card("Column",
               "Of a CSV file: the column's name, or its number from 1. Empty: the file has one number a line.");
  return entered;
}

// The columns of a table, with their first values: a click takes one. Where none is chosen that is asked for.
std::optional<std::string> column_clicked(const file_columns* of, const own_numbers& chosen, const char* what) {
  constexpr std::size_t most_shown = 24;
  if (!of || of->file != chosen.file || of->list.empty()) return std::nullopt;
  std::optional<std::string> clicked;
  if (chosen.column.empty())
    wrapped(fonts().words_medium, type::small, theme().text, fmt::format("A table. Which column has the {}?", what));
  ImGui::PushID("columns");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(2)));
  for (std::size_t i = 0; i < std::min(of->list.size(), most_shown); ++i) {
    const table_column& one = of->list[i];
    const bool is_it = chosen.column == one.ask || chosen.column == std::to_string(i + 1);
    if (chip(one.ask.c_str(), one.ask,
             is_it         ? chip_look::chosen
             : one.numbers ? chip_look::plain
                           : chip_look::refused) &&
        one.numbers)
      clicked = one.ask;
    const std::string values = fmt::format("{}", fmt::join(one.values, ", "));
    hover_card(one.name.empty() ? fmt::format("Column {}", i + 1) : one.name, values,
               one.numbers ? "" : "Not all of its values are keys.");
    ImGui::SameLine(0, px(8));
    ImGui::AlignTextToFramePadding();
    one_line(fonts().mono, type::tiny, one.numbers ? theme().text_dim : theme().text_faint, values);
  }
  ImGui::PopStyleVar();
  ImGui::PopID();
  if (of->list.size() > most_shown) caption(fmt::format("and {} more: type the column.", of->list.size() - most_shown));
  return clicked;
}

// It is a table whose column nobody has said: that is asked for, and no fault.
bool asks_for_column(const file_columns* of, const own_numbers& chosen) {
  return of && of->file == chosen.file && !of->list.empty() && chosen.column.empty();
}

void keys_of_file(frame& f) {
  own_data_state& own = f.view.own;
  if (file_fields(f, own.keys_file, own.keys_column, true, "keys", own.keys_browsed) && !own.keys_file.text.empty())
    f.act.choose_workload(with_keys(f.session.choice.load, {.file = own.keys_file.text, .column = own.keys_column}));
  const own_numbers& chosen = f.session.choice.load.own_keys;
  if (chosen.file.empty()) return caption("Enter a file, or drop one onto the window.");
  const key_data* made = f.session.keys.get();
  std::string done;
  if (made && made->load.own_keys == chosen && made->set->width() == f.session.choice.config.keys)
    done = fmt::format("{}, read in {}", counted(made->set->size(), "key"), ms_text(made->made_ms));
  const file_columns* const columns = f.session.key_columns.get();
  if (!asks_for_column(columns, chosen)) reading_words(f, chosen, done);
  if (const std::optional<std::string> column = column_clicked(columns, chosen, "keys"))
    f.act.choose_workload(with_keys(f.session.choice.load, {.file = chosen.file, .column = *column}));
}

void take(frame& f, std::string_view text) {
  const status taken = f.act.take_keys(text);
  f.view.own.keys_typed.problem = taken ? "" : taken.error().words;
}

void typed_keys(frame& f) {
  own_data_state& own = f.view.own;
  const char* meaning =
      "Numbers parted by blanks, commas, lines or brackets; decimal, or hexadecimal after 0x. A key's row id is its "
      "place. Up to 64 stand in the scenario's line; more, up to 2^20, are kept in a file that it names.";
  if (text_field("##typed", own.keys_typed.text, "1 5 9 12", ImGui::GetContentRegionAvail().x, type::small))
    take(f, own.keys_typed.text);
  if (ImGui::IsItemActivated()) own.keys_typed.problem.clear();
  if (own.keys_typed.problem.empty()) hover_card("Keys", meaning, "Then Enter.");
  if (button("paste", "Paste keys", icon::paste)) {
    const char* text = ImGui::GetClipboardText();
    take(f, text ? text : "");
  }
  if (own.keys_typed.problem.empty())
    hover_card("Paste keys", fmt::format("Takes the keys that the clipboard holds. {}", meaning));
  if (!own.keys_typed.problem.empty()) return say_wrong("Not taken: " + own.keys_typed.problem + ".");
  const own_numbers& chosen = f.session.choice.load.own_keys;
  if (!chosen.list.empty())
    wrapped(fonts().words, type::small, theme().text_dim,
            fmt::format("{}  {}", icon::check, counted(chosen.list.size(), "key")));
}

void source_chip(const char* id, const char* meaning, bool chosen, bool& first, bool& clicked) {
  flow_chip(id, first);
  first = false;
  clicked = chip(id, id, chosen ? chip_look::chosen : chip_look::plain);
  hover_card(id, meaning);
}

}  // namespace

bool keys_source(frame& f) {
  own_data_state& own = f.view.own;
  const workload& now = f.session.choice.load;
  follow_own_data(own, now);
  bool first = true, generated, file, typed;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(4)));
  source_chip("generated", "Keys of a distribution, from a seed.", own.keys == source::generated, first, generated);
  source_chip("a file", "Keys of your own, from a file.", own.keys == source::file, first, file);
  source_chip("typed", "Keys of your own, typed here or pasted.", own.keys == source::typed, first, typed);
  ImGui::PopStyleVar();
  if (file) own.keys = source::file;
  if (typed) own.keys = source::typed;
  if (generated) {
    own.keys = source::generated;
    if (now.own_keys.given()) f.act.choose_workload(with_generated_keys(now, own.generated));
  }
  ImGui::PushID("own");
  if (own.keys == source::file) keys_of_file(f);
  if (own.keys == source::typed) typed_keys(f);
  ImGui::PopID();
  return own.keys == source::generated;
}

void own_batch_form(frame& f) {
  own_data_state& own = f.view.own;
  const workload& now = f.session.choice.load;
  if (own.batch == source::typed) {
    entry_state& entry = own.batch_typed;
    if (text_field("##asked", entry.text, "9 12 15, or 7..20, or >=9", ImGui::GetContentRegionAvail().x, type::small)) {
      outcome<own_lookups> asked = lookups_from_text(entry.text, f.session.choice.config.keys);
      entry.problem = asked ? "" : asked.error().words;
      if (asked) f.act.choose_workload(with_batch(now, std::move(*asked)));
    }
    if (ImGui::IsItemActivated()) entry.problem.clear();
    if (!entry.problem.empty()) return say_wrong("Not taken: " + entry.problem + ".");
    hover_card(
        "Lookups",
        "Keys to look for, as one types them: 9 12 15. With 7..20 among them all are ranges, and a single key is "
        "the range from it to itself. >9 asks for a successor, >=9 for a lower bound, =9 for matches, of all alike. "
        "Up to 64; a file may have more.",
        "Then Enter.");
    if (!now.own_batch.numbers.list.empty())
      wrapped(fonts().words, type::small, theme().text_dim,
              fmt::format("{}  {} {}", icon::check, batch_size(now), operation_noun(now.own_batch.kind)));
  } else if (own.batch == source::file) {
    bool first = true, kind_clicked = false;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(4), px(4)));
    for (const operation kind : read_operations) {
      const std::string sentence =
          kind == operation::range  ? "Each line is a range: its low end and its high end, both inclusive."
          : kind == operation::find ? "Each line is a key to look for."
                                    : fmt::format("Each line is a key, and asks for {}.", info_of(kind).answer);
      const std::string name = kind == operation::find ? "of keys" : fmt::format("of {}", operation_noun(kind));
      bool clicked = false;
      source_chip(name.c_str(), sentence.c_str(), own.asked == kind, first, clicked);
      if (clicked) own.asked = kind, kind_clicked = true;
    }
    ImGui::PopStyleVar();
    const bool has_column = own.asked != operation::range;
    const std::string noun(operation_noun(own.asked));
    const bool entered = file_fields(f, own.batch_file, own.batch_column, has_column, noun.c_str(), own.batch_browsed);
    if ((entered || kind_clicked) && !own.batch_file.text.empty())
      f.act.choose_workload(with_batch(
          now,
          {.numbers = {.file = own.batch_file.text, .column = has_column ? own.batch_column : ""}, .kind = own.asked}));
    const own_numbers& chosen = now.own_batch.numbers;
    if (chosen.file.empty()) return caption("Enter a file.");
    const bool read = batch_size(now) > 0;
    const file_columns* const columns = has_column ? f.session.batch_columns.get() : nullptr;
    if (!asks_for_column(columns, chosen))
      reading_words(f, chosen, read ? fmt::format("{} {}", short_count(batch_size(now)), noun) : "");
    if (const std::optional<std::string> column = column_clicked(columns, chosen, noun.c_str()))
      f.act.choose_workload(
          with_batch(now, {.numbers = {.file = chosen.file, .column = *column}, .kind = now.own_batch.kind}));
  }
}

}  // namespace pivotscope::viz
