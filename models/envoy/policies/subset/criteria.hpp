// The criteria by which requests find their subset.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/config/metadata.hpp"

namespace spillway::envoy::policies::subset {

// Names in byte order, each once.
using KeySet = std::vector<std::string>;
[[nodiscard]] KeySet key_set(std::vector<std::string> keys);

// The criteria of one attempt: all of `values`, or only those with a key in `keys`. Lifetime: refers to both.
struct CriteriaView {
  const config::Struct* values = nullptr;  // null if the request has no criteria
  const KeySet* keys = nullptr;            // null if not restricted
};

// The criteria of a request. It is built once per route and request metadata, so that picks do not allocate.
class Criteria {
 public:
  Criteria() = default;  // no criteria
  explicit Criteria(config::Struct requested);

  [[nodiscard]] const std::optional<config::Struct>& requested() const noexcept { return requested_; }

  // Returns the criteria that FALLBACK_LIST tries in turn; nullopt if there is no criterion fallback_list.
  [[nodiscard]] const std::optional<std::vector<config::Struct>>& fallback_list() const noexcept {
    return fallback_list_;
  }

 private:
  std::optional<config::Struct> requested_;
  std::optional<std::vector<config::Struct>> fallback_list_;
};

}  // namespace spillway::envoy::policies::subset
