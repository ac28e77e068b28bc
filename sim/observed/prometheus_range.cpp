#include "sim/observed/prometheus_range.hpp"

#include <utility>

#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "sim/observed/json_values.hpp"
#include "sim/observed/lines.hpp"

namespace spillway::observed {

namespace {

using documents::Kind;

std::optional<double> time_of(const Node& node) {
  if (node.kind == Kind::integer) {
    return static_cast<double>(node.magnitude);
  }
  return node.kind == Kind::number ? std::optional(node.number) : std::nullopt;
}

std::optional<RangeSeries> series_of(const Node& written, Diagnostics& problems) {
  RangeSeries series;
  if (const Node* const metric = member(written, "metric")) {
    for (const auto& label : metric->members) {
      series.labels.emplace(label.key, text_of(&label.value));
    }
  }
  const Node* const values = member(written, "values");
  for (const Node& pair : values == nullptr ? std::vector<Node>{} : values->items) {
    const auto at = pair.items.size() == 2 ? time_of(pair.items[0]) : std::nullopt;
    const auto value = pair.items.size() == 2 ? any_number(text_of(&pair.items[1])) : std::nullopt;
    if (!at || !value) {
      problems.error("SP791", pair.span, "not a point of a range query", "expected [time, \"value\"]");
      return std::nullopt;
    }
    series.points.push_back({*at, *value});
  }
  return series;
}

// True for `# TYPE envoy_cluster_upstream_rq_total counter`, or a line with a name, labels and a number.
bool is_exposition(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) {
    return false;
  }
  text.remove_prefix(first);
  return text.starts_with("# TYPE ") || text.starts_with("# HELP ") || text.starts_with("envoy_");
}

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

std::optional<RangeAnswer> read_range_answer(Sources& sources, std::uint32_t file, Diagnostics& problems) {
  if (is_exposition(sources[file].text)) {
    problems
        .error("SP790", {file, 1, 1, 1}, "not the answer to a range query",
               "a scrape of an endpoint has counts of one moment")
        .help("give two of them as `--stats BEFORE --stats AFTER`, to `import` with `--apart TIME`");
    return std::nullopt;
  }
  const auto root = documents::parse(sources, file, problems);
  if (!root) {
    return std::nullopt;
  }
  const Node* const data = member(*root, "data");
  const std::string status = text_of(member(*root, "status"));
  if (status == "error") {
    problems.error("SP790", root->span, "an error of Prometheus, not an answer", "it says `{}`",
                   {text_of(member(*root, "error"))});
    return std::nullopt;
  }
  const std::string type = data == nullptr ? "" : text_of(member(*data, "resultType"));
  const Node* const result = data == nullptr ? nullptr : member(*data, "result");
  if (type != "matrix" || result == nullptr) {
    problems
        .error("SP790", root->span, "not the answer to a range query", "{}",
               {type.empty() ? "has no `data.resultType`" : "its result is a " + type + ", not a matrix"})
        .help("expected the answer of Prometheus to /api/v1/query_range");
    return std::nullopt;
  }
  RangeAnswer answer;
  for (const Node& written : result->items) {
    auto series = series_of(written, problems);
    if (!series) {
      return std::nullopt;
    }
    answer.series.push_back(std::move(*series));
  }
  return answer;
}

double increase_of(const RangeSeries& series) noexcept {
  double increase = 0.0;
  for (std::size_t point = 1; point < series.points.size(); ++point) {
    const double before = series.points[point - 1].value;
    const double after = series.points[point].value;
    increase += after >= before ? after - before : after;
  }
  return increase;
}

std::size_t resets_of(const RangeSeries& series) noexcept {
  std::size_t resets = 0;
  for (std::size_t point = 1; point < series.points.size(); ++point) {
    resets += series.points[point].value < series.points[point - 1].value ? 1 : 0;
  }
  return resets;
}

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
