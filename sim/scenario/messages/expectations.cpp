#include "sim/scenario/messages/expectations.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "models/documents/grammar/spelled.hpp"
#include "sim/scenario/outcome.hpp"

namespace spillway::messages {
namespace {

using documents::Kind;
using grammar::Definitions;
using grammar::Schema;

constexpr double largest_figure = 1e15;
constexpr std::uint64_t most_counted = 999'999'999'999'999;
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

std::optional<scenario::Figure> read_figure_text(std::string_view text) {
  scenario::Figure figure;
  figure.text = text;
  if (text == "-" || text == "yes" || text == "no") {
    figure.number = text == "yes" ? 1.0 : 0.0;
    return figure;
  }
  text.remove_suffix(text.ends_with('%') ? 1 : 0);
  return read_decimal(text, figure) ? std::optional(std::move(figure)) : std::nullopt;
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
  // A number with an exponent or in another base has no printed precision to keep.
  into = read_figure_text(node.text).value_or(scenario::Figure{node.text, value, 0});
  return true;
}

std::optional<BoundShape::Value> read_bound(std::string_view text) {
  const std::string_view sign = text.substr(0, 2);
  text.remove_prefix(sign.size());
  text.remove_prefix(text.starts_with(' ') ? 1 : 0);
  if ((sign != "<=" && sign != ">=" && sign != "==") || !all_digits(text)) {
    return std::nullopt;
  }
  BoundShape::Value bound{.comparison = sign == "<="   ? scenario::Comparison::at_most
                                        : sign == ">=" ? scenario::Comparison::at_least
                                                       : scenario::Comparison::equals};
  std::from_chars(text.data(), text.data() + text.size(), bound.count);
  return bound;
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
  return grammar::read_spelled(node, into, what, "a figure such as 99%, 70, yes, no or -", read_figure_text, problems);
}

Schema FigureShape::schema(Definitions& definitions) const {
  return {.any_of = {grammar::Number{0.0, largest_figure}.schema(definitions),
                     grammar::pattern_schema("(-|yes|no|" + std::string(decimal_pattern) + "%?)")}};
}

bool PercentFigure::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  grammar::ExactPercent percent;
  return grammar::PercentText{}.read(node, percent, what, problems) &&
         grammar::read_spelled(node, into, what, "a percentage such as 70%", read_figure_text, problems);
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
  if (is_number(node)) {
    std::uint64_t count = 0;
    if (!grammar::Whole{0, most_counted}.read(node, count, what, problems)) {
      return false;
    }
    into = {scenario::Comparison::equals, static_cast<double>(count)};
    return true;
  }
  return grammar::read_spelled(node, into, what, "a number of requests, or a bound such as \"<= 5\"", read_bound,
                               problems);
}

Schema BoundShape::schema(Definitions& definitions) const {
  return {.any_of = {grammar::Whole{0, most_counted}.schema(definitions),
                     grammar::pattern_schema("(<=|>=|==) ?[0-9]{1,15}")}};
}

}  // namespace spillway::messages
