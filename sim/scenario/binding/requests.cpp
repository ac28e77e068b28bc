#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "models/documents/problem.hpp"
#include "models/envoy/proxy/request_headers.hpp"
#include "models/envoy/routes/address.hpp"
#include "models/envoy/routes/request.hpp"
#include "models/envoy/routes/route.hpp"
#include "models/envoy/stateful_session/filter.hpp"
#include "models/envoy/stateful_session/stateful_session.hpp"
#include "models/numeric/power.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/messages/workload.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::binding {
namespace {

using envoy::routes::Request;
using envoy::routes::same_header_name;
using grammar::Field;
using messages::Headers;

// The request properties that a workload or a kind of requests sets.
struct Said {
  const Field<Headers::Value>& headers;
  const Field<std::string>& path;
  const Field<std::string>& source_address;
  const Field<std::string>& destination_address;
};

Request plain_request() {
  Request request;
  request.headers = {{":method", "GET"}, {":path", "/"}};
  return request;
}

class Requests {
 public:
  // `straight` is the route of all requests, even if other routes match.
  Requests(Clients& so_far, const messages::Workload& written, ClientEntry& entry, Span where,
           std::optional<std::uint32_t> straight)
      : so_far_(so_far), written_(written), entry_(entry), where_(where), straight_(straight) {}

  void read() {
    Request base = plain_request();
    bool well = apply({written_.headers, written_.path, written_.source_address, written_.destination_address}, base);
    const bool readable =
        written_.keys.present == written_.keys.given && written_.requests.present == written_.requests.given;
    well = well && readable;
    if (written_.keys) {
      well = well && add_keys(base);
    } else if (written_.requests) {
      well = add_listed(base) && well;
    } else if (well) {
      well = add(first_path(base), base, 1.0, where_of_path());
    }
    if (!well) {
      entry_.workload.requests.clear();
    }
    if (!entry_.workload.requests.empty()) {
      entry_.workload.service = so_far_.scenario.routes[entry_.workload.requests.front().route].clusters.front();
    }
  }

 private:
  static std::string sent_name(const std::string& name) { return same_header_name(name, "host") ? ":authority" : name; }

  static std::string first_path(const Request& request) { return *envoy::routes::first_value(request, ":path"); }

  [[nodiscard]] Span where_of_path() const { return written_.path ? written_.path.where : where_; }

  bool report(Span where, const char* message, const char* label) {
    so_far_.problems.error("SP141", where, "{}", "{}", {message, label});
    return false;
  }

  bool apply(const Said& said, Request& request) {
    bool well = said.headers.present == said.headers.given && said.path.present == said.path.given &&
                said.source_address.present == said.source_address.given &&
                said.destination_address.present == said.destination_address.given;
    // Headers of a kind replace those of all requests; names that differ only in case are one header.
    for (const auto& header : *said.headers) {
      proxy::remove_header(request, sent_name(header.name));
    }
    for (const auto& header : *said.headers) {
      well = apply_header(header, request) && well;
    }
    if (said.path && !proxy::is_path(*said.path)) {
      well = report(said.path.where, "a path that cannot be sent", "must begin with / and contain no blanks");
    } else if (said.path) {
      proxy::set_header(request, ":path", {*said.path});
    }
    if (said.source_address) {
      request.remote_address = proxy::address_of(*said.source_address);
      if (!request.remote_address) {
        so_far_.problems.error("SP024", said.source_address.where, "cannot read `source_address`",
                               "must be an IP address, with a port or without");
        well = false;
      }
    }
    if (said.destination_address) {
      const auto address = envoy::routes::parse_ip_address(*said.destination_address);
      if (!address) {
        so_far_.problems.error("SP024", said.destination_address.where, "cannot read `destination_address`",
                               "must be an IP address with a port, such as 10.0.0.1:80");
        return false;
      }
      request.local_address = envoy::routes::text(*address);
    }
    return well;
  }

  bool apply_header(const Headers::Entry& header, Request& request) {
    if (same_header_name(header.name, ":path")) {
      return report(header.value.key, "the path among the headers", "write `path`");
    }
    if (!proxy::is_header_name(header.name)) {
      return report(header.value.key, "a header that cannot be sent", "is not a header name");
    }
    if (!header.value) {
      return false;
    }
    if (!std::all_of(header.value->begin(), header.value->end(), proxy::is_header_value)) {
      return report(header.value.where, "a header that cannot be sent", "contains a control character");
    }
    proxy::add_header(request, sent_name(header.name), *header.value);
    return true;
  }

  // Adds a kind, by default with the first route that matches.
  bool add(const std::string& name, Request request, double weight, Span where,
           std::optional<std::uint32_t> route = std::nullopt) {
    if (!route) {
      route = straight_ ? straight_ : route_of(request, name, where);
    }
    if (!route || !may_go_by(so_far_.scenario.routes[*route], request, where)) {
      return false;
    }
    entry_.workload.requests.push_back({name, std::move(request), weight, *route});
    return true;
  }

  // True if the request has a session cookie with an expiry: a scenario has no date to compare it with.
  bool has_dated_session(const Route& route, const Request& request) const {
    if (!route.stateful_session || route.stateful_session->state != envoy::SessionState::cookie) {
      return false;
    }
    const auto cookie = envoy::routes::cookie_value(request, route.stateful_session->name);
    constexpr std::int64_t end_of_time = std::numeric_limits<std::int64_t>::max();
    return cookie && envoy::stateful_session::parse_cookie(*cookie, 0) !=
                         envoy::stateful_session::parse_cookie(*cookie, end_of_time);
  }

  // True if the request may use the route. Timeouts that gRPC requests bring are not simulated.
  bool may_go_by(const Route& route, const Request& request, Span where) {
    if (has_dated_session(route, request)) {
      so_far_.problems
          .error("SP146", where, "a session cookie that expires", "a scenario has no date to compare it with")
          .help("write the address in base64, or the cookie of a state without a `ttl`");
      return false;
    }
    const std::string* const type = envoy::routes::first_value(request, "content-type");
    const bool grpc = envoy::routes::first_value(request, "grpc-timeout") != nullptr ||
                      (type != nullptr && type->starts_with("application/grpc"));
    if (!route.reads_grpc_timeout || !grpc) {
      return true;
    }
    so_far_.problems.error("SP147", where, "a gRPC request by a route with timeouts for gRPC", "is not supported yet")
        .note(
            "the route has a `grpc_timeout_header_max` or `max_grpc_timeout`, which Envoy compares with the request's "
            "grpc-timeout");
    return false;
  }

  std::optional<std::uint32_t> route_of(const Request& request, const std::string& name, Span where) {
    if (!so_far_.routes_complete) {
      return std::nullopt;
    }
    const envoy::routes::Route* const route = envoy::routes::match(so_far_.routes, request);
    if (route != nullptr) {
      return static_cast<std::uint32_t>(route - so_far_.routes.data());
    }
    const bool none = so_far_.routes.empty();
    so_far_.problems
        .error(
            "SP140", where, "a request that no route matches", "{}",
            {none ? "there are no `routes`, and the workload has no `service`" : "no route is for " + in_ticks(name)})
        .note("Envoy answers it with a 404")
        .help("{}", {none ? "write `service`, or `routes`" : "write a last route with `match: { prefix: / }`"});
    return std::nullopt;
  }

  bool count_kinds(std::uint64_t more, Span where) {
    so_far_.kinds += more;
    if (so_far_.kinds > messages::most_kinds) {
      so_far_.problems.error("SP142", where, "too many kinds of requests", "more than 1,000,000 in all");
      return false;
    }
    return true;
  }

  bool add_listed(const Request& base) {
    bool well = count_kinds(written_.requests->size(), written_.requests.where);
    std::set<std::string> names;
    double sum = 0.0;
    for (const Field<messages::RequestKind>& kind : *written_.requests) {
      Request request = base;
      if (!kind || !apply({kind->headers, kind->path, kind->source_address, kind->destination_address}, request)) {
        well = false;
        continue;
      }
      std::string name = kind->name ? *kind->name : description_of(*kind, request);
      if (!kind->name && names.contains(name)) {
        name += " (" + std::to_string(entry_.workload.requests.size() + 1) + ")";
      }
      if (!names.insert(name).second) {
        so_far_.problems.error("SP101", kind->name ? kind->name.where : kind.where, "duplicate request `{}`",
                               "this name is taken", {name});
        well = false;
      }
      sum += kind->weight.value_or(1.0);
      well = add(name, std::move(request), kind->weight.value_or(1.0), kind.where) && well;
    }
    if (well && sum <= 0.0) {
      so_far_.problems.error("SP116", written_.requests.where, "a client without requests",
                             "one weight must be above 0");
      return false;
    }
    return well;
  }

  // Returns "x-user: 7, stage: prod" or the path.
  static std::string description_of(const messages::RequestKind& kind, const Request& request) {
    std::string text;
    for (const auto& header : *kind.headers) {
      for (const std::string& value : *header.value) {
        text += (text.empty() ? "" : ", ") + header.name + ": " + value;
      }
    }
    if (kind.path || text.empty()) {
      text = first_path(request) + (text.empty() ? "" : " " + text);
    }
    if (kind.source_address) {
      text += " from " + *kind.source_address;
    }
    if (kind.destination_address) {
      text += " to " + *kind.destination_address;
    }
    constexpr std::size_t longest = 200;
    return text.substr(0, longest);
  }

  // True if the choice of a request's route depends on the keys' values.
  [[nodiscard]] bool routes_look_at(const messages::Keys& keys) const {
    const std::string header = keys.header            ? *keys.header
                               : keys.cookie          ? "cookie"
                               : keys.query_parameter ? ":path"
                                                      : "";
    return std::any_of(so_far_.routes.begin(), so_far_.routes.end(), [&](const envoy::routes::Route& route) {
      const auto& headers = route.match.headers;
      return (keys.query_parameter && route.match.path.find('?') != std::string::npos) ||
             std::any_of(headers.begin(), headers.end(),
                         [&](const auto& matcher) { return same_header_name(matcher.name, header); });
    });
  }

  static std::string address_of_key(std::uint64_t number) {
    return "10." + std::to_string(number >> 16U & 255U) + "." + std::to_string(number >> 8U & 255U) + "." +
           std::to_string(number & 255U);
  }

  // Sets the value in the request of a kind, and returns the kind's name.
  static std::string set_key(const messages::Keys& keys, std::uint64_t number, Request& request) {
    const std::string value = keys.prefix.value_or("key-") + std::to_string(number);
    if (keys.header) {
      proxy::set_header(request, sent_name(*keys.header), {value});
      return *keys.header + ": " + value;
    }
    if (keys.cookie) {
      request.headers.emplace_back("cookie", *keys.cookie + "=" + value);
      return "cookie " + *keys.cookie + "=" + value;
    }
    if (keys.query_parameter) {
      const std::string path = first_path(request);
      const std::string separator = path.find('?') == std::string::npos ? "?" : "&";
      proxy::set_header(request, ":path", {path + separator + *keys.query_parameter + "=" + value});
      return "?" + *keys.query_parameter + "=" + value;
    }
    constexpr const char* port = ":40000";
    const std::string address = address_of_key(number);
    request.remote_address = address + port;
    return "from " + address;
  }

  bool check_keys(const messages::Keys& keys) {
    const std::array readable = {
        keys.header.present == keys.header.given,
        keys.cookie.present == keys.cookie.given,
        keys.query_parameter.present == keys.query_parameter.given,
        keys.count.given,
        keys.popularity.present == keys.popularity.given,
        keys.prefix.present == keys.prefix.given,
        keys.header.present || keys.cookie.present || keys.query_parameter.present || keys.source_address.present};
    if (!std::all_of(readable.begin(), readable.end(), [](bool one) { return one; })) {
      return false;
    }
    if (keys.header && same_header_name(*keys.header, ":path")) {
      return report(keys.header.where, "the path among the headers", "write `query_parameter`");
    }
    if (keys.source_address && !*keys.source_address) {
      so_far_.problems.error("SP025", keys.source_address.where, "keys that do not differ",
                             "must be true, or another key");
      return false;
    }
    const Field<std::string>& name = keys.header ? keys.header : keys.cookie ? keys.cookie : keys.query_parameter;
    if (name && !proxy::is_header_name(*name)) {
      return report(name.where, "a name that cannot be sent", "contains characters that a name may not have");
    }
    const std::string prefix = keys.prefix.value_or("");
    const bool value = keys.query_parameter
                           ? proxy::is_path("/" + prefix)
                           : proxy::is_header_value(prefix) && !(keys.cookie && prefix.find(';') != std::string::npos);
    return value ||
           report(keys.prefix.where, "a value that cannot be sent", "contains a character that a value may not have");
  }

  bool add_keys(const Request& base) {
    const messages::Keys& keys = *written_.keys;
    if (!check_keys(keys) || !count_kinds(*keys.count, keys.count.where)) {
      return false;
    }
    entry_.workload.requests.reserve(*keys.count);
    std::optional<std::uint32_t> route;
    const bool each = !straight_ && routes_look_at(keys);
    for (std::uint64_t number = 1; number <= *keys.count; ++number) {
      Request request = base;
      const std::string name = set_key(keys, number, request);
      const double weight = numeric::power(static_cast<double>(number), -keys.popularity.value_or(0.0));
      if (!add(name, std::move(request), weight, written_.keys.where, route)) {
        return false;
      }
      route = each ? std::nullopt : std::optional(entry_.workload.requests.front().route);
    }
    return true;
  }

  Clients& so_far_;
  const messages::Workload& written_;
  ClientEntry& entry_;
  Span where_;
  std::optional<std::uint32_t> straight_;
};

bool brings_anything(const messages::Workload& written) {
  return written.headers.present || written.path.present || written.source_address.present ||
         written.destination_address.present || written.keys.present || written.requests.present;
}

std::uint32_t add_straight_route(Scenario& scenario, config::ServiceIndex service) {
  Route& route = scenario.routes.emplace_back();
  route.clusters = {service};
  route.route.action.clusters = {{std::as_const(scenario.services)[service.value].name, 1, std::nullopt}};
  return static_cast<std::uint32_t>(scenario.routes.size() - 1);
}

}  // namespace

RequestKind straight_request(Scenario& scenario, config::ServiceIndex service) {
  const std::string& name = std::as_const(scenario.services)[service.value].name;
  return {.name = name, .request = plain_request(), .route = add_straight_route(scenario, service)};
}

void read_requests(Clients& so_far, const messages::Workload& written, ClientEntry& entry, Span where) {
  std::optional<std::uint32_t> straight;
  if (written.service.present) {
    const auto service = so_far.services.resolve(written.service, so_far.problems);
    entry.workload.service.value = service.value_or(0);
    if (!service || !brings_anything(written)) {
      return;
    }
    straight = add_straight_route(so_far.scenario, {*service});
  }
  Requests(so_far, written, entry, where, straight).read();
}

}  // namespace spillway::scenario::binding
