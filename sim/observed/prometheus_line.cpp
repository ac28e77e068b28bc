#include "sim/observed/prometheus_line.hpp"

#include <utility>

#include "sim/observed/lines.hpp"

namespace spillway::observed {
namespace {

// Returns the text up to the closing quote, with escapes resolved, and removes it from `rest`.
std::optional<std::string> quoted_value(std::string_view& rest) {
  std::string value;
  for (std::size_t at = 0; at < rest.size(); ++at) {
    if (rest[at] == '"') {
      rest.remove_prefix(at + 1);
      return value;
    }
    if (rest[at] == '\\' && at + 1 < rest.size()) {
      ++at;
      value += rest[at] == 'n' ? '\n' : rest[at];
    } else {
      value += rest[at];
    }
  }
  return std::nullopt;
}

std::optional<Labels> take_labels(std::string_view& rest) {
  Labels labels;
  while (!rest.empty() && rest.front() != '}') {
    const std::size_t equals = rest.find("=\"");
    if (equals == std::string_view::npos) {
      return std::nullopt;
    }
    std::string name(rest.substr(0, equals));
    rest.remove_prefix(equals + 2);
    auto value = quoted_value(rest);
    if (!value) {
      return std::nullopt;
    }
    labels.emplace(std::move(name), std::move(*value));
    while (!rest.empty() && (rest.front() == ',' || rest.front() == ' ')) {
      rest.remove_prefix(1);
    }
  }
  if (rest.empty()) {
    return std::nullopt;
  }
  rest.remove_prefix(1);
  return labels;
}

}  // namespace

std::optional<Sample> parse_sample(std::string_view line) {
  const std::size_t end = line.find_first_of("{ \t");
  if (end == std::string_view::npos || end == 0 || line.front() == '#') {
    return std::nullopt;
  }
  Sample sample{line.substr(0, end)};
  std::string_view rest = line.substr(end);
  if (rest.front() == '{') {
    rest.remove_prefix(1);
    auto labels = take_labels(rest);
    if (!labels) {
      return std::nullopt;
    }
    sample.labels = std::move(*labels);
  }
  const std::size_t begin = rest.find_first_not_of(" \t");
  if (begin == std::string_view::npos) {
    return std::nullopt;
  }
  rest.remove_prefix(begin);
  const auto value = any_number(rest.substr(0, rest.find_first_of(" \t")));  // a timestamp may follow
  if (!value) {
    return std::nullopt;
  }
  sample.value = *value;
  return sample;
}

}  // namespace spillway::observed
