#include <algorithm>
#include <cmath>
#include <set>

#include "tests/conformance/kuma_shares.hpp"

namespace spillway::conformance {

namespace {

using Shares = std::map<std::string, double>;

double share_of(const Shares& shares, const std::string& endpoint) {
  const auto found = shares.find(endpoint);
  return found == shares.end() ? 0.0 : found->second;
}

void check_counts(const Shares& shares, const json& e2e, Check& check) {
  const json counts = e2e.value("counts", json::object());
  const double requests = e2e.value("requests", 0.0);
  for (const auto& [endpoint, range] : counts.items()) {
    const double count = share_of(shares, endpoint) * requests;
    if (std::abs(count - range.at(0).get<double>()) > range.at(1).get<double>()) {
      check.fail("e2e.counts." + endpoint + ": expected about " + range.dump() + ", got " + std::to_string(count));
    }
  }
}

// Whether something that was seen can be.
bool holds(const Shares& shares, const std::string& field, const json& value) {
  const auto seen = std::count_if(shares.begin(), shares.end(), [](const auto& entry) { return entry.second > 0.0; });
  if (field == "both_instances_seen") {
    return (seen >= 2) == value.get<bool>();
  }
  if (field == "all_three_seen") {
    return (seen >= 3) == value.get<bool>();
  }
  if (field == "expect_error") {
    return (seen == 0) == value.get<bool>();
  }
  if (field == "result") {
    return value == "all 5xx" && seen == 0;
  }
  const double share = share_of(shares, value.get<std::string>());
  return field == "only" ? share > 0.0 && seen == 1 : field == "seen" && share > 0.0;
}

}  // namespace

void check_end_to_end(const Shares& shares, Check& check) {
  // How often something was asked, and what only a second hop decides.
  static const std::set<std::string> circumstances = {"counts", "requests", "consecutive", "requests_of_this_split",
                                                      "counts_end_to_end"};
  check.documentation("e2e");
  const json e2e = check.expected().value("e2e", json::object());
  check_counts(shares, e2e, check);
  for (const auto& [field, value] : e2e.items()) {
    if (!circumstances.contains(field) && !holds(shares, field, value)) {
      check.fail("e2e." + field + ": expected " + value.dump());
    }
  }
}

}  // namespace spillway::conformance
