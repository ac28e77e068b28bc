// Findings of admission about names: DNS labels, domains, labels of workloads, selectors and namespaces of exportTo.
//
//   is_domain("*.example", true);   // true
//   check_exports({"*", "other"}, "shop", {}, findings);   // refused: public and more
//
// Source: docs/behaviour/istio.md 11; istiod's pkg/config/labels/instance.go, pkg/config/visibility/visibility.go,
// pkg/config/validation/validation.go (validateExportTo, validateWorkloadSelector), agent/validation.go.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/istio/names.hpp"
#include "models/istio/validation.hpp"

namespace spillway::istio {

// True for up to 63 letters and digits, with - allowed between them.
[[nodiscard]] bool is_dns_label(std::string_view text);

// True for DNS labels separated by dots, if the last one is not a number. With `wildcards`, the first label may begin
// with *.
[[nodiscard]] bool is_domain(std::string_view text, bool wildcards);

// True for valid keys and values of Kubernetes labels. A key may begin with a domain and a slash.
[[nodiscard]] bool is_label_key(std::string_view key);
[[nodiscard]] bool is_label_value(std::string_view value);

// True if Istio knows the protocol's name, in upper or lower case, or if it is empty: the proxy then detects it.
[[nodiscard]] bool is_known_protocol(const std::string& protocol);

void check_labels(const Labels& labels, const std::string& path, std::vector<Finding>& findings);
void check_port_number(std::uint32_t port, const std::string& path, std::vector<Finding>& findings);
void check_selector(const std::optional<Labels>& selector, std::vector<Finding>& findings);

// The kind of document that has an exportTo: a ServiceEntry may have `~`; a rule with a workloadSelector must stay in
// its namespace.
enum class Exported : std::uint8_t { document, entry, rule_with_selector };
void check_exports(const std::vector<std::string>& export_to, const std::string& name_space, Exported what,
                   std::vector<Finding>& findings);

}  // namespace spillway::istio
