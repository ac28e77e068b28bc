#include "models/envoy/api/format_string.hpp"

#include <algorithm>
#include <array>
#include <re2/re2.h>
#include <vector>

namespace spillway::api {
namespace {

// Commands that must have parameters, and those that may have none.
constexpr std::array needs_parameters = std::to_array<std::string_view>(
    {"CLUSTER_METADATA", "COALESCE", "COMMON_DURATION", "DYNAMIC_METADATA", "ENVIRONMENT", "FILTER_STATE", "METADATA",
     "QUERY_PARAM", "REQ", "REQUEST_HEADER", "RESP", "RESPONSE_HEADER", "RESPONSE_TRAILER", "STREAM_INFO_REQ",
     "TRAILER", "TYPED_METADATA", "UPSTREAM_FILTER_STATE", "UPSTREAM_METADATA"});
constexpr std::array without_parameters =
    std::to_array<std::string_view>({"ACCESS_LOG_TYPE",
                                     "BYTES_RECEIVED",
                                     "BYTES_RETRANSMITTED",
                                     "BYTES_SENT",
                                     "CONNECTION_ID",
                                     "CONNECTION_TERMINATION_DETAILS",
                                     "CUSTOM_FLAGS",
                                     "DOWNSTREAM_CX_RTT",
                                     "DOWNSTREAM_DECOMPRESSED_HEADER_BYTES_RECEIVED",
                                     "DOWNSTREAM_DECOMPRESSED_HEADER_BYTES_SENT",
                                     "DOWNSTREAM_DETECTED_CLOSE_TYPE",
                                     "DOWNSTREAM_DIRECT_LOCAL_ADDRESS",
                                     "DOWNSTREAM_DIRECT_LOCAL_ADDRESS_ENDPOINT_ID",
                                     "DOWNSTREAM_DIRECT_LOCAL_PORT",
                                     "DOWNSTREAM_DIRECT_REMOTE_ADDRESS",
                                     "DOWNSTREAM_DIRECT_REMOTE_PORT",
                                     "DOWNSTREAM_HANDSHAKE_DURATION",
                                     "DOWNSTREAM_HEADER_BYTES_RECEIVED",
                                     "DOWNSTREAM_HEADER_BYTES_SENT",
                                     "DOWNSTREAM_LOCAL_ADDRESS",
                                     "DOWNSTREAM_LOCAL_ADDRESS_ENDPOINT_ID",
                                     "DOWNSTREAM_LOCAL_CLOSE_REASON",
                                     "DOWNSTREAM_LOCAL_DNS_SAN",
                                     "DOWNSTREAM_LOCAL_EMAIL_SAN",
                                     "DOWNSTREAM_LOCAL_IP_SAN",
                                     "DOWNSTREAM_LOCAL_OTHERNAME_SAN",
                                     "DOWNSTREAM_LOCAL_PORT",
                                     "DOWNSTREAM_LOCAL_SUBJECT",
                                     "DOWNSTREAM_LOCAL_URI_SAN",
                                     "DOWNSTREAM_PEER_CERT",
                                     "DOWNSTREAM_PEER_CHAIN_FINGERPRINTS_1",
                                     "DOWNSTREAM_PEER_CHAIN_FINGERPRINTS_256",
                                     "DOWNSTREAM_PEER_CHAIN_SERIALS",
                                     "DOWNSTREAM_PEER_DNS_SAN",
                                     "DOWNSTREAM_PEER_EMAIL_SAN",
                                     "DOWNSTREAM_PEER_FINGERPRINT_1",
                                     "DOWNSTREAM_PEER_FINGERPRINT_256",
                                     "DOWNSTREAM_PEER_IP_SAN",
                                     "DOWNSTREAM_PEER_ISSUER",
                                     "DOWNSTREAM_PEER_ISSUER_FINGERPRINT_256",
                                     "DOWNSTREAM_PEER_ISSUER_SERIAL",
                                     "DOWNSTREAM_PEER_OTHERNAME_SAN",
                                     "DOWNSTREAM_PEER_SERIAL",
                                     "DOWNSTREAM_PEER_SUBJECT",
                                     "DOWNSTREAM_PEER_URI_SAN",
                                     "DOWNSTREAM_REMOTE_ADDRESS",
                                     "DOWNSTREAM_REMOTE_PORT",
                                     "DOWNSTREAM_TLS_CIPHER",
                                     "DOWNSTREAM_TLS_GROUP",
                                     "DOWNSTREAM_TLS_SESSION_ID",
                                     "DOWNSTREAM_TLS_VERSION",
                                     "DOWNSTREAM_TRANSPORT_FAILURE_REASON",
                                     "DOWNSTREAM_WIRE_BYTES_RECEIVED",
                                     "DOWNSTREAM_WIRE_BYTES_SENT",
                                     "DURATION",
                                     "FILTER_CHAIN_NAME",
                                     "GRPC_STATUS_NUMBER",
                                     "HOSTNAME",
                                     "LOCAL_REPLY_BODY",
                                     "PROTOCOL",
                                     "REQUEST_DURATION",
                                     "REQUEST_HEADERS_BYTES",
                                     "REQUEST_TX_DURATION",
                                     "RESPONSE_CODE",
                                     "RESPONSE_DURATION",
                                     "RESPONSE_FLAGS",
                                     "RESPONSE_FLAGS_LONG",
                                     "RESPONSE_HEADERS_BYTES",
                                     "RESPONSE_TRAILERS_BYTES",
                                     "RESPONSE_TX_DURATION",
                                     "ROUNDTRIP_DURATION",
                                     "ROUTE_NAME",
                                     "ROUTE_RESOLUTION_COUNT",
                                     "ROUTE_RESOLUTION_TIME_US",
                                     "SPAN_ID",
                                     "STREAM_ID",
                                     "TLS_JA3_FINGERPRINT",
                                     "TLS_JA4_FINGERPRINT",
                                     "TRACE_ID",
                                     "UNIQUE_ID",
                                     "UPSTREAM_CLUSTER",
                                     "UPSTREAM_CLUSTER_RAW",
                                     "UPSTREAM_CONNECTION_ID",
                                     "UPSTREAM_CONNECTION_IDS_ATTEMPTED",
                                     "UPSTREAM_CONNECTION_POOL_READY_DURATION",
                                     "UPSTREAM_DECOMPRESSED_HEADER_BYTES_RECEIVED",
                                     "UPSTREAM_DECOMPRESSED_HEADER_BYTES_SENT",
                                     "UPSTREAM_DETECTED_CLOSE_TYPE",
                                     "UPSTREAM_HEADER_BYTES_RECEIVED",
                                     "UPSTREAM_HEADER_BYTES_SENT",
                                     "UPSTREAM_HOST",
                                     "UPSTREAM_HOSTS_ATTEMPTED",
                                     "UPSTREAM_HOSTS_ATTEMPTED_WITHOUT_PORT",
                                     "UPSTREAM_HOST_NAME",
                                     "UPSTREAM_HOST_NAMES_ATTEMPTED",
                                     "UPSTREAM_HOST_NAMES_ATTEMPTED_WITHOUT_PORT",
                                     "UPSTREAM_HOST_NAME_WITHOUT_PORT",
                                     "UPSTREAM_LOCAL_ADDRESS",
                                     "UPSTREAM_LOCAL_CLOSE_REASON",
                                     "UPSTREAM_LOCAL_DNS_SAN",
                                     "UPSTREAM_LOCAL_IP_SAN",
                                     "UPSTREAM_LOCAL_PORT",
                                     "UPSTREAM_LOCAL_URI_SAN",
                                     "UPSTREAM_PEER_CERT",
                                     "UPSTREAM_PEER_DNS_SAN",
                                     "UPSTREAM_PEER_IP_SAN",
                                     "UPSTREAM_PEER_ISSUER",
                                     "UPSTREAM_PEER_SUBJECT",
                                     "UPSTREAM_PEER_URI_SAN",
                                     "UPSTREAM_PROTOCOL",
                                     "UPSTREAM_REMOTE_ADDRESS",
                                     "UPSTREAM_REMOTE_ADDRESS_ENDPOINT_ID",
                                     "UPSTREAM_REMOTE_PORT",
                                     "UPSTREAM_REQUEST_ATTEMPT_COUNT",
                                     "UPSTREAM_SERVER_NAME",
                                     "UPSTREAM_TLS_CIPHER",
                                     "UPSTREAM_TLS_GROUP",
                                     "UPSTREAM_TLS_SESSION_ID",
                                     "UPSTREAM_TLS_VERSION",
                                     "UPSTREAM_TRANSPORT_FAILURE_REASON",
                                     "UPSTREAM_WIRE_BYTES_RECEIVED",
                                     "UPSTREAM_WIRE_BYTES_SENT",
                                     "VIRTUAL_CLUSTER_NAME"});

// Commands of the extensions that `formatters` of a format may name.
constexpr std::array of_formatters =
    std::to_array<std::string_view>({"FILE_CONTENT", "PER_REQUEST_STATE", "REQ_WITHOUT_QUERY", "SECRET"});

// A position: all parameters are one.
constexpr std::size_t whole = 99;

// The words that a command takes at a position of its parameters, which colons part. An empty one is a default.
struct Option {
  std::string_view command;
  std::size_t position;
  std::string_view words;  // with commas between
  std::string_view before;
  std::string_view after;
};
// Source: formatter/stream_info_formatter.cc and http_specific_formatter.cc; a live Envoy 1.40 was asked for each.
constexpr std::array options = std::to_array<Option>({
    {"COMMON_DURATION", 2, ",ms,us,ns", "Invalid common duration precision: ", "."},
    {"FILTER_STATE", 1, ",PLAIN,TYPED,FIELD", "Invalid filter state serialize type, only support PLAIN/TYPED/FIELD.",
     ""},
    {"GRPC_STATUS", whole, ",CAMEL_STRING,SNAKE_STRING,NUMBER",
     "GrpcStatusFormatter only supports CAMEL_STRING, SNAKE_STRING or NUMBER. Got: ", ""},
    {"METADATA", 0, "DYNAMIC,CLUSTER,ROUTE,UPSTREAM_HOST,LISTENER,LISTENER_FILTER_CHAIN,VIRTUAL_HOST", "",
     " is not supported type of metadata"},
    {"PATH", 0, ",WQ,NQ", "Invalid PATH option: '", "', only 'WQ'/'NQ' are allowed"},
    {"PATH", 1, ",ORIG,PATH,ORIG_OR_PATH", "Invalid PATH option: '",
     "', only 'ORIG'/'PATH'/'ORIG_OR_PATH' are allowed"},
    {"QUERY_PARAMS", whole, ",ORIG,DECODED", "Invalid QUERY_PARAMS option: '", "', only 'ORIG'/'DECODED' are allowed"},
    {"REQUESTED_SERVER_NAME", 0, ",SNI_ONLY,SNI_FIRST,HOST_FIRST", "Invalid REQUESTED_SERVER_NAME option: ", ""},
    {"REQUESTED_SERVER_NAME", 1, ",ORIG,HOST,ORIG_OR_HOST", "Invalid REQUESTED_SERVER_NAME option: ", ""},
    {"UPSTREAM_FILTER_STATE", 1, ",PLAIN,TYPED,FIELD",
     "Invalid filter state serialize type, only support PLAIN/TYPED/FIELD.", ""},
});

std::vector<std::string> parts_of(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::string fault_of_options(const std::string& command, const std::string& parameters) {
  const std::vector<std::string> parts = parts_of(parameters, ':');
  for (const Option& option : options) {
    if (option.command != command || (option.position != whole && option.position >= parts.size())) {
      continue;
    }
    const std::vector<std::string> words = parts_of(option.words, ',');
    if (const std::string& part = option.position == whole ? parameters : parts[option.position];
        std::find(words.begin(), words.end(), part) == words.end()) {
      return std::string(option.before) + (option.after.empty() && option.before.ends_with('.') ? "" : part) +
             std::string(option.after);
    }
  }
  constexpr std::size_t with_precision = 3;
  if (command == "COMMON_DURATION" && (parts.size() < 2 || parts.size() > with_precision)) {
    return "Invalid common duration configuration: " + parameters + ".";
  }
  if (command.ends_with("FILTER_STATE")) {
    const bool is_field = parts.size() > 1 && parts[1] == "FIELD";
    if (parts[0].empty()) {
      return "Invalid filter state configuration, key cannot be empty.";
    }
    if (is_field != (parts.size() > 2 && !parts[2].empty())) {
      return "Invalid filter state serialize type, FIELD should be used with the field name.";
    }
  }
  return {};
}

std::string fault_of_command(const std::string& command, const std::string& parameters, const std::string& length,
                             bool has_more) {
  const auto in = [&](const auto& words) { return std::find(words.begin(), words.end(), command) != words.end(); };
  if (in(needs_parameters)) {
    if (parameters.empty()) {
      return command + " requires parameters";
    }
    const bool is_header = command == "REQ" || command == "RESP" || command == "TRAILER";
    if (is_header && std::count(parameters.begin(), parameters.end(), '?') > 1) {
      return "More than 1 alternative header specified in token: " + parameters;
    }
    static const re2::RE2 header_names("(:?[A-Za-z0-9!#$%&'*+.^_`|~-]+)?([?](:?[A-Za-z0-9!#$%&'*+.^_`|~-]+)?)?",
                                       re2::RE2::Quiet);
    const bool names_header = is_header || command.ends_with("_HEADER");
    if (names_header && !re2::RE2::FullMatch(parameters, header_names)) {
      return "Invalid header configuration. Format string contains invalid characters.";
    }
    return fault_of_options(command, parameters);
  }
  if (in(without_parameters)) {
    return has_more ? command + " does not take any parameters or length" : "";
  }
  if (!length.empty() && (command == "GRPC_STATUS" || command == "REQUESTED_SERVER_NAME")) {
    return command + " does not allow length to be specified.";
  }
  if (command == "CEL" && parameters.empty()) {
    return "Not able to parse expression";
  }
  constexpr std::array others = std::to_array<std::string_view>({"ACCESS_LOG_TYPE",
                                                                 "CEL",
                                                                 "DOWNSTREAM_DIRECT_LOCAL_ADDRESS_WITHOUT_PORT",
                                                                 "DOWNSTREAM_DIRECT_REMOTE_ADDRESS_WITHOUT_PORT",
                                                                 "DOWNSTREAM_LOCAL_ADDRESS_WITHOUT_PORT",
                                                                 "DOWNSTREAM_PEER_CERT_V_END",
                                                                 "DOWNSTREAM_PEER_CERT_V_START",
                                                                 "DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT",
                                                                 "EMIT_TIME",
                                                                 "EMIT_TIME_LOCAL",
                                                                 "GRPC_STATUS",
                                                                 "LOCAL_REPLY_BODY",
                                                                 "PATH",
                                                                 "QUERY_PARAMS",
                                                                 "REQUESTED_SERVER_NAME",
                                                                 "RESPONSE_CODE_DETAILS",
                                                                 "SPAN_ID",
                                                                 "START_TIME",
                                                                 "START_TIME_LOCAL",
                                                                 "TRACE_ID",
                                                                 "UPSTREAM_LOCAL_ADDRESS_WITHOUT_PORT",
                                                                 "UPSTREAM_PEER_CERT_V_END",
                                                                 "UPSTREAM_PEER_CERT_V_START",
                                                                 "UPSTREAM_REMOTE_ADDRESS_WITHOUT_PORT"});
  return in(others) ? fault_of_options(command, parameters) : "Not supported field in StreamInfo: " + command;
}

}  // namespace

std::string fault_of_format(std::string_view format, Formats place) {
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
    const bool is_of_formatter =
        (place == Formats::of_headers && command == "PER_REQUEST_STATE") ||
        (place == Formats::with_formatters &&
         std::find(of_formatters.begin(), of_formatters.end(), command) != of_formatters.end());
    if (is_of_formatter) {
      at += taken;
      continue;
    }
    if (std::string fault = fault_of_command(command, parameters, length, taken > command.size() + 2); !fault.empty()) {
      return fault;
    }
    at += taken;
  }
  return {};
}

std::pair<const documents::Node*, std::string> fault_of_formats(const documents::Node& values, Formats place) {
  if (values.kind == documents::Kind::string) {
    return {&values, fault_of_format(values.text, place)};
  }
  for (const documents::Member& member : values.members) {
    if (auto found = fault_of_formats(member.value, place); !found.second.empty()) {
      return found;
    }
  }
  for (const documents::Node& item : values.items) {
    if (auto found = fault_of_formats(item, place); !found.second.empty()) {
      return found;
    }
  }
  return {};
}

}  // namespace spillway::api
