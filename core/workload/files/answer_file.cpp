// write_answers, write_range_answers, write_successor_answers, write_script_answers: an answer a line.
#include <algorithm>

#include "core/common/expect.hpp"
#include "core/workload/files/key_file.hpp"
#include "core/workload/files/line_writer.hpp"
#include "core/workload/files/range_file.hpp"
#include "core/workload/script_answers.hpp"

namespace pivotscope {

namespace fs = std::filesystem;

status write_answers(const fs::path& path, std::span<const u32> answers, const job_control& control) {
  const auto put_line = [&](text_writer& writer, u64 i) {
    if (answers[i] == not_found) {
      writer.put('-');
    } else {
      writer.put(u64{answers[i]});
    }
    writer.put('\n');
  };
  return write_lines(path, answers.size(), put_line, control);
}

status write_range_answers(const fs::path& path, std::span<const range_answer> answers, std::span<const u64> begins,
                           std::span<const u32> rows, const job_control& control) {
  std::vector<u32> ascending;
  const auto put_line = [&](text_writer& writer, u64 i) {
    writer.put(answers[i].count);
    writer.put(' ');
    writer.put(answers[i].row_sum);
    if (!begins.empty()) {
      const std::span<const u32> those = rows.subspan(begins[i], begins[i + 1] - begins[i]);
      ascending.assign(those.begin(), those.end());
      std::sort(ascending.begin(), ascending.end());
      for (const u32 row : ascending) writer.put(' '), writer.put(u64{row});
    }
    writer.put('\n');
  };
  return write_lines(path, answers.size(), put_line, control);
}

status write_script_answers(const fs::path& path, const script& asked, std::span<const script_answer> answers,
                            const job_control& control) {
  PIVOTSCOPE_EXPECT(answers.size() == asked.size());
  const auto put_line = [&](text_writer& writer, u64 i) {
    const operation what = asked.verb_of(i);
    const script_answer& answer = answers[i];
    if (is_write(what)) return;
    if (answer_of(what) != answer_kind::sum && answer.row == not_found) {
      writer.put('-');
    } else {
      if (answer_of(what) != answer_kind::row) writer.put(answer.number), writer.put(' ');
      writer.put(answer.row);
    }
    writer.put('\n');
  };
  return write_lines(path, answers.size(), put_line, control);
}

status write_successor_answers(const fs::path& path, std::span<const successor_answer> answers,
                               const job_control& control) {
  const auto put_line = [&](text_writer& writer, u64 i) {
    if (answers[i].row == not_found) {
      writer.put('-');
    } else {
      writer.put(answers[i].key);
      writer.put(' ');
      writer.put(u64{answers[i].row});
    }
    writer.put('\n');
  };
  return write_lines(path, answers.size(), put_line, control);
}

}  // namespace pivotscope
