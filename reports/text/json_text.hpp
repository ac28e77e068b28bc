// Formats JSON for people and line tools: one line for each key of the outermost object, and for each element of its
// arrays.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/profile.hpp"
#include "models/documents/json_writer.hpp"

namespace spillway::reports {

// Splits JSON into lines. `compact` is an object without spaces. Ends with a newline.
[[nodiscard]] std::string json_lines(std::string_view compact);

// Returns an array with a value for each row.
template <class Rows, class ToJson>
[[nodiscard]] documents::JsonText json_array(const Rows& rows, const ToJson& to_json) {
  documents::JsonText array = documents::JsonText::array();
  for (const auto& row : rows) {
    array.push_back(to_json(row));
  }
  return array;
}

// Writes a document in this format piece by piece, so that its rows are never in memory together.
//
//   JsonLines lines([&](std::string_view piece) { text += piece; });
//   lines.add("mode", "\"exact\"");
//   lines.begin_array("shares");
//   lines.add_row("{\"exact\":0.5}");
//   lines.end_array();
//   lines.end();
//
// Values passed in are compact JSON, as above. Pieces are about 64 kB.
class JsonLines {
 public:
  explicit JsonLines(std::function<void(std::string_view)> write) : write_(std::move(write)) {}

  // Adds a key to the outermost object. Precondition: the value is not an array.
  void add(std::string_view key, std::string_view value);
  void begin_array(std::string_view key);
  void add_row(std::string_view value);
  void end_array();
  void end();

 private:
  void begin_member(std::string_view key);
  void write_full();

  std::function<void(std::string_view)> write_;
  std::string text_ = "{";
  bool first_member_ = true;
  bool first_row_ = true;
};

// Returns the simulated profiles, as in every JSON output.
//
//   profile_json({});  // {"envoy":"current","kuma":"release-2.14","istio":"release-1.31"}
[[nodiscard]] documents::JsonText profile_json(const config::Profile& profile);

struct DocumentedTable;  // documented_table.hpp

// Returns documented tables in JSON, one object each, that `run` and `tables` share.
[[nodiscard]] std::vector<documents::JsonText> tables_json(const std::vector<DocumentedTable>& tables);

}  // namespace spillway::reports
