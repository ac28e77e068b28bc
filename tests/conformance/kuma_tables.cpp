// The kinds that ask for one table: affinity groups, factors, what an ingress advertises, validation.
#include <algorithm>

#include "models/kuma/affinity_groups.hpp"
#include "models/kuma/overprovisioning_factor.hpp"
#include "models/kuma/topology.hpp"
#include "models/kuma/validation.hpp"
#include "tests/conformance/kuma_documents.hpp"
#include "tests/conformance/kuma_kinds.hpp"

namespace spillway::conformance {

namespace {

json json_of(const std::vector<kuma::Violation>& violations) {
  json list = json::array();
  for (const auto& violation : violations) {
    list.push_back({{"field", violation.field}, {"message", violation.message}});
  }
  return list;
}

json sorted(json list) {
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace

void replay_kuma_affinity_groups(const json& test_case, config::KumaProfile profile, Check& check) {
  const auto conf = read_merged_conf(test_case.at("policy")).value_or(kuma::Conf{});
  const auto client = read_client(test_case.at("client"), object_of(test_case, "context"));
  const auto groups = kuma::affinity_groups(conf, client, profile);
  json list = json::array();
  for (const auto& group : groups) {
    list.push_back({{"key", group.key}, {"value", group.value}, {"weight", group.weight}});
  }
  check.equal("affinity_groups", list);
  check.equal("sum_with_unmatched", kuma::weight_sum(groups, profile));
}

void replay_kuma_opf_table(const json& /*test_case*/, config::KumaProfile profile, Check& check) {
  const auto factor = [profile](const std::string& percentage) {
    return kuma::overprovisioning_factor(percentage, profile);
  };
  check.equal_if_expected("factor_by_percentage", [&] {
    json table = json::object();
    for (const auto& [percentage, expected] : check.expected().at("factor_by_percentage").items()) {
      table[percentage] = factor(percentage);
    }
    return table;
  });
  check.equal("absent", kuma::overprovisioning_factor(kuma::Conf{}, profile));
  check.equal("not_a_number", factor("hello"));
  check.equal("zero", factor("0"));
}

void replay_kuma_available_services(const json& test_case, config::KumaProfile /*profile*/, Check& check) {
  const json& input = test_case.at("input");
  std::vector<kuma::Dataplane> dataplanes;
  for (const json& object : input.at("dataplanes")) {
    kuma::Dataplane dataplane{.mesh = object.value("mesh", std::string("default"))};
    dataplane.inbounds.push_back({.tags = read_tags(object.at("tags"))});
    dataplanes.push_back(std::move(dataplane));
  }
  const auto filters = input.value("tag_filters", std::vector<std::string>());
  json list = json::array();
  for (const auto& service : kuma::available_services(dataplanes, filters)) {
    list.push_back({{"instances", service.instances}, {"mesh", service.mesh}, {"tags", service.tags}});
  }
  check.equal("available_services", list);
}

// The order of the schema's messages is not Kuma's promise; that of the validator's is.
void replay_kuma_validation(const json& test_case, config::KumaProfile profile, Check& check) {
  const DropUnknownFields as_kuma;
  const auto spec = read_policy(test_case.at("policy")).spec;
  const auto violations = kuma::validate(spec, profile);
  check.equal("violations", json_of(violations));
  check.equal("valid", violations.empty());
  const json schema = sorted(json_of(kuma::schema_violations(spec, profile)));
  check.documentation("schema_first");
  const json expected = sorted(check.expected().value("schema_first", json::array()));
  if (expected != schema) {
    check.fail("schema_first: expected " + expected.dump() + ", got " + schema.dump());
  }
}

}  // namespace spillway::conformance
