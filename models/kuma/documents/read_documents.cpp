#include "models/kuma/documents/read_documents.hpp"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "models/documents/problem.hpp"
#include "models/kuma/documents/admission.hpp"
#include "models/kuma/documents/documents.hpp"
#include "models/kuma/documents/dropped_fields.hpp"
#include "models/kuma/documents/field_path.hpp"
#include "models/kuma/documents/resources.hpp"
#include "models/kuma/messages/kinds.hpp"
#include "models/kuma/messages/other_kinds.hpp"
#include "models/kuma/messages/shapes.hpp"
#include "models/kuma/messages/target_ref.hpp"
#include "models/kuma/policy_role.hpp"
#include "models/kuma/references.hpp"
#include "models/kuma/validation.hpp"

namespace spillway::kuma {
namespace {

// Notes the origin of a route's references: names are resolved in the namespace and zone of the route's policy.
template <class Policy>
void note_origins(Policy& policy) {
  if constexpr (requires { policy.to->front().default_.rules.front().backendRefs; }) {
    const kuma::ReferenceOrigin origin = kuma::reference_origin(policy.labels);
    for (std::size_t item = 0; policy.to && item < policy.to->size(); ++item) {
      for (auto& rule : (*policy.to)[item].default_.rules) {
        for (std::size_t i = 0; rule.backendRefs && i < rule.backendRefs->size(); ++i) {
          (*rule.backendRefs)[i].origin = origin;
        }
      }
    }
  }
}

constexpr const char* default_mesh = "default";
const std::string mesh_label(kuma::mesh_tag);

// Reads the documents of both lists one by one.
class Reader {
 public:
  Reader(config::KumaProfile profile, Diagnostics& problems) : profile_(profile), problems_(problems) {}

  void read(const messages::KumaDocuments& list) {
    if (list.present && documents_.empty()) {
      documents_.first = list.key;
    }
    for (const auto& item : list.value) {
      for (const messages::KumaDocument& document : item.value) {
        if (document.istio) {
          continue;
        }
        ++documents_.count;
        read(document);
      }
    }
  }

  Documents finish() {
    find_members(documents_, problems_);
    refuse_changed_hashes(documents_, problems_);
    return std::move(documents_);
  }

 private:
  void read(const messages::KumaDocument& document) {
    if (const auto* const other = messages::find_passed_over(document.kind.value)) {
      problems_.warning("SP603", document.kind.where, "`{}` is ignored", "{}", {document.kind.value, other->word});
      if (messages::is_inbound(document.kind.value) || messages::changes_proxies(document.kind.value)) {
        add_inbound(document);
      }
      return;
    }
    if (!document.clean) {
      return;
    }
    const Origin origin = origin_of(document);
    if (!is_new(origin)) {
      return;
    }
    if (document.body != nullptr) {
      std::visit([&](const auto& body) { add(origin, body); }, document.body->of_kind);
    }
    if (profile_ == config::KumaProfile::head) {
      warn_of_dropped_fields(*document.node, problems_);
    }
  }

  Origin origin_of(const messages::KumaDocument& document) {
    Origin origin{.where = document.kind.where,
                  .name_at = document.name.where,
                  .mesh_at = document.name.where,
                  .kind = document.kind.value,
                  .name = document.name.value,
                  .labels = document.labels.value,
                  .kubernetes = document.kubernetes,
                  .node = document.node};
    if (document.name_space.given) {
      origin.labels[std::string(kuma::namespace_label)] = document.name_space.value;
    }
    read_mesh(document, origin);
    return origin;
  }

  void read_mesh(const messages::KumaDocument& document, Origin& origin) {
    const bool in_mesh =
        document.body != nullptr && std::visit([](const auto& body) { return body.in_mesh; }, document.body->of_kind);
    if (!in_mesh) {
      origin.mesh.clear();
      return;
    }
    const std::string_view label = kuma::value_of(origin.labels, kuma::mesh_tag);
    if (document.mesh.given && !label.empty() && label != document.mesh.value) {
      problems_.error("SP606", document.mesh.where, "two meshes for one document: `{0}` and `{1}`",
                      "the label {2} says `{1}`", {document.mesh.value, label, mesh_label});
    }
    origin.mesh = document.mesh.given ? document.mesh.value : std::string(label.empty() ? default_mesh : label);
    if (document.mesh.given) {
      origin.mesh_at = document.mesh.where;
    } else if (!label.empty()) {
      origin.mesh_at =
          place_of(*document.node, (document.kubernetes ? "metadata.labels[\"" : "labels[\"") + mesh_label + "\"]");
    }
  }

  bool is_new(const Origin& origin) {
    const auto [known, added] = places_.try_emplace(
        {origin.kind, origin.mesh, std::string(origin.zone()), std::string(origin.name_space()), origin.name},
        origin.name_at);
    if (!added) {
      problems_.error("SP604", origin.name_at, "a second {} `{}`", "the name is taken", {origin.kind, origin.name})
          .note("first written in {}", {place(known->second)});
    }
    return added;
  }

  void add(const Origin& origin, const messages::MeshLoadBalancingStrategy& body) {
    if (admit(origin, kuma::admit(body.spec, profile_), problems_)) {
      const Origin labelled = with_role(origin, body.spec.to);
      documents_.strategies.push_back({labelled, {labelled.name, labelled.labels, body.spec}});
    }
  }
  void add(const Origin& origin, const messages::MeshHTTPRoute& body) {
    add_policy(origin, body.spec, documents_.http_routes);
  }
  void add(const Origin& origin, const messages::MeshTCPRoute& body) {
    add_policy(origin, body.spec, documents_.tcp_routes);
  }
  void add(const Origin& origin, const messages::MeshCircuitBreaker& body) {
    add_policy(origin, body.spec.outbound, documents_.circuit_breakers,
               kuma::validate(body.spec.outbound, body.spec.inbound, profile_));
  }
  void add(const Origin& origin, const messages::MeshHealthCheck& body) {
    add_policy(origin, body.spec, documents_.health_checks);
  }
  void add(const Origin& origin, const messages::MeshRetry& body) { add_policy(origin, body.spec, documents_.retries); }
  void add(const Origin& origin, const messages::MeshTimeout& body) {
    add_policy(origin, body.spec.outbound, documents_.timeouts,
               kuma::validate(body.spec.outbound, body.spec.inbound, profile_));
  }

  // Keeps which proxies a document applies to; the rest of it is not read.
  void add_inbound(const messages::KumaDocument& document) {
    Origin origin{.where = document.kind.where,
                  .name_at = document.kind.where,
                  .mesh_at = document.kind.where,
                  .kind = document.kind.value,
                  .node = document.node};
    const documents::Member* const name = document.node->find("name");
    const documents::Member* const mesh = document.node->find("mesh");
    origin.name = name == nullptr ? origin.kind : name->value.text;
    origin.mesh = mesh == nullptr ? default_mesh : mesh->value.text;
    kuma::Policy policy{.name = origin.name};
    const documents::Member* const spec = document.node->find("spec");
    const documents::Member* const target = spec == nullptr ? nullptr : spec->value.find("targetRef");
    if (target != nullptr) {
      static_cast<void>(messages::Message<kuma::TargetRef>{}.read(target->value, policy.spec.targetRef.emplace(),
                                                                  "targetRef", problems_));
    }
    documents_.inbound.push_back({std::move(origin), std::move(policy)});
  }

  template <class Policy>
  void add_policy(const Origin& origin, const Policy& policy, std::vector<Document<Policy>>& into) {
    add_policy(origin, policy, into, kuma::validate(policy, profile_));
  }

  template <class Policy>
  void add_policy(const Origin& origin, Policy policy, std::vector<Document<Policy>>& into,
                  const std::vector<kuma::Violation>& violations) {
    if (admit(origin, violations, problems_)) {
      const Origin labelled = with_role(origin, policy.to);
      policy.name = labelled.name;
      policy.labels = labelled.labels;
      note_origins(policy);
      into.push_back({labelled, std::move(policy)});
    }
  }

  // Adds the role that a control plane would assign to a Kubernetes policy that has none yet.
  template <class Items>
  Origin with_role(Origin origin, const std::optional<Items>& to) {
    if (!origin.kubernetes || origin.labels.contains(std::string(kuma::policy_role_label))) {
      return origin;
    }
    std::vector<kuma::TargetRef> targets;
    for (const auto& item : to.value_or(Items{})) {
      targets.push_back(item.targetRef.value_or(kuma::TargetRef{}));
    }
    const documents::Member* const spec = origin.node->find("spec");
    const bool has_from =
        profile_ != config::KumaProfile::head && spec != nullptr && spec->value.find("from") != nullptr;
    const kuma::PolicyRole found = kuma::policy_role(targets, has_from, origin.name_space());
    if (!found.refusal.empty()) {
      problems_.error("SP601", origin.name_at, "Kuma refuses `{}`", "{}", {origin.name, found.refusal});
    } else if (found.role != "system") {
      origin.labels[std::string(kuma::policy_role_label)] = found.role;
    }
    return origin;
  }

  // Adds a resource with the labels that a control plane gives to every resource, since selectors match on them.
  template <class Body>
  void add(Origin origin, const Body& body) {
    origin.labels.try_emplace(std::string(kuma::display_name_label), origin.name);
    if (!origin.mesh.empty()) {
      origin.labels.try_emplace(std::string(kuma::mesh_tag), origin.mesh);
    }
    add_resource(documents_, origin, body, problems_);
  }

  config::KumaProfile profile_;
  Diagnostics& problems_;
  Documents documents_;
  std::map<std::tuple<std::string, std::string, std::string, std::string, std::string>, Span> places_;
};

}  // namespace

Documents read_documents(const messages::KumaDocuments& policies, const messages::KumaDocuments& resources,
                         config::KumaProfile profile, Diagnostics& problems) {
  Reader reader(profile, problems);
  reader.read(policies);
  reader.read(resources);
  return reader.finish();
}

}  // namespace spillway::kuma
