#include "models/envoy/routes/header_to_metadata.hpp"

#include <charconv>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

#include "models/config/protobuf_value.hpp"
#include "models/config/trimmed.hpp"
#include "models/envoy/stateful_session/stateful_session.hpp"

namespace spillway::envoy::routes {

namespace {

using Pair = HeaderToMetadata::KeyValuePair;
using Rule = HeaderToMetadata::Rule;

std::optional<std::string> brought_value(const Rule& rule, const Request& request) {
  if (!rule.cookie.empty()) {
    auto value = cookie_value(request, rule.cookie);
    return value && value->empty() ? std::nullopt : std::move(value);
  }
  const std::vector<std::string> values = all_values(request, rule.header);
  std::optional<std::string> joined;
  for (const std::string& value : values) {
    joined = joined ? *joined + "," + value : value;
  }
  return joined;
}

// Parses a decimal or hexadecimal number with an optional sign, surrounded by optional white space.
std::optional<double> number_of(std::string_view text) {
  text = config::trimmed(text, config::white_space);
  if (text.empty()) {
    return std::nullopt;
  }
  const bool negative = text.front() == '-';
  if (text.front() == '+' || negative) {
    text.remove_prefix(1);
  }
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  text.remove_prefix(hexadecimal ? 2 : 0);
  double number = 0.0;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  if (text.starts_with('-')) {
    return std::nullopt;
  }
  const auto parsed =
      std::from_chars(begin, end, number, hexadecimal ? std::chars_format::hex : std::chars_format::general);
  if (parsed.ec == std::errc::invalid_argument || parsed.ptr != end) {
    return std::nullopt;
  }
  if (parsed.ec == std::errc::result_out_of_range && text.find("e-") == std::string_view::npos) {
    number = std::numeric_limits<double>::infinity();
  }
  return negative ? -number : number;
}

// Decodes base64 with or without padding, as Envoy does.
std::optional<std::string> decoded(std::string text) {
  while (text.ends_with('=')) {
    text.pop_back();
  }
  text.append((4 - text.size() % 4) % 4, '=');
  auto bytes = stateful_session::decode_base64(text);
  return bytes && bytes->empty() ? std::nullopt : std::move(bytes);
}

std::optional<config::Value> typed(const Pair& pair, std::string text) {
  constexpr std::size_t too_long = std::size_t{8} * 1024;
  if (text.empty() || text.size() >= too_long) {
    return std::nullopt;
  }
  if (pair.base64) {
    auto bytes = decoded(std::move(text));
    if (!bytes) {
      return std::nullopt;
    }
    text = *std::move(bytes);
  }
  switch (pair.type) {
    case Pair::Type::number: {
      const auto number = number_of(text);
      return number ? std::optional(config::Value(*number)) : std::nullopt;
    }
    case Pair::Type::protobuf_value:
      return config::parse_protobuf_value(text);
    case Pair::Type::string:
      break;
  }
  return config::Value(std::move(text));
}

// Adds the value to the request's metadata. Other namespaces are ignored, because subsets do not use them.
void add(const Pair& pair, std::string text, Request& request) {
  if (pair.metadata_namespace != "envoy.lb") {
    return;
  }
  if (auto value = typed(pair, std::move(text))) {
    request.dynamic_metadata.set(pair.key, *std::move(value));
  }
}

config::Refusal refusal_of(const Rule& rule) {
  using config::Reason;
  if (!rule.header.empty() && !rule.cookie.empty()) {
    return Reason{"Cannot specify both header and cookie in the same rule", {"header"}};
  }
  if (rule.header.empty() && rule.cookie.empty()) {
    return Reason{"One of Cookie or Header option needs to be specified"};
  }
  if (rule.on_present && !rule.on_present->value.empty() && rule.on_present->regex_value_rewrite) {
    return Reason{"Cannot specify both value and regex_value_rewrite", {"on_header_present.value"}};
  }
  if (!rule.cookie.empty() && rule.remove) {
    return Reason{"Cannot specify remove for cookie", {"remove"}};
  }
  if (!rule.on_present && !rule.on_missing) {
    return Reason{"header to metadata filter: rule for " +
                      (rule.cookie.empty() ? "header '" + rule.header : "cookie '" + rule.cookie) +
                      "' has neither `on_header_present` nor `on_header_missing` set",
                  {rule.cookie.empty() ? "header" : "cookie"}};
  }
  if (rule.on_missing && rule.on_missing->value.empty()) {
    return Reason{"Cannot specify on_header_missing rule with an empty value", {"on_header_missing"}};
  }
  return std::nullopt;
}

}  // namespace

config::Refusal refusal(const HeaderToMetadata& filter) {
  for (std::size_t i = 0; i < filter.request_rules.size(); ++i) {
    if (auto refused = config::within("request_rules." + std::to_string(i), refusal_of(filter.request_rules[i]))) {
      return refused;
    }
  }
  return std::nullopt;
}

Request filtered(const HeaderToMetadata& filter, Request request) {
  for (const Rule& rule : filter.request_rules) {
    const auto brought = brought_value(rule, request);
    if (brought && rule.on_present) {
      const Pair& pair = *rule.on_present;
      std::string text = !pair.value.empty()        ? pair.value
                         : pair.regex_value_rewrite ? pair.regex_value_rewrite->apply(*brought)
                                                    : *brought;
      add(pair, std::move(text), request);
      if (rule.remove) {
        std::erase_if(request.headers, [&](const auto& header) { return same_header_name(header.first, rule.header); });
      }
    } else if (!brought && rule.on_missing) {
      add(*rule.on_missing, rule.on_missing->value, request);
    }
  }
  return request;
}

}  // namespace spillway::envoy::routes
