#include "sim/observed/lines.hpp"

#include <charconv>
#include <cmath>
#include <system_error>

#include "models/documents/left_out.hpp"

namespace spillway::observed {
namespace {

template <class Number>
std::optional<Number> all_of_it(std::string_view text) noexcept {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) {
    return std::nullopt;
  }
  return number;
}

}  // namespace

std::optional<std::uint64_t> whole_number(std::string_view text) noexcept {
  return all_of_it<std::uint64_t>(text);
}

std::optional<double> any_number(std::string_view text) noexcept {
  const auto number = all_of_it<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

bool looks_like_json(std::string_view text) noexcept {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

std::string_view without_pod(std::string_view line) noexcept {
  const std::size_t end = line.starts_with("[pod/") ? line.find("] ") : std::string_view::npos;
  return end == std::string_view::npos ? line : line.substr(end + 2);
}

bool is_of_a_terminal(std::string_view line) noexcept {
  for (const std::string_view command : {"curl ", "wget ", "kubectl ", "istioctl ", "egctl ", "kumactl "}) {
    if (line.find(command) != std::string_view::npos) {
      return true;
    }
  }
  return documents::is_ellipsis(line) || line == "```" || line.ends_with("/clusters") || line.ends_with("/stats") ||
         line.ends_with("/stats/prometheus");
}

}  // namespace spillway::observed
