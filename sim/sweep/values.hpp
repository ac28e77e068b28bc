// The values that a key of a sweep takes, as a command line writes them.
//
//   10,50,100           these three
//   50..90              50 to 90 by steps of one
//   50..90+10           by steps of 10
//   100rps..2000rps/20  20 of them, evenly apart, both ends among them
//   1ms..1s/7log        7 of them, each the same factor above the one before
//   true,false          whatever the key takes: text, {"an": "object"}, "text, with a comma"
//
// Units of a range stand at both of its ends or at the first; without any, a number takes the unit that the scenario
// has there (path.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/documents/node.hpp"
#include "models/documents/source.hpp"

namespace spillway::sweep {

// One value with its place in the text, in bytes.
struct Value {
  std::string text;
  std::size_t begin = 0;
  std::size_t length = 1;
};

struct Range {
  double low = 0.0;
  double high = 1.0;
  std::string unit;
  bool whole = false;        // both ends are whole numbers, and so is everything between
  bool logarithmic = false;  // even factors instead of even distances
  std::size_t begin = 0;     // in the text
  std::size_t length = 1;

  // From 0 (low) to 1 (high); rounded where the range is whole.
  [[nodiscard]] std::string at(double part) const;
};

struct Values {
  std::vector<Value> listed;     // of a grid
  std::optional<Range> range{};  // where the text is one range: what a sampled design draws from
};

struct ValueProblem {
  std::string message;
  std::string help;
  std::size_t begin = 0;
  std::size_t length = 1;
};

// At most so many values of one key.
inline constexpr std::size_t most_values = 1'000'000;

[[nodiscard]] std::variant<Values, ValueProblem> parse_values(std::string_view text);

// The value as a document would hold it, at that place.
[[nodiscard]] documents::Node node_of(const std::string& text, Span where);

// The number that a value begins with: 200 of "200rps". Nothing where it is no number.
[[nodiscard]] std::optional<double> number_of(const std::string& text);

}  // namespace spillway::sweep
