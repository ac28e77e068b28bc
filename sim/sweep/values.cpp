#include "sim/sweep/values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "models/documents/number.hpp"
#include "models/documents/parse.hpp"

namespace spillway::sweep {
namespace {

using documents::Kind;
using documents::Node;

struct Quantity {
  double number = 0.0;
  std::string unit;
  bool whole = false;
};

std::optional<Quantity> quantity_of(std::string_view text) {
  Quantity quantity;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), quantity.number);
  if (error != std::errc{} || !std::isfinite(quantity.number)) {
    return std::nullopt;
  }
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.data()));
  quantity.whole = digits.find_first_of(".eE") == std::string_view::npos;
  quantity.unit = text.substr(digits.size());
  return quantity;
}

// Returns the shortest digits of the number, never with an exponent, because units follow it.
std::string plain_number(double number) {
  std::string text = fmt::format("{:.9f}", number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') {
    text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

// Splits at commas outside brackets and quotes.
std::vector<Value> separated(std::string_view text) {
  std::vector<Value> parts;
  std::size_t begin = 0;
  int depth = 0;
  char quote = '\0';
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char character = at < text.size() ? text[at] : ',';
    if (quote != '\0' && at < text.size()) {
      quote = character == quote ? '\0' : quote;
    } else if (character == '"' || character == '\'') {
      quote = character;
    } else if (character == '{' || character == '[') {
      ++depth;
    } else if (character == '}' || character == ']') {
      --depth;
    } else if (character == ',' && (depth <= 0 || at == text.size())) {
      parts.push_back({std::string(text.substr(begin, at - begin)), begin, std::max<std::size_t>(at - begin, 1)});
      begin = at + 1;
    }
  }
  return parts;
}

class RangeReader {
 public:
  explicit RangeReader(const Value& part) : part_(part) {}

  // Returns monostate if the text is no range.
  std::variant<std::monostate, Values, ValueProblem> read() {
    const std::size_t dots = part_.text.find("..");
    if (dots == std::string::npos || dots == 0) {
      return {};
    }
    const auto low = quantity_of(std::string_view(part_.text).substr(0, dots));
    if (!low) {
      return {};
    }
    std::string_view rest = std::string_view(part_.text).substr(dots + 2);
    const std::size_t end = std::min(rest.find_first_of("/+", rest.starts_with('+') ? 1 : 0), rest.size());
    const auto high = quantity_of(rest.substr(0, end));
    if (!high) {
      return problem("the range has no end", "for example 100..2000/20");
    }
    if (!low->unit.empty() && !high->unit.empty() && low->unit != high->unit) {
      return problem("the ends of the range have different units", "write both in the same one");
    }
    if (low->number > high->number) {
      return problem("the range ends before it begins", "the smaller number comes first");
    }
    range_ = {low->number, high->number, high->unit.empty() ? low->unit : high->unit, low->whole && high->whole, false,
              part_.begin, part_.length};
    return steps(rest.substr(end));
  }

 private:
  [[nodiscard]] ValueProblem problem(std::string message, std::string help) const {
    return {std::move(message), std::move(help), part_.begin, part_.length};
  }

  std::variant<std::monostate, Values, ValueProblem> steps(std::string_view how) {
    double step = 1.0;
    std::size_t count = 0;
    if (how.starts_with('/')) {
      how.remove_prefix(1);
      if (how.ends_with("log")) {
        how.remove_suffix(3);
        range_.logarithmic = true;
      }
      const auto [end, error] = std::from_chars(how.data(), how.data() + how.size(), count);
      if (error != std::errc{} || end != how.data() + how.size() || count < 2) {
        return problem("a range is divided into a whole number of values, at least 2", "for example 100..2000/20");
      }
    } else if (how.starts_with('+')) {
      const auto quantity = quantity_of(how.substr(1));
      if (!quantity || quantity->number <= 0.0) {
        return problem("the step of the range is not a number above 0", "for example 50..90+10");
      }
      step = quantity->number;
      range_.whole = range_.whole && quantity->whole;
    }
    if (range_.logarithmic && range_.low <= 0.0) {
      return problem("even factors need a range above 0", "begin above 0, or leave `log` out");
    }
    const double steps_of_one = std::floor((range_.high - range_.low) / step + 1e-9);
    if (count > most_values || (count == 0 && steps_of_one >= static_cast<double>(most_values))) {
      return problem(fmt::format("the range has more than {} values", most_values), "divide it into fewer: /100");
    }
    return listed(count, step, static_cast<std::size_t>(steps_of_one));
  }

  Values listed(std::size_t count, double step, std::size_t steps_of_one) {
    Values values;
    const auto add = [&](std::string text) {
      if (values.listed.empty() || values.listed.back().text != text) {
        values.listed.push_back({std::move(text), part_.begin, part_.length});
      }
    };
    if (count > 0) {
      Range between = range_;
      const double distance = (range_.high - range_.low) / static_cast<double>(count - 1);
      // Even distances have priority: with whole ends but a fractional distance, values are not rounded.
      between.whole = range_.whole && (range_.logarithmic || distance == std::floor(distance));
      for (std::size_t i = 0; i < count; ++i) {
        add(between.at(static_cast<double>(i) / static_cast<double>(count - 1)));
      }
    } else {
      for (std::size_t i = 0; i <= steps_of_one; ++i) {
        add(plain_number(range_.low + step * static_cast<double>(i)) + range_.unit);
      }
    }
    values.range = range_;
    return values;
  }

  const Value& part_;
  Range range_;
};

void move_spans(Node& node, Span where) {
  node.span = where;
  for (auto& member : node.members) {
    member.key_span = where;
    move_spans(member.value, where);
  }
  for (Node& item : node.items) {
    move_spans(item, where);
  }
}

}  // namespace

std::string Range::at(double part) const {
  double value = logarithmic ? low * std::pow(high / low, part) : low + (high - low) * part;
  if (whole) {
    value = std::round(value);
  }
  return plain_number(std::clamp(value, low, high)) + unit;
}

std::variant<Values, ValueProblem> parse_values(std::string_view text) {
  Values values;
  const std::vector<Value> parts = separated(text);
  for (const Value& part : parts) {
    if (part.text.empty()) {
      return ValueProblem{"a value is missing", "separate values by commas: 10,50,100", part.begin, part.length};
    }
    auto range = RangeReader(part).read();
    if (auto* wrong = std::get_if<ValueProblem>(&range)) {
      return std::move(*wrong);
    }
    if (auto* of_range = std::get_if<Values>(&range)) {
      values.listed.insert(values.listed.end(), of_range->listed.begin(), of_range->listed.end());
      values.range = parts.size() == 1 ? of_range->range : std::nullopt;
    } else {
      values.listed.push_back(part);
    }
    if (values.listed.size() > most_values) {
      return ValueProblem{fmt::format("more than {} values of one key", most_values), "sweep over fewer", part.begin,
                          part.length};
    }
  }
  return values;
}

Node node_of(const std::string& text, Span where) {
  Node node;
  node.span = where;
  const bool structured = text.starts_with('{') || text.starts_with('[') || text.starts_with('"');
  if (structured) {
    Sources sources{{"value.yaml", text}};
    Diagnostics problems;
    if (auto parsed = documents::parse(sources, 0, problems)) {
      move_spans(*parsed, where);
      return std::move(*parsed);
    }
  }
  if (text == "true" || text == "false") {
    node.kind = Kind::boolean;
    node.boolean = text == "true";
  } else if (text == "null") {
    node.kind = Kind::null;
  } else if (documents::read_number(text, node) != documents::NumberVerdict::fine) {
    node.kind = Kind::string;
  }
  node.text = text;
  return node;
}

std::optional<double> number_of(const std::string& text) {
  const auto quantity = quantity_of(text);
  return quantity ? std::optional(quantity->number) : std::nullopt;
}

}  // namespace spillway::sweep
