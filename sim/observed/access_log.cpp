#include "sim/observed/access_log.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/documents/problem.hpp"
#include "sim/observed/lines.hpp"

namespace spillway::observed {
namespace {
// Splits a line at spaces. A word in quotes or brackets may contain spaces and loses the delimiters.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    if (line.front() == ' ') {
      line.remove_prefix(1);
      continue;
    }
    const char first = line.front();
    const bool marked = first == '"' || first == '[';
    std::size_t end = line.find(first == '"' ? '"' : first == '[' ? ']' : ' ', marked ? 1 : 0);
    end = std::min(end, line.size());
    words.push_back(line.substr(marked ? 1 : 0, end - (marked ? 1 : 0)));
    line.remove_prefix(std::min(line.size(), end + 1));
  }
  return words;
}

std::string or_empty(std::string_view word) {
  return word == "-" ? std::string() : std::string(word);
}

std::optional<LoggedRequest> text_line(std::string_view line) {
  constexpr std::size_t words_of_envoy = 13;
  constexpr std::size_t host_of_envoy = 12;
  constexpr std::size_t words_of_istio = 22;
  constexpr std::size_t host_of_istio = 15;
  constexpr std::size_t cluster_of_istio = 16;
  if (line.empty() || line.front() != '[') {
    return std::nullopt;
  }
  const std::vector<std::string_view> words = words_of(line);
  const bool istio = words.size() >= words_of_istio;
  if (!istio && words.size() != words_of_envoy) {
    return std::nullopt;
  }
  const auto start = read_start_time(words[0]);
  if (!start || !whole_number(words[2])) {  // the response code
    return std::nullopt;
  }
  LoggedRequest request;
  request.start = start;
  request.upstream_host = or_empty(words[istio ? host_of_istio : host_of_envoy]);
  request.upstream_cluster = istio ? or_empty(words[cluster_of_istio]) : std::string();
  return request;
}

std::string log_text(const nlohmann::json& line, const char* key) {
  const auto found = line.find(key);
  if (found == line.end() || !found->is_string()) {
    return "";
  }
  return or_empty(found->get_ref<const std::string&>());
}

std::uint64_t log_number(const nlohmann::json& line, const char* key, std::uint64_t otherwise) {
  const auto found = line.find(key);
  if (found == line.end()) {
    return otherwise;
  }
  if (found->is_number_unsigned()) {
    return found->get<std::uint64_t>();
  }
  return found->is_string() ? whole_number(found->get_ref<const std::string&>()).value_or(otherwise) : otherwise;
}

std::optional<LoggedRequest> json_line(std::string_view text) {
  const nlohmann::json line = nlohmann::json::parse(text, nullptr, false);
  if (!line.is_object() || !line.contains("upstream_host")) {
    return std::nullopt;
  }
  LoggedRequest request;
  request.upstream_host = log_text(line, "upstream_host");
  request.upstream_cluster = log_text(line, "upstream_cluster");
  request.start = read_start_time(log_text(line, "start_time"));
  request.attempts =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(log_number(line, "upstream_request_attempt_count", 1), 1'000));
  return request;
}

}  // namespace

std::optional<std::chrono::nanoseconds> read_start_time(std::string_view text) {
  using namespace std::chrono;
  // 2026-11-23T06:27:19.904Z
  constexpr std::size_t seconds_end = 19;
  if (text.size() < seconds_end + 1 || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' ||
      text[16] != ':' || text.back() != 'Z') {
    return std::nullopt;
  }
  const auto year_number = whole_number(text.substr(0, 4));
  const auto month_number = whole_number(text.substr(5, 2));
  const auto day_number = whole_number(text.substr(8, 2));
  const auto hour = whole_number(text.substr(11, 2));
  const auto minute = whole_number(text.substr(14, 2));
  const auto second = whole_number(text.substr(17, 2));
  // Nanoseconds since 1970 cover the years 1677 to 2262.
  constexpr std::uint64_t first_year = 1678;
  constexpr std::uint64_t last_year = 2261;
  if (!year_number || *year_number < first_year || *year_number > last_year || !month_number || !day_number || !hour ||
      !minute || !second) {
    return std::nullopt;
  }
  const year_month_day date{year(static_cast<int>(*year_number)), month(static_cast<unsigned>(*month_number)),
                            day(static_cast<unsigned>(*day_number))};
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60) {
    return std::nullopt;
  }
  nanoseconds time = sys_days(date).time_since_epoch();
  time += hours(*hour) + minutes(*minute) + seconds(*second);
  const std::string_view rest = text.substr(seconds_end, text.size() - seconds_end - 1);
  if (!rest.empty()) {
    const auto part = whole_number(rest.substr(1));
    if (rest.front() != '.' || !part || rest.size() > 10) {
      return std::nullopt;
    }
    std::uint64_t scaled = *part;
    for (std::size_t digits = rest.size() - 1; digits < 9; ++digits) {
      scaled *= 10;
    }
    time += nanoseconds(scaled);
  }
  return time;
}

std::optional<AccessLog> read_access_log(Sources& sources, std::uint32_t file, Diagnostics& problems) {
  AccessLog log;
  std::size_t other_lines = 0;
  Span first_other{file, 1, 1, 1};
  for_each_line(sources[file].text, [&](const Line& line) {
    if (line.text.empty()) {
      return;
    }
    auto request = looks_like_json(line.text) ? json_line(line.text) : text_line(line.text);
    if (request) {
      log.requests.push_back(std::move(*request));
    } else if (++other_lines == 1) {
      first_other = line.span(file);
    }
  });
  if (log.requests.empty()) {
    problems.error("SP793", first_other, "not an access log that can be read", "of no known format")
        .help("supported are Envoy's and Istio's default formats, and JSON with `upstream_host`");
    return std::nullopt;
  }
  if (other_lines > 0) {
    problems.warning("SP793", first_other, "lines of an access log that cannot be read", "{} of {} lines are ignored",
                     {other_lines, other_lines + log.requests.size()});
  }
  return log;
}

}  // namespace spillway::observed
