#include "sim/scenario/messages/expectations.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "sim/scenario/outcome.hpp"

namespace spillway::messages {
namespace {

using documents::Kind;
using grammar::Definitions;
using grammar::Schema;

constexpr double largest_figure = 1e15;
constexpr const char* expected_figure = "a figure such as 99%, 70, yes, no or -";
// A decimal number of up to 15 digits on either side, with or without %; without anchors.
constexpr const char* decimal_pattern = "[0-9]{1,15}(\\.[0-9]{1,15})?";

bool all_digits(std::string_view text) {
  return !text.empty() && text.size() <= 15 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Reads a decimal number as a document prints it, "6.50": its decimals count.
bool read_decimal(std::string_view text, scenario::Figure& into) {
  const std::size_t dot = std::min(text.find('.'), text.size());
  if (!all_digits(text.substr(0, dot)) || (dot < text.size() && !all_digits(text.substr(dot + 1)))) {
    return false;
  }
  std::from_chars(text.data(), text.data() + text.size(), into.number);
  into.decimals = dot < text.size() ? static_cast<int>(text.size() - dot - 1) : 0;
  return true;
}

bool read_figure_text(std::string_view text, scenario::Figure& into) {
  into.text = text;
  if (text == "-") {
    return true;
  }
  if (text == "yes" || text == "no") {
    into.number = text == "yes" ? 1.0 : 0.0;
    return true;
  }
  if (text.ends_with('%')) {
    text.remove_suffix(1);
  }
  return read_decimal(text, into);
}

bool is_number(const documents::Node& node) {
  return node.kind == Kind::integer || node.kind == Kind::number;
}

bool read_number_figure(const documents::Node& node, scenario::Figure& into, std::string_view what,
                        Diagnostics& problems) {
  double value = 0.0;
  if (!grammar::Number{0.0, largest_figure}.read(node, value, what, problems)) {
    return false;
  }
  if (!read_figure_text(node.text, into)) {
    // A number with an exponent or in another base has no printed precision to keep.
    into = {node.text, value, 0};
  }
  return true;
}

Schema pattern(const std::string& text) {
  return {.type = "string", .pattern = "^" + text + "$"};
}

}  // namespace

void describe(Fields& fields, Always& always) {
  for (std::size_t i = 0; i < scenario::outcome_names.size(); ++i) {
    fields.optional(scenario::outcome_names[i], always.outcomes[i], BoundShape{},
                    "requests of all clients with this outcome");
  }
  fields.optional("from", always.from, grammar::DurationText{}, "from here on only; default: the start");
  fields.optional("to", always.to, grammar::DurationText{}, "up to here only; default: the end");
}

bool FigureShape::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (is_number(node)) {
    return read_number_figure(node, into, what, problems);
  }
  if (node.kind != Kind::string) {
    grammar::wrong_kind(node, what, expected_figure, problems);
    return false;
  }
  if (!read_figure_text(node.text, into)) {
    grammar::wrong_spelling(node, what, expected_figure, problems);
    return false;
  }
  return true;
}

Schema FigureShape::schema(Definitions& definitions) const {
  return {.any_of = {grammar::Number{0.0, largest_figure}.schema(definitions),
                     pattern("(-|yes|no|" + std::string(decimal_pattern) + "%?)")}};
}

bool PercentFigure::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  grammar::ExactPercent percent;
  if (!grammar::PercentText{}.read(node, percent, what, problems)) {
    return false;
  }
  return read_figure_text(node.text, into);
}

Schema PercentFigure::schema(Definitions& definitions) const {
  return grammar::PercentText{}.schema(definitions);
}

bool CellShape::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (node.kind == Kind::object) {
    return grammar::Record<WrittenCell>{}.read(node, into, what, problems);
  }
  into.documented.present = true;
  into.documented.where = into.documented.key = node.span;
  into.documented.given = FigureShape{}.read(node, into.documented.value, what, problems);
  return into.documented.given;
}

Schema CellShape::schema(Definitions& definitions) const {
  Schema schema = FigureShape{}.schema(definitions);
  schema.any_of.push_back(grammar::Record<WrittenCell>{}.schema(definitions));
  return schema;
}

bool BoundShape::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  constexpr const char* expected = "a number of requests, or a bound such as \"<= 5\"";
  if (is_number(node)) {
    std::uint64_t count = 0;
    if (!grammar::Whole{0, 999'999'999'999'999}.read(node, count, what, problems)) {
      return false;
    }
    into = {scenario::Comparison::equals, static_cast<double>(count)};
    return true;
  }
  if (node.kind != Kind::string) {
    grammar::wrong_kind(node, what, expected, problems);
    return false;
  }
  std::string_view text = node.text;
  const std::string_view sign = text.substr(0, 2);
  text.remove_prefix(std::min<std::size_t>(2, text.size()));
  if (text.starts_with(' ')) {
    text.remove_prefix(1);
  }
  if ((sign != "<=" && sign != ">=" && sign != "==") || !all_digits(text)) {
    grammar::wrong_spelling(node, what, expected, problems);
    return false;
  }
  into.comparison = sign == "<="   ? scenario::Comparison::at_most
                    : sign == ">=" ? scenario::Comparison::at_least
                                   : scenario::Comparison::equals;
  std::from_chars(text.data(), text.data() + text.size(), into.count);
  return true;
}

Schema BoundShape::schema(Definitions& definitions) const {
  return {.any_of = {grammar::Whole{0, 999'999'999'999'999}.schema(definitions), pattern("(<=|>=|==) ?[0-9]{1,15}")}};
}

}  // namespace spillway::messages
