// Determines which inputs decide where a request goes, and whether a field or filter that it passes may write them.
#include <algorithm>
#include <string_view>
#include <variant>

#include "models/config/lower_ascii.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/api/field_effects.hpp"
#include "models/envoy/policies/registry.hpp"
#include "sim/scenario/binding/envoy/passed_fields.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::envoy_binding {
namespace {

// An input that a hash policy, a session, a subset or a cluster reads from a request.
struct Reader {
  std::uint8_t reads = api::part::headers;
  std::string header = {};  // of api::part::headers; "*" means any
  const char* who = "";
  bool after_filters = false;
};

bool writes_header(const Writer& writer, const std::string& header) {
  const std::string name = config::to_lower_ascii(header);
  // The wildcard of the connection manager excludes two headers: the original path, which the router keeps, and the
  // header with the request's destination.
  const bool kept = name == "x-envoy-original-dst-host" || name == "x-envoy-original-path";
  return writer.headers.empty() || name == "*" ||
         std::any_of(writer.headers.begin(), writer.headers.end(), [&](const std::string& written) {
           return written == name || (!kept && written.ends_with('*') &&
                                      name.starts_with(std::string_view(written).substr(0, written.size() - 1)));
         });
}

void add_hash_readers(const std::vector<envoy::routes::HashPolicy>& policies, std::vector<Reader>& readers) {
  namespace routes = envoy::routes;
  constexpr const char* who = "a hash policy";
  for (const routes::HashPolicy& policy : policies) {
    const auto& by = policy.policy_specifier;
    if (const auto* const header = std::get_if<routes::HeaderHash>(&by)) {
      readers.push_back({api::part::headers, header->header_name, who, true});
    } else if (std::holds_alternative<routes::CookieHash>(by)) {
      readers.push_back({api::part::headers, "cookie", who, true});
    } else if (std::holds_alternative<routes::QueryParameterHash>(by)) {
      readers.push_back({api::part::headers, ":path", who, true});
    } else if (std::holds_alternative<routes::FilterStateHash>(by)) {
      readers.push_back({api::part::filter_state, "", who, true});
    } else {
      readers.push_back({api::part::source, "", who, true});
    }
  }
}

void add_session_readers(const Route& route, std::vector<Reader>& readers) {
  if (route.stateful_session) {
    const bool cookie = route.stateful_session->state == envoy::SessionState::cookie;
    readers.push_back({api::part::headers, cookie ? "cookie" : route.stateful_session->name, "a session", false});
  }
}

void add_readers_of(const Service& service, const Route& route, std::vector<Reader>& readers) {
  const auto& policy = service.cluster.lb_policy;
  if (const auto* const hashing = envoy::policies::consistent_hashing(policy)) {
    add_hash_readers(hashing->hash_policy.empty() ? route.route.action.hash_policy : hashing->hash_policy, readers);
  }
  if (std::holds_alternative<envoy::policies::subset::Config>(policy)) {
    readers.push_back({api::part::metadata, "", "a subset", true});
    for (const auto& rule : route.header_to_metadata.request_rules) {
      readers.push_back({api::part::headers, rule.header.empty() ? "cookie" : rule.header, "a subset", false});
    }
  }
  if (const auto* const hosts = std::get_if<envoy::policies::override_host::Config>(&policy)) {
    for (const auto& from : hosts->override_host_sources) {
      readers.push_back({static_cast<std::uint8_t>(api::part::headers | api::part::metadata), from.header,
                         "an override of the host", true});
    }
  }
  if (service.cluster.original_dst && service.cluster.original_dst->use_http_header) {
    const std::string& name = service.cluster.original_dst->http_header_name;
    readers.push_back({api::part::headers, name.empty() ? "x-envoy-original-dst-host" : name,
                       "the cluster's original destination", true});
  }
}

}  // namespace

std::string unknown_choice(const PassedFields& passed, const Route& route,
                           const std::vector<const Service*>& services) {
  std::vector<Reader> readers;
  for (const Service* const service : services) {
    add_readers_of(*service, route, readers);
  }
  add_session_readers(route, readers);
  for (const Writer& writer : passed.writers) {
    for (const Reader& reader : readers) {
      if ((writer.parts & reader.reads) == 0 ||
          ((writer.parts & api::part::after_filters) != 0 && !reader.after_filters) ||
          ((writer.parts & reader.reads) == api::part::headers && !writes_header(writer, reader.header))) {
        continue;
      }
      const std::string what = (reader.reads & api::part::headers) != 0    ? in_ticks(reader.header)
                               : (reader.reads & api::part::source) != 0   ? "the address that the request comes from"
                               : (reader.reads & api::part::metadata) != 0 ? "dynamic metadata"
                                                                           : "filter state";
      return writer.who + " may change " + what + ", which " + reader.who + " reads";
    }
    for (const std::string& header : passed.route_reads) {
      if ((writer.parts & api::part::route) != 0 && (writer.parts & api::part::headers) != 0 &&
          writes_header(writer, header)) {
        return writer.who + " may change " + (header == "*" ? "the request" : in_ticks(header)) +
               ", by which routes are chosen";
      }
    }
  }
  return "";
}

}  // namespace spillway::scenario::envoy_binding
