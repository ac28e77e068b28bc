#include <map>
#include <stdexcept>
#include <vector>

#include "tests/conformance/kuma_kinds.hpp"

namespace spillway::conformance {

namespace {

// One line a kind. The load assignment of a `locality` may come with shares, as that of a `distribution` does.
const std::map<std::string, KumaReplay> kuma_replays = {
    {"affinity_groups", replay_kuma_affinity_groups},
    {"available_services", replay_kuma_available_services},
    {"distribution", replay_kuma_assignment},
    {"egress_match", replay_kuma_egress_match},
    {"grouping", replay_kuma_grouping},
    {"hash_affinity", replay_kuma_hash_affinity},
    {"locality", replay_kuma_assignment},
    {"merge", replay_kuma_merge},
    {"opf_table", replay_kuma_opf_table},
    {"topology", replay_kuma_topology},
    {"validation", replay_kuma_validation},
};

std::vector<config::KumaProfile> profiles_of(const std::string& name) {
  using config::KumaProfile;
  static const std::map<std::string, std::vector<KumaProfile>> profiles = {
      {"release-2.14", {KumaProfile::release_2_14}},
      {"head-3.x", {KumaProfile::head}},
      {"head", {KumaProfile::head}},
      {"both", {KumaProfile::release_2_14, KumaProfile::head}},
      {"document", {KumaProfile::document}}};
  const auto found = profiles.find(name);
  if (found == profiles.end()) {
    throw std::invalid_argument("unknown profile " + name);
  }
  return found->second;
}

}  // namespace

bool is_kuma_case(const json& test_case) {
  return test_case.contains("policy");
}

void replay_kuma(const json& test_case, Check& check) {
  const auto kind = test_case.at("kind").get<std::string>();
  const auto found = kuma_replays.find(kind);
  if (found == kuma_replays.end()) {
    throw std::invalid_argument("unknown kind " + kind);
  }
  for (const config::KumaProfile profile : profiles_of(test_case.at("profile").get<std::string>())) {
    found->second(test_case, profile, check);
  }
}

}  // namespace spillway::conformance
