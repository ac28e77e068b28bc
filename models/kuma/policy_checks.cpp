#include "models/kuma/policy_checks.hpp"

#include <array>
#include <utility>

#include "models/kuma/decimal.hpp"
#include "models/kuma/target_ref_validation.hpp"

namespace spillway::kuma {

namespace {

constexpr std::array<std::string_view, 6> all_top_kinds = {"Mesh",        "MeshSubset",        "MeshGateway",
                                                           "MeshService", "MeshServiceSubset", "Dataplane"};
// The mesh is first and the route last, since not every policy may name them.
constexpr std::array<std::string_view, 5> all_to_kinds = {"Mesh", "MeshService", "MeshExternalService",
                                                          "MeshMultiZoneService", "MeshHTTPRoute"};
// The subset is last, since head no longer has it.
constexpr std::array<std::string_view, 4> backend_kinds = {"MeshService", "MeshExternalService", "MeshMultiZoneService",
                                                           "MeshServiceSubset"};
using Kinds = std::span<const std::string_view>;

bool is_head(const TargetKinds& kinds) {
  return kinds.profile == config::KumaProfile::head;
}

}  // namespace

void check_above_zero(const std::optional<std::uint32_t>& number, std::string path, Violations& violations) {
  if (number == 0U) {
    violations.push_back({std::move(path), "must be greater than 0"});
  }
}

void check_threshold(const std::optional<std::uint32_t>& number, std::string path, Violations& violations) {
  if (number == 0U) {
    violations.push_back({std::move(path), "must be greater than zero when defined"});
  }
}

void check_positive(const std::optional<std::chrono::nanoseconds>& duration, std::string path, Violations& violations) {
  if (duration && duration->count() <= 0) {
    violations.push_back({std::move(path), "must be greater than zero when defined"});
  }
}

void check_percentage(const std::optional<std::uint32_t>& percentage, std::string path, Violations& violations) {
  if (percentage && *percentage > 100) {
    violations.push_back({std::move(path), "must be in inclusive range [0, 100]"});
  }
}

void check_percentage(const std::optional<IntOrString>& percentage, std::string path, Violations& violations) {
  if (!percentage) {
    return;
  }
  const auto decimal = parse_decimal(*percentage);
  if (!decimal) {
    violations.push_back({std::move(path), "string must be a valid number"});
  } else if (decimal->sign < 0 || decimal->above_hundred) {
    violations.push_back({std::move(path), "must be in inclusive range [0.0, 100.0]"});
  }
}

config::Percent percent_of(const IntOrString& percentage) {
  const auto decimal = parse_decimal(percentage);
  return config::Percent{decimal ? decimal->value : 0.0};
}

void check_top_target(const std::optional<TargetRef>& target, const TargetKinds& kinds, Violations& violations) {
  if (target) {
    validate_target_ref(*target, "spec.targetRef",
                        {.supported_kinds = is_head(kinds) ? Kinds(head_top_kinds) : Kinds(all_top_kinds),
                         .profile = kinds.profile,
                         .inbound = kinds.inbound},
                        violations);
  }
}

void check_to_target(const std::optional<TargetRef>& target, const std::optional<TargetRef>& top,
                     const std::string& path, const TargetKinds& kinds, Violations& violations) {
  Kinds supported = Kinds(all_to_kinds).first(kinds.names_routes ? 5 : 4).subspan(kinds.routes ? 1 : 0);
  if (kinds.routes && !is_head(kinds) && top && top->kind == "MeshGateway") {
    supported = Kinds(all_to_kinds).first(1);
  }
  validate_target_ref(target.value_or(TargetRef{}), path, {.supported_kinds = supported, .profile = kinds.profile},
                      violations);
}

void check_backend_ref(const TargetRef& target, bool has_port, const std::string& path, config::KumaProfile profile,
                       Violations& violations) {
  const bool head = profile == config::KumaProfile::head;
  validate_target_ref(target, path, {.supported_kinds = Kinds(backend_kinds).first(head ? 3 : 4), .profile = profile},
                      violations);
  if (target.kind == "MeshMultiZoneService" && !has_port) {
    violations.push_back({path + ".port", "must be defined with kind MeshMultiZoneService"});
  }
}

}  // namespace spillway::kuma
