#include "models/envoy/api/format_string.hpp"

#include <algorithm>
#include <array>
#include <re2/re2.h>

namespace spillway::api {
namespace {

// Commands that must have parameters, and those that may have none.
constexpr std::array needs_parameters = std::to_array<std::string_view>(
    {"CLUSTER_METADATA", "COMMON_DURATION", "DYNAMIC_METADATA", "ENVIRONMENT", "FILTER_STATE", "METADATA",
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
                                     "GRPC_STATUS",
                                     "GRPC_STATUS_NUMBER",
                                     "HOSTNAME",
                                     "LOCAL_REPLY_BODY",
                                     "PROTOCOL",
                                     "REQUESTED_SERVER_NAME",
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
  constexpr std::array others = std::to_array<std::string_view>({"ACCESS_LOG_TYPE",
                                                                 "CEL",
                                                                 "COALESCE",
                                                                 "DOWNSTREAM_DIRECT_LOCAL_ADDRESS_WITHOUT_PORT",
                                                                 "DOWNSTREAM_DIRECT_REMOTE_ADDRESS_WITHOUT_PORT",
                                                                 "DOWNSTREAM_LOCAL_ADDRESS_WITHOUT_PORT",
                                                                 "DOWNSTREAM_PEER_CERT_V_END",
                                                                 "DOWNSTREAM_PEER_CERT_V_START",
                                                                 "DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT",
                                                                 "EMIT_TIME",
                                                                 "EMIT_TIME_LOCAL",
                                                                 "FILE_CONTENT",
                                                                 "LOCAL_REPLY_BODY",
                                                                 "PATH",
                                                                 "PER_REQUEST_STATE",
                                                                 "QUERY_PARAMS",
                                                                 "REQ_WITHOUT_QUERY",
                                                                 "RESPONSE_CODE_DETAILS",
                                                                 "SECRET",
                                                                 "SPAN_ID",
                                                                 "START_TIME",
                                                                 "START_TIME_LOCAL",
                                                                 "TRACE_ID",
                                                                 "UPSTREAM_LOCAL_ADDRESS_WITHOUT_PORT",
                                                                 "UPSTREAM_PEER_CERT_V_END",
                                                                 "UPSTREAM_PEER_CERT_V_START",
                                                                 "UPSTREAM_REMOTE_ADDRESS_WITHOUT_PORT"});
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
