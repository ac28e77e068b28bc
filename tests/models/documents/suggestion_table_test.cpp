// Every row of the table of suggestions is found by what it is for, and no row hides another.
#include "models/documents/grammar/suggestion_table.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <tuple>
#include <yaml-cpp/exceptions.h>

#include "models/documents/grammar/unit_suggestions.hpp"
#include "models/documents/yaml_mistakes.hpp"

using namespace spillway;
using namespace spillway::grammar;

namespace {

std::string suggested(const Suggestion& row) {
  const std::string written(row.written);
  switch (row.kind) {
    case MistakeKind::time_unit:
      return meant_duration("10" + written);
    case MistakeKind::rate_unit:
      return meant_rate("600" + written);
    case MistakeKind::percent_unit:
      return meant_percent("50" + written);
    case MistakeKind::memory_unit:
      return meant_bytes("2" + written);
    case MistakeKind::key:
      return meant_key(written, {std::string(row.meant)});
    case MistakeKind::place:
      return right_place(written, {std::string(row.beside)});
  }
  return {};
}

std::string expected(const Suggestion& row) {
  const std::string meant(row.meant);
  switch (row.kind) {
    case MistakeKind::time_unit:
      return "10" + meant;
    case MistakeKind::rate_unit:
      return meant == "rpm" ? "10rps" : "600rps";
    case MistakeKind::percent_unit:
      return "50%";
    case MistakeKind::memory_unit:
      return "2" + meant;
    case MistakeKind::key:
    case MistakeKind::place:
      return meant;
  }
  return {};
}

// The messages of yaml-cpp's parser.
const std::array yaml_messages = {YAML::ErrorMsg::YAML_DIRECTIVE_ARGS,
                                  YAML::ErrorMsg::YAML_VERSION,
                                  YAML::ErrorMsg::YAML_MAJOR_VERSION,
                                  YAML::ErrorMsg::TAG_DIRECTIVE_ARGS,
                                  YAML::ErrorMsg::CHAR_IN_TAG_HANDLE,
                                  YAML::ErrorMsg::TAG_WITH_NO_SUFFIX,
                                  YAML::ErrorMsg::END_OF_VERBATIM_TAG,
                                  YAML::ErrorMsg::END_OF_MAP,
                                  YAML::ErrorMsg::END_OF_MAP_FLOW,
                                  YAML::ErrorMsg::END_OF_SEQ,
                                  YAML::ErrorMsg::END_OF_SEQ_FLOW,
                                  YAML::ErrorMsg::MULTIPLE_TAGS,
                                  YAML::ErrorMsg::MULTIPLE_ANCHORS,
                                  YAML::ErrorMsg::ALIAS_CONTENT,
                                  YAML::ErrorMsg::INVALID_HEX,
                                  YAML::ErrorMsg::INVALID_UNICODE,
                                  YAML::ErrorMsg::INVALID_ESCAPE,
                                  YAML::ErrorMsg::UNKNOWN_TOKEN,
                                  YAML::ErrorMsg::DOC_IN_SCALAR,
                                  YAML::ErrorMsg::EOF_IN_SCALAR,
                                  YAML::ErrorMsg::CHAR_IN_SCALAR,
                                  YAML::ErrorMsg::TAB_IN_INDENTATION,
                                  YAML::ErrorMsg::FLOW_END,
                                  YAML::ErrorMsg::BLOCK_ENTRY,
                                  YAML::ErrorMsg::MAP_KEY,
                                  YAML::ErrorMsg::MAP_VALUE,
                                  YAML::ErrorMsg::ALIAS_NOT_FOUND,
                                  YAML::ErrorMsg::ANCHOR_NOT_FOUND,
                                  YAML::ErrorMsg::CHAR_IN_ALIAS,
                                  YAML::ErrorMsg::CHAR_IN_ANCHOR,
                                  YAML::ErrorMsg::ZERO_INDENT_IN_BLOCK,
                                  YAML::ErrorMsg::CHAR_IN_BLOCK,
                                  YAML::ErrorMsg::UNKNOWN_ANCHOR};

// The row that counts for a message.
const YamlSuggestion* row_for(std::string_view message) {
  for (const YamlSuggestion& row : yaml_suggestion_table()) {
    if (message.find(row.message) != std::string_view::npos) {
      return &row;
    }
  }
  return nullptr;
}

}  // namespace

TEST_CASE("Every row of the table of suggestions gives its text") {
  for (const Suggestion& row : suggestion_table()) {
    INFO(row.written << " -> " << row.meant);
    CHECK(suggested(row) == expected(row));
  }
}

TEST_CASE("No row of the table of suggestions hides another") {
  // A key may have several meanings, of which the first counts that an object has; a place has one for each object.
  std::set<std::tuple<MistakeKind, std::string_view, std::string_view>> known;
  std::set<MistakeKind> complete;
  MistakeKind kind = suggestion_table().front().kind;
  for (const Suggestion& row : suggestion_table()) {
    INFO(row.written << " -> " << row.meant);
    CHECK(known.emplace(row.kind, row.written, row.kind == MistakeKind::key ? row.meant : row.beside).second);
    CHECK((row.kind == MistakeKind::place) == !row.beside.empty());
    if (row.kind != kind) {
      complete.insert(kind);
      kind = row.kind;
    }
    CHECK(complete.count(row.kind) == 0);
  }
  CHECK(complete.size() == 5);
}

TEST_CASE("Every row about YAML is for a message of yaml-cpp that no row before it takes") {
  for (const YamlSuggestion& row : yaml_suggestion_table()) {
    INFO(row.message);
    bool met = false;
    for (const char* const message : yaml_messages) {
      met = met || row_for(message) == &row;
    }
    CHECK(met);
    CHECK((row.place == YamlPlace::at_mark || row.place == YamlPlace::tab) == !row.help.empty());
    const std::string text = "a:\n\tb: [c\n";
    const documents::YamlMistake mistake = documents::explain_yaml_mistake(text, 3, row.message);
    CHECK(mistake.begin < mistake.end);
    CHECK_FALSE(mistake.label.empty());
    if (!row.help.empty()) {
      CHECK(mistake.label == (row.label.empty() ? row.message : row.label));
      CHECK(mistake.help == row.help);
    }
  }
}
