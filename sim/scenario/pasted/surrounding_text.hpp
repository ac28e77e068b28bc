// Sentences, ellipses and broken ends around the lines of documents.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/documents/left_out.hpp"

namespace spillway::scenario::pasted {

// True for a key at the top of an object that no document has: the beginning of a sentence, as in `We see this: ...`.
[[nodiscard]] bool is_odd_key(std::string_view key);

// True if lines may be those of a diff without `@@`: each begins with a blank, `+` or `-`, and some with `+` or with
// `-` before a word or two blanks. Sentences in front of them do not count.
[[nodiscard]] bool looks_like_diff(const std::vector<std::string>& lines, std::size_t begin, std::size_t end);

// True if a line is an ellipsis.
[[nodiscard]] bool has_ellipsis(std::string_view text);

// True if a line is a key of a document, with or without a value.
[[nodiscard]] bool has_fields(std::string_view text);

// Blanks sentences before, between and after documents, ellipses, and a last line that breaks off. A sentence between
// two documents becomes `---`. A line `key value` stays, because a colon is missing in it.
[[nodiscard]] std::vector<documents::LeftOut> leave_out_surroundings(std::vector<std::string>& lines);

}  // namespace spillway::scenario::pasted
