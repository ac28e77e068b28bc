#include "sim/scenario/pasted/first_request.hpp"

#include <algorithm>

#include "models/documents/node_json.hpp"
#include "sim/scenario/pasted/kuma_destinations.hpp"
#include "sim/scenario/pasted/mesh_inventory.hpp"
#include "sim/scenario/pasted/pasted_documents.hpp"

namespace spillway::scenario::pasted {

std::string FirstRequest::in_words() const {
  std::string words = path.empty() ? "" : " to " + path;
  for (const auto& [name, value] : headers) {
    words += " with " + name + ": " + value;
  }
  return words;
}

void FirstRequest::write_into(Json& workload) const {
  if (!path.empty()) {
    workload["path"] = path;
  }
  for (const auto& [name, value] : headers) {
    workload["headers"][name] = value;
  }
}

FirstRequest first_request(const Json& virtual_service) {
  FirstRequest request;
  const Json& http = child(child(virtual_service, "spec"), "http");
  for (const Json& route : http) {
    const Json& matches = child(route, "match");
    const bool any = matches.empty() || std::any_of(matches.begin(), matches.end(), [](const Json& match) {
                       return match.empty() || (match.size() == 1 && text_of(child(match, "uri"), "prefix") == "/");
                     });
    if (any) {
      return {};
    }
  }
  if (http.empty() || child(http.front(), "match").empty()) {
    return request;
  }
  const Json& match = child(http.front(), "match").front();
  for (const char* const key : {"exact", "prefix"}) {
    if (const std::string path = text_of(child(match, "uri"), key); path.starts_with('/') && request.path.empty()) {
      request.path = path;
    }
    const Json& headers = child(match, "headers");
    for (auto header = headers.begin(); header != headers.end(); ++header) {
      if (const std::string value = text_of(*header, key); !value.empty() && header.key().front() != '@') {
        request.headers.emplace_back(header.key(), value);
      }
    }
  }
  return request;
}

FirstRequest first_request_of_kuma(const PastedDocuments& documents, const std::string& service) {
  FirstRequest request;
  for (const documents::Node* const document : documents.documents()) {
    const Json route = documents::json_of(*document);
    for (const Json& to : kind_of_kuma(route) == "MeshHTTPRoute" ? child(child(route, "spec"), "to") : Json()) {
      if (name_meant_by(child(to, "targetRef")) != service) {
        continue;
      }
      for (const Json& rule : child(to, "rules")) {
        const Json& matches = child(rule, "matches");
        const auto takes_all = [](const Json& match) {
          return match.empty() || (match.size() == 1 && text_of(child(match, "path"), "type") == "PathPrefix" &&
                                   text_of(child(match, "path"), "value") == "/");
        };
        if (matches.empty() || std::any_of(matches.begin(), matches.end(), takes_all)) {
          return {};
        }
        const Json& match = matches.front();
        if (!request.empty()) {
          continue;  // a later rule may take all requests
        }
        if (text_of(child(match, "path"), "type") != "RegularExpression") {
          request.path = text_of(child(match, "path"), "value");
        }
        for (const Json& header : child(match, "headers")) {
          const std::string type = text_of(header, "type");
          if (type.empty() || type == "Exact" || type == "Prefix") {
            request.headers.emplace_back(text_of(header, "name"), text_of(header, "value"));
          }
        }
      }
    }
  }
  return request;
}

}  // namespace spillway::scenario::pasted
