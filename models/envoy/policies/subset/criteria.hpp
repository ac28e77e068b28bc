// The criteria of requests, by which they find their subset.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/config/metadata.hpp"

namespace spillway::envoy::policies::subset {

// Names in byte order, each once.
using KeySet = std::vector<std::string>;
[[nodiscard]] KeySet key_set(std::vector<std::string> keys);

// The criteria of one attempt: those of `values` that are in `keys`, or all. Views what it is made of.
struct CriteriaView {
  const config::Struct* values = nullptr;  // null: the request asks for nothing
  const KeySet* keys = nullptr;            // null: no restriction
};

// The criteria of a request. Built once per route and request metadata; picks then allocate nothing.
class Criteria {
 public:
  Criteria() = default;  // nothing
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
