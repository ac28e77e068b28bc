// The values of a sweep's key, as written on the command line.
//
//   10,50,100           these three
//   50..90              50 to 90 by steps of one
//   50..90+10           by steps of 10
//   100rps..2000rps/20  20 of them, evenly apart, both ends among them
//   1ms..1s/7log        7 of them, each the same factor above the one before
//   true,false          whatever the key takes: text, {"an": "object"}, "text, with a comma"
//
// A range has its unit at both ends or at the first. A number without a unit takes the unit in the scenario (path.hpp).
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

// A value with its location in the text [bytes].
struct Value {
  std::string text;
  std::size_t begin = 0;
  std::size_t length = 1;
};

struct Range {
  double low = 0.0;
  double high = 1.0;
  std::string unit;
  bool whole = false;        // both ends are whole numbers, and so are all values between
  bool logarithmic = false;  // equal factors instead of equal distances
  std::size_t begin = 0;     // in the text
  std::size_t length = 1;

  // Returns the value from 0 (low) to 1 (high); rounded if the range is whole.
  [[nodiscard]] std::string at(double part) const;
};

struct Values {
  std::vector<Value> listed;     // for a grid
  std::optional<Range> range{};  // set if the text is one range; used by sampled designs
};

struct ValueProblem {
  std::string message;
  std::string help;
  std::size_t begin = 0;
  std::size_t length = 1;
};

// Limit of the values of one key.
inline constexpr std::size_t most_values = 1'000'000;

[[nodiscard]] std::variant<Values, ValueProblem> parse_values(std::string_view text);

// Returns the value as a document's node at that location.
[[nodiscard]] documents::Node node_of(const std::string& text, Span where);

// Returns the number at the start of a value: 200 for "200rps". nullopt if there is none.
[[nodiscard]] std::optional<double> number_of(const std::string& text);

}  // namespace spillway::sweep
