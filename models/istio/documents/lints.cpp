#include "models/istio/documents/lints.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "models/documents/problem.hpp"
#include "models/istio/documents/documents.hpp"
#include "models/istio/lints.hpp"
#include "models/kuma/documents/field_path.hpp"

namespace spillway::istio {

namespace {

using documents::Member;
using documents::Node;

constexpr std::uint32_t first_code = 660;
constexpr std::uint32_t failover_without_outlier = 1;
constexpr std::uint32_t written_zero = 23;

// Titles by number, from 1.
constexpr std::array<const char*, istio::last_lint> titles = {"locality settings without outlier detection",
                                                              "outlier detection that prefers the client's zone",
                                                              "settings that drop others",
                                                              "a client without a locality",
                                                              "subzones on one side only",
                                                              "a `distribute` key without endpoints",
                                                              "a locality that `distribute` leaves out",
                                                              "a client that no `from` covers",
                                                              "percentages that rounding changes",
                                                              "`distribute` that does not fail over",
                                                              "a rule that another one hides",
                                                              "outlier detection that cannot eject a whole zone",
                                                              "a panic threshold",
                                                              "`failoverPriority` for endpoints by DNS",
                                                              "a locality setting that replaces a traffic distribution",
                                                              "the mesh's outlier detection, which does not fail over",
                                                              "retries without attempts",
                                                              "requests that are not hashed",
                                                              "retries that leave the hashed host",
                                                              "settings that a headless service does not take",
                                                              "a WorkloadEntry that weighs more than a pod",
                                                              "two groups of one locality",
                                                              "a zero that means the default",
                                                              "an endpoint that counts as terminating",
                                                              "a warm-up without an effect",
                                                              "a host that matches no service",
                                                              "a short name of another namespace",
                                                              "endpoints of another network in the same zone",
                                                              "one gateway for several localities",
                                                              "a locality label with dots",
                                                              "a small locality that keeps its share",
                                                              "a subset without endpoints",
                                                              "what is behind a network gateway is not simulated",
                                                              "a port of a service without endpoints",
                                                              "outlier detection that counts no other 5xx"};

// Fields in which 0 means the default, which is mostly no limit.
constexpr std::array<std::string_view, 6> zero_is_default = {"maxConnections",       "http1MaxPendingRequests",
                                                             "http2MaxRequests",     "maxRetries",
                                                             "maxConcurrentStreams", "maxEjectionPercent"};

template <class Tell>
void find_zeros(const Node& node, bool within, const Tell& tell) {
  for (const Member& member : node.members) {
    const bool block = within || member.key == "connectionPool" || member.key == "outlierDetection";
    const bool named = std::find(zero_is_default.begin(), zero_is_default.end(), member.key) != zero_is_default.end();
    if (within && named && member.value.kind == documents::Kind::integer && member.value.magnitude == 0) {
      tell(member);
    }
    find_zeros(member.value, block, tell);
  }
  for (const Node& item : node.items) {
    find_zeros(item, within, tell);
  }
}

std::string name_of(const Origin& origin) {
  return origin.meta.kind + " " + in_ticks(origin.meta.name_space + "/" + origin.meta.name);
}

}  // namespace

std::string code_of(std::uint32_t lint) {
  // SP693 is not a lint.
  return "SP" + std::to_string(first_code + lint + (lint > istio::subset_without_endpoints ? 1 : 0));
}

void LintReport::add(std::uint32_t number, Span where, const std::string& name, std::string label) {
  if (!reported_.emplace(number, where.file, where.line, where.column).second) {
    return;
  }
  // istiod's own warning at the same place has less detail.
  if (number == failover_without_outlier) {
    std::erase_if(*problems_,
                  [&](const Diagnostic& reported) { return reported.code == "SP653" && reported.where == where; });
  }
  problems_->warning(code_of(number), where, "{}{}{}", "{}",
                     {titles[number - 1], name.empty() ? "" : " in ", name, label});
}

void LintReport::add(const std::vector<istio::Lint>& lints, Span client) {
  for (const istio::Lint& lint : lints) {
    if (lint.of_client) {
      add(lint.number, client, "", lint.message);
      continue;
    }
    // Equal fields of a document have equal places.
    if (!looked_up_.emplace(lint.document, lint.number, lint.path, lint.unless).second) {
      continue;
    }
    const auto origin = documents_->by_age.find(lint.document);
    if (origin == documents_->by_age.end()) {
      continue;
    }
    const documents::Node& node = *origin->second.node;
    const Span where = kuma::place_of(node, lint.path);
    const bool meant = !lint.unless.empty() && kuma::place_of(node, lint.path + "." + lint.unless) != where;
    if (!meant) {
      add(lint.number, where, name_of(origin->second), lint.message);
    }
  }
}

void LintReport::add_written_zeros() {
  for (const auto& [age, origin] : documents_->by_age) {
    find_zeros(*origin.node, false, [&](const Member& member) {
      add(written_zero, member.value.span, name_of(origin),
          member.key == "maxEjectionPercent" ? "0 counts as not set, which is 10 %" : "0 counts as not set: no limit");
    });
  }
}

}  // namespace spillway::istio
