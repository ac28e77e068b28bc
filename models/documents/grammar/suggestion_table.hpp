// The table of common mistakes in documents: mistyped units, keys by other names, keys in the wrong place, texts that
// are not YAML. One row per mistake, data only; unit_suggestions.cpp, key_suggestions.cpp and yaml_mistakes.cpp look it
// up. tests/models/documents/suggestion_table_test.cpp goes over all rows.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace spillway::grammar {

enum class MistakeKind : std::uint8_t { time_unit, rate_unit, percent_unit, memory_unit, key, place };

struct Suggestion {
  MistakeKind kind;
  std::string_view written;   // in lower case; units have no spaces and underscores, keys have underscores
  std::string_view meant;     // the unit or key that is meant; for `place` the advice
  std::string_view beside{};  // only for `place`: a key of the object in which `written` is misplaced
};

// Rows of one kind are contiguous.
[[nodiscard]] std::span<const Suggestion> suggestion_table();

[[nodiscard]] std::span<const Suggestion> suggestions_of(MistakeKind kind);

// Returns the unit that is meant; empty if unknown.
[[nodiscard]] std::string_view meant_unit(MistakeKind kind, std::string_view written);

// The location of a mistake, relative to yaml-cpp's message about it.
enum class YamlPlace : std::uint8_t { at_mark, tab, bracket, colon, indentation };

struct YamlSuggestion {
  std::string_view message;  // a part of yaml-cpp's message; the first matching row counts
  YamlPlace place;
  std::string_view label{};  // yaml-cpp's message if empty
  std::string_view help{};
};

[[nodiscard]] std::span<const YamlSuggestion> yaml_suggestion_table() noexcept;

}  // namespace spillway::grammar
