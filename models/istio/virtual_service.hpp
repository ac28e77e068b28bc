// A VirtualService as sidecars use it. Field names are Istio's. Source: docs/behaviour/istio.md 10; networking/v1 of
// istio.io/api.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/istio/destination_rule.hpp"
#include "models/istio/names.hpp"

namespace spillway::istio {

// A condition on a text. Kind `present` is `{}`, which requires only presence.
struct StringMatch {
  enum class Kind : std::uint8_t { present, exact, prefix, regex };
  Kind kind = Kind::present;
  std::string text = {};

  friend bool operator==(const StringMatch&, const StringMatch&) = default;
};

struct HttpMatchRequest {
  std::string name = {};
  std::optional<StringMatch> uri = {};
  std::optional<StringMatch> scheme = {};
  std::optional<StringMatch> method = {};
  std::optional<StringMatch> authority = {};
  std::map<std::string, StringMatch> headers = {};
  std::map<std::string, StringMatch> withoutHeaders = {};
  std::map<std::string, StringMatch> queryParams = {};
  std::uint32_t port = 0;
  Labels sourceLabels = {};
  std::string sourceNamespace = {};
  std::vector<std::string> gateways = {};
  bool ignoreUriCase = false;

  friend bool operator==(const HttpMatchRequest&, const HttpMatchRequest&) = default;
};

struct Destination {
  std::string host = {};
  std::string subset = {};
  std::optional<std::uint32_t> port = {};
};

struct RouteDestination {
  Destination destination = {};
  std::uint32_t weight = 0;
};

struct HttpRetry {
  std::uint32_t attempts = 0;
  std::optional<Duration> perTryTimeout = {};
  std::string retryOn = {};
  std::optional<bool> retryRemoteLocalities = {};
  std::optional<bool> retryIgnorePreviousHosts = {};
  std::optional<Duration> backoff = {};
};

struct Mirror {
  Destination destination = {};
  std::optional<double> percentage = {};  // 100 if not set
};

struct HttpFault {
  struct Delay {
    double percentage = 0.0;
    Duration fixedDelay{0};
  };
  struct Abort {
    double percentage = 0.0;
    std::uint32_t httpStatus = 0;
    std::string grpcStatus = {};  // "UNAVAILABLE"; empty if not set
  };
  std::optional<Delay> delay = {};
  std::optional<Abort> abort = {};
};

struct HttpRoute {
  std::string name = {};
  std::vector<HttpMatchRequest> match = {};
  std::vector<RouteDestination> route = {};
  std::optional<Duration> timeout = {};
  std::optional<HttpRetry> retries = {};
  std::vector<Mirror> mirrors = {};  // `mirror` first
  bool mirror_and_mirrors = false;   // both are written
  std::optional<HttpFault> fault = {};
  bool rewrites = false;  // `rewrite` is written
  std::string rewrite_uri = {};
  std::string rewrite_authority = {};
  std::string other = {};  // redirect, directResponse or delegate: no destination
};

struct TcpMatch {
  std::uint32_t port = 0;
  Labels sourceLabels = {};
  std::string sourceNamespace = {};
  std::vector<std::string> gateways = {};
};

struct TcpRoute {
  std::vector<TcpMatch> match = {};
  std::vector<RouteDestination> route = {};
};

struct VirtualService {
  Meta meta = {};
  std::vector<std::string> hosts = {};
  std::vector<std::string> gateways = {};
  std::vector<std::string> exportTo = {};
  std::vector<HttpRoute> http = {};
  std::vector<TcpRoute> tcp = {};
  bool tls = false;  // routes of TLS: no effect on shares
};

}  // namespace spillway::istio
