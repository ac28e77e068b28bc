#include "sim/scenario/binding/trace.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "models/config/trimmed.hpp"
#include "models/documents/problem.hpp"
#include "models/numeric/stable_sort.hpp"
#include "sim/scenario/nanoseconds.hpp"
#include "sim/scenario/workload.hpp"

namespace spillway::scenario::binding {
namespace {

constexpr std::size_t most_reported = 20;
constexpr std::size_t most_arrivals = 10'000'000;

std::optional<std::int64_t> digits_of(std::string_view digits, std::size_t most_digits) {
  std::int64_t value = 0;
  if (digits.empty() || digits.size() > most_digits || digits.front() < '0' || digits.front() > '9') {
    return std::nullopt;
  }
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return problem == std::errc() && end == digits.data() + digits.size() ? std::optional(value) : std::nullopt;
}

// Parses "12", "12.5" or "0.000000001", below 10^9 seconds.
std::optional<Nanoseconds> seconds_of(std::string_view text) {
  constexpr std::size_t decimals = 9;
  const std::size_t point = text.find('.');
  const auto seconds = digits_of(text.substr(0, point), decimals);
  if (!seconds || point == std::string_view::npos) {
    return seconds ? std::optional<Nanoseconds>(std::chrono::seconds{*seconds}) : std::nullopt;
  }
  const std::string_view fraction = text.substr(point + 1);
  auto rest = digits_of(fraction, decimals);
  for (std::size_t digit = fraction.size(); rest && digit < decimals; ++digit) {
    *rest *= 10;
  }
  return rest ? std::optional<Nanoseconds>(std::chrono::seconds{*seconds} + Nanoseconds{*rest}) : std::nullopt;
}

struct Line {
  std::optional<TracedArrival> arrival;
  const char* problem = nullptr;  // the reason if there is none
};

Line read_line(std::string_view line, bool first, std::uint32_t next_client, std::uint32_t clients) {
  const std::size_t comma = line.find(',');
  const auto at = seconds_of(config::trimmed_line(line.substr(0, comma)));
  if (!at) {
    return {std::nullopt, first ? "expected a time in seconds, such as 12.5, or `time` or `time,client`"
                                : "expected a time in seconds, such as 12.5, and no more than 9 decimals"};
  }
  if (comma == std::string_view::npos) {
    return {TracedArrival{*at, next_client}, nullptr};
  }
  const auto client = digits_of(config::trimmed_line(line.substr(comma + 1)), 9);
  if (!client || *client < 1 || *client > std::int64_t{clients}) {
    return {std::nullopt, "expected the number of a client, from 1 to the `count` of clients"};
  }
  return {TracedArrival{*at, static_cast<std::uint32_t>(*client - 1)}, nullptr};
}

bool is_header(std::string_view line) {
  const std::size_t comma = line.find(',');
  return config::trimmed_line(line.substr(0, comma)) == "time" &&
         (comma == std::string_view::npos || config::trimmed_line(line.substr(comma + 1)) == "client");
}

}  // namespace

std::vector<TracedArrival> read_trace(const std::string& text, std::uint32_t file, std::uint32_t clients,
                                      Diagnostics& problems) {
  std::vector<TracedArrival> arrivals;
  std::uint32_t next_client = 0;
  std::size_t bad = 0;
  bool may_be_header = true;
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::string_view rest = text;
  rest.remove_prefix(rest.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
  for (std::uint32_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = config::trimmed_line(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (line.empty() || line.front() == '#') {
      continue;
    }
    const bool first = std::exchange(may_be_header, false);
    if (first && is_header(line)) {
      continue;
    }
    if (arrivals.size() == most_arrivals) {
      problems.error("SP138", Span{file, number, 1, 1}, "more requests than can be simulated",
                     "the arrival after 10,000,000");
      break;
    }
    const Line read = read_line(line, first, next_client, clients);
    if (read.arrival) {
      arrivals.push_back(*read.arrival);
      next_client = (next_client + 1) % clients;
    } else if (++bad <= most_reported) {
      problems.error("SP144", Span{file, number, 1, 1}, "not an arrival", "{}", {read.problem});
    }
  }
  const auto sooner = [](const TracedArrival& left, const TracedArrival& right) { return left.at < right.at; };
  if (!std::is_sorted(arrivals.begin(), arrivals.end(), sooner)) {
    numeric::stable_sort(arrivals, sooner);
  }
  return arrivals;
}

}  // namespace spillway::scenario::binding
