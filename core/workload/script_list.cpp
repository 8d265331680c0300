#include "core/workload/script_list.hpp"

#include "core/workload/files/number_lines.hpp"
#include "core/workload/question_text.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view dots = "..";

template <class Key>
std::string take_number(std::string_view text, std::string_view whole, u64& out) {
  if (text.empty()) return fmt::format("a key is missing in '{}'", excerpt(whole));
  Key key = 0;
  if (!read_number(text, key)) return refusal<Key>(text);
  out = key;
  return {};
}

template <class Key>
std::string take_one(std::string_view text, question& out) {
  if (text.empty()) return "an operation is missing";
  if (const auto taken = take_sign(text)) {
    out.kind = taken->first;
    return take_number<Key>(taken->second, text, out.key);
  }
  const std::size_t at = text.find(dots);
  if (at == text.npos) return fmt::format("'{}' is no operation; these are: {}", excerpt(text), listed_signs());
  out.kind = operation::range;
  if (std::string wrong = take_number<Key>(text.substr(0, at), text, out.key); !wrong.empty()) return wrong;
  return take_number<Key>(text.substr(at + dots.size()), text, out.high);
}

// Operations between commas, in brackets or not, up to a slash or the end.
template <class Key>
class list_parser {
 public:
  explicit list_parser(std::string_view word) : rest_(word) {}

  std::string take_all() {
    do {
      if (std::string wrong = take_batch(); !wrong.empty()) return wrong;
    } while (take('/'));
    return rest_.empty() ? "" : fmt::format("'{}' where a slash or the end belongs", excerpt(rest_));
  }
  script finish() { return std::move(script_); }

 private:
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string take_batch() {
    if (const auto whole = maintenance_of_sign(rest_.substr(0, rest_.find('/')))) {
      rest_.remove_prefix(info_of(*whole).sign.size());
      if (script_.items() == max_listed) return too_many();
      script_.add(*whole);
      return {};
    }
    const bool mixed = take('(');
    bool first = true;
    do {
      const std::string_view text = rest_.substr(0, rest_.find_first_of(",/()"));
      question one;
      if (const auto whole = maintenance_of_sign(text))
        return fmt::format("'{}' is {}, a batch of its own; put slashes around it", text, info_of(*whole).name);
      if (std::string wrong = take_one<Key>(text, one); !wrong.empty()) return wrong;
      rest_.remove_prefix(text.size());
      if (script_.items() == max_listed) return too_many();
      // A slash parts batches of one verb, too.
      if (first && (mixed || goes_on_with(one.kind)))
        script_.begin_mixed();
      else if (script_.in_mixed() && !mixed && one.kind != verb_of_last())
        script_.end_mixed();
      script_.add(one);
      first = false;
    } while (take(','));
    if (mixed && !take(')')) return "a bracket is open; put ) behind the last operation of its batch";
    if (script_.in_mixed()) script_.end_mixed();
    return {};
  }

  static std::string too_many() {
    return fmt::format("there are more than {} operations; a file may have more", max_listed);
  }

  bool goes_on_with(operation what) const {
    return !script_.batches().empty() && !script_.batches().back().mixed && !script_.batches().back().whole &&
           verb_of_last() == what;
  }
  operation verb_of_last() const { return script_.verb_of(script_.size() - 1); }

  std::string_view rest_;
  script script_{sizeof(Key) == 4 ? key_width::u32 : key_width::u64};
};

template <class Key>
outcome<script> parse_list(std::string_view word) {
  list_parser<Key> parser(word);
  if (std::string wrong = parser.take_all(); !wrong.empty()) return problem{std::move(wrong)};
  return parser.finish();
}

}  // namespace

outcome<script> script_from_list(std::string_view word, key_width width) {
  return width == key_width::u32 ? parse_list<u32>(word) : parse_list<u64>(word);
}

std::string to_list(const script& s) {
  std::string list;
  for (const script_batch& batch : s.batches()) {
    if (&batch != &s.batches().front()) list += '/';
    if (batch.whole) list += info_of(*batch.whole).sign;
    if (batch.mixed) list += '(';
    for (u64 i = batch.begin; i < batch.end; ++i) {
      if (i != batch.begin) list += ',';
      list += to_list_item(s[i]);
    }
    if (batch.mixed) list += ')';
  }
  return list;
}

}  // namespace pivotscope
