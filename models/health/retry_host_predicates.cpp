#include "models/health/retry_host_predicates.hpp"

#include <algorithm>
#include <variant>

namespace spillway::health {

namespace {

bool is_canary(const config::Struct& lb_metadata) {
  const config::Value* const canary = lb_metadata.find("canary");
  const bool* const value = canary == nullptr ? nullptr : canary->as_bool();
  return value != nullptr && *value;
}

}  // namespace

bool matches_metadata(const config::Struct& match, const config::Struct& lb_metadata) {
  return std::all_of(match.fields().begin(), match.fields().end(), [&](const config::Field& wanted) {
    const config::Value* const found = lb_metadata.find(wanted.name);
    if (found == nullptr) {
      return false;
    }
    const config::Value::List* const list = found->as_list();
    return *found == wanted.value ||
           (list != nullptr && std::find(list->begin(), list->end(), wanted.value) != list->end());
  });
}

bool RetryHostPredicates::rejects(const envoy::Pick& pick, const config::Struct* lb_metadata) const {
  return std::any_of(predicates_.begin(), predicates_.end(), [&](const config::RetryHostPredicate& predicate) {
    if (std::holds_alternative<config::PreviousHosts>(predicate)) {
      return std::find(attempted_.begin(), attempted_.end(), std::pair(pick.child, pick.host)) != attempted_.end();
    }
    if (lb_metadata == nullptr) {
      return false;
    }
    if (const auto* const omit = std::get_if<config::OmitHostMetadata>(&predicate)) {
      return !omit->metadata_match.empty() && matches_metadata(omit->metadata_match, *lb_metadata);
    }
    return is_canary(*lb_metadata);
  });
}

}  // namespace spillway::health
