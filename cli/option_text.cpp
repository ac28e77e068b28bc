#include "cli/option_text.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "models/documents/grammar/scalars.hpp"
#include "sim/diff/upgrade.hpp"

namespace spillway::cli {
namespace {

std::optional<double> above_zero(std::optional<double> number, double most) {
  return number && *number > 0.0 && *number <= most ? number : std::nullopt;
}

}  // namespace

std::vector<std::string> separated(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    parts.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::optional<std::uint64_t> bytes_of(const std::string& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::size_t unit = std::min(text.find_first_not_of(' ', end), text.size());
  constexpr std::pair<const char*, double> units[] = {
      {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}, {"TiB", 1099511627776.0}};
  const auto number = number_of<double>(text.substr(0, end));
  for (const auto& [name, factor] : units) {
    if (number && text.substr(unit) == name && *number >= 0.0 && *number < 1e6) {
      return static_cast<std::uint64_t>(*number * factor);
    }
  }
  return std::nullopt;
}

std::optional<double> part_of(const std::string& text) {
  const auto percent = text.ends_with('%') ? number_of<double>(text.substr(0, text.size() - 1)) : std::nullopt;
  const auto known = above_zero(percent, 100.0);
  return known ? std::optional(*known / 100.0) : std::nullopt;
}

std::optional<double> factor_of(const std::string& text) {
  return above_zero(number_of<double>(text.ends_with('x') ? text.substr(0, text.size() - 1) : text), 1e6);
}

std::optional<double> rate_of(const std::string& text) {
  const auto rate = grammar::read_rate(text);
  return above_zero(rate ? rate : number_of<double>(text), 1e9);
}

std::optional<std::uint32_t> release_of(const std::string& text) {
  constexpr std::string_view envoy = "envoy=";
  const auto found =
      text.starts_with(envoy) ? diff::release_of(std::string_view(text).substr(envoy.size())) : std::nullopt;
  return found && *found >= diff::oldest_release && *found <= diff::newest_release ? found : std::nullopt;
}

std::optional<std::string> other_mesh_profile(const std::string& text) {
  for (const auto& [one, other] :
       {std::pair("istio=release-1.31", "istio=release-1.30"), std::pair("kuma=head", "kuma=release-2.14")}) {
    if (text == one || text == other) {
      return text == one ? other : one;
    }
  }
  return std::nullopt;
}

}  // namespace spillway::cli
