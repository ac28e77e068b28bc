// The text of one option as a value; nothing where the text is none. Refusals are the caller's.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spillway::cli {

// "a,b,,c": every part, empty ones too.
[[nodiscard]] std::vector<std::string> separated(const std::string& list);

// A number and nothing else.
template <class Number>
[[nodiscard]] std::optional<Number> number_of(const std::string& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

// "500MB", "2 GB", "1.5GiB".
[[nodiscard]] std::optional<std::uint64_t> bytes_of(const std::string& text);

// "0.5%" is 0.005; above 0 %, at most 100 %.
[[nodiscard]] std::optional<double> part_of(const std::string& text);

// "1.5x" or "1.5"; above 0, at most a million.
[[nodiscard]] std::optional<double> factor_of(const std::string& text);

// "4000rps" or, as in a scenario, "4000": requests a second, above 0, at most 10^9.
[[nodiscard]] std::optional<double> rate_of(const std::string& text);

// "envoy=release-1.40", as a scenario's `profile` has it: 40. Releases whose changes are known.
[[nodiscard]] std::optional<std::uint32_t> release_of(const std::string& text);

}  // namespace spillway::cli
