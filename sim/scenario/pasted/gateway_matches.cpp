#include "sim/scenario/pasted/gateway_matches.hpp"

#include "models/documents/grammar/scalars.hpp"
#include "models/kuma/messages/shapes.hpp"
#include "sim/scenario/pasted/fragments.hpp"
#include "sim/scenario/pasted/gateway_api_routes.hpp"
#include "sim/scenario/pasted/mesh_inventory.hpp"

namespace spillway::scenario::pasted {
namespace {

GatewayMatch match_from(const Json& match, bool grpc) {
  GatewayMatch found;
  if (const Json& path = child(match, "path"); !path.empty()) {
    const std::string type = text_of(path, "type");
    found.kind = type == "Exact"               ? GatewayMatch::Path::exact
                 : type == "RegularExpression" ? GatewayMatch::Path::regex
                                               : GatewayMatch::Path::prefix;
    found.path = text_of(path, "value").empty() ? "/" : text_of(path, "value");
  }
  if (const Json& method = child(match, "method"); method.is_string()) {
    found.method = method.get<std::string>();
  } else if (grpc && !method.empty()) {
    const std::string service = text_of(method, "service");
    const std::string name = text_of(method, "method");
    found.kind = name.empty() ? GatewayMatch::Path::prefix : GatewayMatch::Path::exact;
    found.path = "/" + service + "/" + name;
  }
  const auto add_all = [&](const char* list, const char* prefix) {
    for (const Json& header : child(match, list)) {
      found.headers.push_back(
          {prefix + text_of(header, "name"), text_of(header, "value"), text_of(header, "type") == "RegularExpression"});
    }
  };
  add_all("headers", "");
  add_all("queryParams", "x-query-");
  found.has_query = !child(match, "queryParams").empty();
  return found;
}

}  // namespace

MatchRank GatewayMatch::rank(const std::string& host) const {
  constexpr std::size_t exact_host = 1000;
  const std::size_t of_host = host.empty() || host == "*" ? 0 : host.size() + (host.front() == '*' ? 0 : exact_host);
  return {of_host, static_cast<int>(kind), path.size(), !method.empty(), headers.size()};
}

Json GatewayMatch::of_envoy(const std::string& host) const {
  Json match = kind == Path::exact   ? Json{{"path", path}}
               : kind == Path::regex ? Json{{"safe_regex", {{"regex", path}}}}
                                     : Json{{"prefix", path}};
  const auto add = [&](const std::string& name, const char* how, const Json& value) {
    match["headers"].push_back({{"name", name}, {"string_match", {{how, value}}}});
  };
  if (host.starts_with("*.")) {
    add(":authority", "suffix", host.substr(1));
  } else if (!host.empty() && host != "*") {
    add(":authority", "exact", host);
  }
  if (!method.empty()) {
    add(":method", "exact", method);
  }
  for (const Header& header : headers) {
    add(header.name, header.regex ? "safe_regex" : "exact",
        header.regex ? Json{{"regex", header.value}} : Json(header.value));
  }
  return match;
}

Json GatewayMatch::request(const std::string& host) const {
  Json made{{"path", kind == Path::regex ? "/" : path}, {"headers", Json::object()}};
  made["headers"]["host"] = host.empty() || host == "*" ? host_of_ingress
                            : host.starts_with("*")     ? "www" + host.substr(1)
                                                        : host;
  if (!method.empty()) {
    made["headers"][":method"] = method;
  }
  for (const Header& header : headers) {
    made["headers"][header.name] = header.value;
  }
  return made;
}

std::vector<GatewayMatch> gateway_matches(const Json& rule, bool grpc) {
  std::vector<GatewayMatch> matches;
  for (const Json& match : child(rule, "matches")) {
    matches.push_back(match_from(match, grpc));
  }
  if (matches.empty()) {
    matches.emplace_back();
  }
  return matches;
}

std::string seconds_text(const std::string& duration) {
  std::chrono::nanoseconds value{};
  Diagnostics ignored;
  const bool is_one = messages::GoDuration{}.read(text_at_place({}, duration), value, "timeout", ignored);
  return is_one ? grammar::proto_duration_text(value) : duration;
}

}  // namespace spillway::scenario::pasted
