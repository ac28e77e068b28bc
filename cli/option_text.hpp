// Parses the text of one option; nullopt if it is invalid. The caller reports the problem.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spillway::cli {

// Splits "a,b,,c" at commas, empty parts included.
[[nodiscard]] std::vector<std::string> separated(const std::string& list);

// Parses a number without any other text.
template <class Number>
[[nodiscard]] std::optional<Number> number_of(const std::string& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

// Parses a size in bytes: "500MB", "2 GB", "1.5GiB".
[[nodiscard]] std::optional<std::uint64_t> bytes_of(const std::string& text);

// Parses a percentage: "0.5%" is 0.005. It must be above 0 % and at most 100 %.
[[nodiscard]] std::optional<double> part_of(const std::string& text);

// Parses a factor: "1.5x" or "1.5". It must be above 0 and at most a million.
[[nodiscard]] std::optional<double> factor_of(const std::string& text);

// Parses a rate [requests/s]: "4000rps" or, as in a scenario, "4000". It must be above 0 and at most 10^9.
[[nodiscard]] std::optional<double> rate_of(const std::string& text);

// Parses "envoy=release-1.40", the format of a scenario's `profile`, as 40. Only releases with known changes are
// accepted.
[[nodiscard]] std::optional<std::uint32_t> release_of(const std::string& text);

// Returns the other profile of the same control plane: "istio=release-1.30" for "istio=release-1.31"; nullopt for any
// other text.
[[nodiscard]] std::optional<std::string> other_mesh_profile(const std::string& text);

}  // namespace spillway::cli
