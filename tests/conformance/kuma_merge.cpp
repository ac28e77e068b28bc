// Precedence and merging: the conf that a client has for a destination; and what the zone egress sees of it.
#include <stdexcept>

#include "models/kuma/cluster_settings.hpp"
#include "models/kuma/egress_rules.hpp"
#include "models/kuma/rules.hpp"
#include "tests/conformance/kuma_documents.hpp"
#include "tests/conformance/kuma_kinds.hpp"

namespace spillway::conformance {

namespace {

// The items of all policies that name something, in order.
std::vector<kuma::TargetRef> named_targets(const std::vector<kuma::Policy>& policies) {
  std::vector<kuma::TargetRef> targets;
  for (const auto& policy : policies) {
    for (const auto& item : policy.spec.to.value_or(std::vector<kuma::To>{})) {
      if (item.targetRef && item.targetRef->kind != "Mesh") {
        targets.push_back(*item.targetRef);
      }
    }
  }
  return targets;
}

kuma::Destination read_destination(const json& object) {
  kuma::Destination destination;
  for (const auto& [key, value] : object.items()) {
    if (key == "kind") {
      destination.kind = value.get<std::string>();
    } else if (key == "name" || key == "display_name") {
      destination.name = value.get<std::string>();
      destination.labels[std::string(kuma::display_name_label)] = destination.name;
    } else if (key == "labels") {
      destination.labels.merge(read_tags(value));
    } else if (key == "port_name") {
      destination.port_name = value.get<std::string>();
    } else if (key == "port") {
      destination.port = value.get<std::uint32_t>();
    } else {
      throw std::invalid_argument("cannot read destination." + key);
    }
  }
  return destination;
}

// A case that does not say which destination it asks for means the one that its policies name: the resource of the
// first item, on the port that any of them names.
kuma::Destination destination_of(const json& context, const std::vector<kuma::Policy>& policies) {
  if (has(context, "destination")) {
    return read_destination(context.at("destination"));
  }
  kuma::Destination destination;
  for (const auto& target : named_targets(policies)) {
    if (destination.kind.empty()) {
      destination.kind = *target.kind;
      destination.labels = target.labels.value_or(kuma::Tags{});
      destination.name =
          target.name.value_or(std::string(kuma::value_of(destination.labels, kuma::display_name_label)));
    }
    if (target.sectionName) {
      destination.port_name = *target.sectionName;
    }
  }
  return destination;
}

bool by_tag(const json& context, const kuma::Destination& destination, config::KumaProfile profile) {
  if (has(context, "rule_path")) {
    const auto path = context.at("rule_path").get<std::string>();
    if (path != "tag" && path != "real-resource") {
      throw std::invalid_argument("unknown rule_path " + path);
    }
    return path == "tag";
  }
  return profile != config::KumaProfile::head && destination.labels.empty();
}

json cookies_and_headers(const std::vector<kuma::HashPolicy>& policies) {
  json list = json::array();
  for (const auto& policy : policies) {
    if (policy.cookie) {
      list.push_back({{"cookie", policy.cookie->name.value_or("")}});
    } else if (policy.header) {
      list.push_back({{"header", policy.header->name.value_or("")}});
    } else {
      list.push_back(to_json(policy));
    }
  }
  return list;
}

}  // namespace

void replay_kuma_merge(const json& test_case, config::KumaProfile profile, Check& check) {
  const json context = object_of(test_case, "context");
  const auto policies = read_policies(test_case.at("policy"));
  const auto client = read_client(test_case.at("client"), context);
  const auto destination = destination_of(context, policies);
  const bool tag = by_tag(context, destination, profile);
  const auto rule = tag ? kuma::tag_rule(policies, client, destination.name, profile)
                        : kuma::resource_rule(policies, client, destination, profile);
  const kuma::Conf conf = rule ? rule->conf : kuma::Conf{};
  check.equal("conf", !rule && tag ? json(nullptr) : to_json(conf));
  const auto model = tag ? kuma::DestinationModel::tag : kuma::DestinationModel::mesh_service;
  const auto settings = kuma::cluster_settings(conf, client, model);
  check.equal("lb_policy", std::string(kuma::envoy_name(settings.lb_policy)));
  check.equal_if_expected("maglev_table_size", [&] {
    return settings.maglev_lb_config && settings.maglev_lb_config->table_size
               ? json(*settings.maglev_lb_config->table_size)
               : json(nullptr);
  });
  check.equal_if_expected("hash_policies", [&] {
    return cookies_and_headers(kuma::hash_policies(conf, profile).value_or(std::vector<kuma::HashPolicy>{}));
  });
}

void replay_kuma_egress_match(const json& test_case, config::KumaProfile /*profile*/, Check& check) {
  const json context = object_of(test_case, "context");
  const auto policies = read_policies(test_case.at("policy"));
  const kuma::Destination destination = destination_of(context, policies);
  kuma::Tags tags = read_tags(context.value("service_tags", json::object()));
  tags.try_emplace(std::string(kuma::service_tag), destination.name);
  const auto rules = kuma::egress_rules(policies, tags);
  json list = json::array();
  for (const auto& rule : rules) {
    json when = json::object();
    for (const auto& tag : rule.when) {
      when[tag.key] = (tag.negated ? "!" : "") + tag.value;
    }
    list.push_back({{"when", when}, {"conf", to_json(rule.conf)}});
  }
  check.equal("rules", list);
  const auto whole_mesh = kuma::whole_mesh_conf(rules);
  check.equal("applied_on_egress_for_whole_mesh", whole_mesh ? to_json(*whole_mesh) : json(nullptr));
}

}  // namespace spillway::conformance
