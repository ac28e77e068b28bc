// Leaves parts out of a text that was copied from elsewhere, without a change of the places of all the rest: ellipses,
// and sentences around JSON.
//
//   for (const LeftOut& part : leave_out_of_json(text)) { part.line; }   // {"a": 1, ...} became {"a": 1     }
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::documents {

enum class WhyLeftOut : std::uint8_t {
  around,    // a sentence or a line of a shell around the documents
  ellipsis,  // stands for something that is not in the text
  ending,    // a last line that breaks off
  template_  // a line of a template, or a branch of it that is not read
};

struct LeftOut {
  std::uint32_t line = 1;
  WhyLeftOut why = WhyLeftOut::around;
  std::string text = {};  // only of an ellipsis, an ending and a template
};

// True for a line that stands for omitted ones: `...`, `[...]`, `# …`, `<snip>`, `--More--`.
[[nodiscard]] bool is_ellipsis(std::string_view line);

// Replaces parts of a JSON text by blanks: lines of text in front of it, ellipses, the commas beside them, and members
// whose value is an ellipsis. Other texts, and texts in strings, stay. Linear.
[[nodiscard]] std::vector<LeftOut> leave_out_of_json(std::string& text);

// Says in words what was left out, one line for each reason.
[[nodiscard]] std::vector<std::string> in_words(const std::vector<LeftOut>& parts);

}  // namespace spillway::documents
