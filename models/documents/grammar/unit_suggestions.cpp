#include "models/documents/grammar/unit_suggestions.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <utility>

#include "models/documents/grammar/scalars.hpp"
#include "models/documents/grammar/suggestion_table.hpp"

namespace spillway::grammar {
namespace {

constexpr std::size_t longest_suggestion = 40;

// Removes spaces and lower-cases: units are mostly mistyped in these.
std::string squeezed(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '_') {
      continue;
    }
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return plain;
}

struct Measure {
  double amount = 0.0;
  std::string digits;  // as they were written
  std::string unit;
};

// Splits "10sec" into 10 and "sec". A comma in a number groups digits, as in 1,000.
std::optional<Measure> measure_of(std::string_view text) {
  if (text.size() > longest_suggestion) {
    return std::nullopt;
  }
  Measure measure;
  std::size_t at = 0;
  for (; at < text.size() && ((text[at] >= '0' && text[at] <= '9') || text[at] == '.' || text[at] == ','); ++at) {
    if (text[at] != ',') {
      measure.digits += text[at];
    }
  }
  if (measure.digits.starts_with('.')) {
    measure.digits.insert(measure.digits.begin(), '0');
  }
  const char* const end = measure.digits.data() + measure.digits.size();
  const auto [stopped, error] = std::from_chars(measure.digits.data(), end, measure.amount);
  if (error != std::errc{} || stopped != end) {
    return std::nullopt;
  }
  measure.unit = text.substr(at);
  return measure;
}

// Formats a number without trailing zeros.
std::string shortest(double amount) {
  std::array<char, 32> room{};
  const auto [end, error] = std::to_chars(room.data(), room.data() + room.size(), amount, std::chars_format::fixed, 6);
  std::string text = error == std::errc{} ? std::string(room.data(), end) : std::string();
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) {
      text.pop_back();
    }
  }
  return text;
}

// Returns the sum of `1h30m` or `1m30s500ms` in the smallest unit written.
std::string sum_of_times(std::string_view text) {
  std::chrono::nanoseconds sum{0};
  std::string unit;
  while (!text.empty()) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    const std::size_t end = std::min(text.find_first_of("0123456789.", digits), text.size());
    unit = meant_unit(MistakeKind::time_unit, text.substr(digits, end - digits));
    const auto part = digits == end ? std::nullopt : read_duration(std::string(text.substr(0, digits)) + unit);
    if (!part || *part > std::chrono::hours{100'000}) {
      return {};
    }
    sum += *part;
    text.remove_prefix(end);
  }
  const auto one = read_duration("1" + unit);
  return one && sum.count() > 0 ? shortest(static_cast<double>(sum.count()) / static_cast<double>(one->count())) + unit
                                : std::string();
}

// Converts `00:10` or `1:02:03`, minutes or hours first.
std::string time_of_clock(std::string_view text) {
  double seconds = 0.0;
  std::size_t parts = 0;
  for (std::size_t begin = 0; begin <= text.size(); ++parts) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    const auto part = measure_of(text.substr(begin, end - begin));
    if (!part || !part->unit.empty() || part->amount >= 100.0) {
      return {};
    }
    seconds = seconds * 60.0 + part->amount;
    begin = end + 1;
  }
  return parts == 2 || parts == 3 ? shortest(seconds) + "s" : std::string();
}

std::string if_read(bool read, std::string spelling) {
  return read ? std::move(spelling) : std::string();
}

}  // namespace

std::string meant_duration(std::string_view text) {
  const std::string plain = squeezed(text);
  if (const std::string clock = time_of_clock(plain); !clock.empty()) {
    return clock;
  }
  const auto measure = measure_of(plain);
  if (!measure) {
    return {};
  }
  const std::string_view unit = meant_unit(MistakeKind::time_unit, measure->unit);
  if (unit.empty()) {
    return sum_of_times(plain);
  }
  std::string spelling = measure->digits + std::string(unit);
  const bool read = read_duration(spelling).has_value();
  return if_read(read, std::move(spelling));
}

std::string meant_rate(std::string_view text) {
  const auto measure = measure_of(squeezed(text));
  if (!measure) {
    return {};
  }
  std::string unit = measure->unit;
  double factor = 1.0;
  if (unit.starts_with('k') || (unit.starts_with('m') && !unit.starts_with("min"))) {
    factor = unit.front() == 'k' ? 1e3 : 1e6;
    unit.erase(0, 1);
  }
  const std::string_view meant = meant_unit(MistakeKind::rate_unit, unit);
  if (meant.empty()) {
    return {};
  }
  factor /= meant == "rpm" ? 60.0 : 1.0;
  std::string spelling = (factor == 1.0 ? measure->digits : shortest(measure->amount * factor)) + "rps";
  const bool read = read_rate(spelling).has_value();
  return if_read(read, std::move(spelling));
}

std::string meant_percent(std::string_view text) {
  const auto measure = measure_of(squeezed(text));
  if (!measure || meant_unit(MistakeKind::percent_unit, measure->unit).empty()) {
    return {};
  }
  const bool share = measure->unit.empty() && measure->amount > 0.0 && measure->amount < 1.0;
  std::string spelling = (share ? shortest(100.0 * measure->amount) : measure->digits) + "%";
  const bool read = read_percent(spelling).has_value();
  return if_read(read, std::move(spelling));
}

std::string meant_bytes(std::string_view text) {
  const auto measure = measure_of(squeezed(text));
  if (!measure || measure->unit.empty()) {
    return {};
  }
  const std::string_view unit = meant_unit(MistakeKind::memory_unit, measure->unit);
  return unit.empty() ? std::string() : measure->digits + std::string(unit);
}

}  // namespace spillway::grammar
