// The requests that assumed clients send where all routes of a service have conditions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/scenario/pasted/assumed_zones.hpp"

namespace spillway::scenario::pasted {

struct PastedDocuments;  // pasted_documents.hpp

// The request that the first route matches, if no route matches every request.
struct FirstRequest {
  std::string path = {};
  std::vector<std::pair<std::string, std::string>> headers = {};

  [[nodiscard]] bool empty() const noexcept { return path.empty() && headers.empty(); }
  [[nodiscard]] std::string in_words() const;  // " to /cart with x-user: a"
  void write_into(Json& workload) const;
};

[[nodiscard]] FirstRequest first_request(const Json& virtual_service);
// Returns the same of the MeshHTTPRoutes to a service of Kuma.
[[nodiscard]] FirstRequest first_request_of_kuma(const PastedDocuments& documents, const std::string& service);

}  // namespace spillway::scenario::pasted
