// JSON that people can read and line tools can compare: the keys of the outermost object on lines of their own, and
// each element of their arrays.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace spillway::reports {

// `compact` is an object as nlohmann::json dumps it without indentation. Ends with a newline.
[[nodiscard]] std::string json_lines(std::string_view compact);

// The same document, handed over while it is made: its rows never stand in memory together.
//
//   JsonLines lines([&](std::string_view piece) { text += piece; });
//   lines.add("mode", "\"exact\"");
//   lines.begin_array("shares");
//   lines.add_row("{\"exact\":0.5}");
//   lines.end_array();
//   lines.end();
//
// What is added is compact JSON, as above. Pieces are of some 64 kB.
class JsonLines {
 public:
  explicit JsonLines(std::function<void(std::string_view)> write) : write_(std::move(write)) {}

  // Of the outermost object; the value is no array.
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

}  // namespace spillway::reports
