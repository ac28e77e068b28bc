#include "models/envoy/api/format_string.hpp"

#include <algorithm>
#include <array>
#include <re2/re2.h>

namespace spillway::api {
namespace {

// Commands that must have parameters, and those that may have none.
constexpr std::array needs_parameters = std::to_array<std::string_view>(
    {"REQ", "RESP", "TRAILER", "DYNAMIC_METADATA", "CLUSTER_METADATA", "UPSTREAM_METADATA", "FILTER_STATE",
     "UPSTREAM_FILTER_STATE", "QUERY_PARAM", "ENVIRONMENT", "COMMON_DURATION", "METADATA", "TYPED_METADATA"});
constexpr std::array without_parameters = std::to_array<std::string_view>({
@WITHOUT@
});

std::string fault_of_command(const std::string& command, const std::string& parameters, bool has_more) {
  const auto in = [&](const auto& words) { return std::find(words.begin(), words.end(), command) != words.end(); };
  if (in(needs_parameters)) {
    if (parameters.empty()) {
      return command + " requires parameters";
    }
    const bool is_header = command == "REQ" || command == "RESP" || command == "TRAILER";
    return is_header && std::count(parameters.begin(), parameters.end(), '?') > 1
               ? "More than 1 alternative header specified in token: " + parameters
               : "";
  }
  if (in(without_parameters)) {
    return has_more ? command + " does not take any parameters or length" : "";
  }
  constexpr std::array others = std::to_array<std::string_view>({
@OTHERS@
  });
  return in(others) ? "" : "Not supported field in StreamInfo: " + command;
}

}  // namespace

std::string fault_of_format(std::string_view format) {
  static const re2::RE2 pattern(R"(%((?:[A-Z]|[0-9]|_)+)(?:\((.*?)\))?(:[0-9]+)?%)", re2::RE2::Quiet);
  std::size_t at = 0;
  while ((at = format.find('%', at)) != std::string_view::npos) {
    if (format.substr(at).starts_with("%%")) {
      at += 2;
      continue;
    }
    re2::StringPiece rest(format.data() + at, format.size() - at);
    const char* const begin = rest.data();
    std::string command;
    std::string parameters;
    std::string length;
    if (!re2::RE2::Consume(&rest, pattern, &command, &parameters, &length)) {
      return "Incorrect configuration: " + std::string(format) + ". Couldn't find valid command at position " +
             std::to_string(at);
    }
    const auto taken = static_cast<std::size_t>(rest.data() - begin);
    if (std::string fault = fault_of_command(command, parameters, taken > command.size() + 2); !fault.empty()) {
      return fault;
    }
    at += taken;
  }
  return {};
}

}  // namespace spillway::api
