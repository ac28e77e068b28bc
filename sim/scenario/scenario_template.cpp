#include "sim/scenario/scenario_template.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "models/documents/grammar/protobuf_json.hpp"
#include "models/documents/overlay.hpp"
#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "sim/scenario/binding/istio/mesh_reading.hpp"
#include "sim/scenario/binding/istio/view_cache.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/files_beside.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/named_documents.hpp"
#include "sim/scenario/pasted/short_names.hpp"
#include "sim/scenario/pod_group.hpp"
#include "sim/scenario/read_tree.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/structure.hpp"
#include "sim/scenario/variation.hpp"

namespace spillway::scenario {

struct ScenarioTemplate::Kept {
  documents::Node root;  // Kuma's documents in `file` point into it
  messages::Scenario file;
  // The mesh, for reading with other rules. Null if there are no Istio documents, or if there are expectations, because
  // these depend on shares.
  std::unique_ptr<const istio_binding::MeshReading> mesh;
  mutable std::optional<messages::Scenario> common = {};  // what all parts have; empty until it is needed
};

namespace {

std::set<config::ServiceIndex> requested_services(const Scenario& scenario) {
  std::set<config::ServiceIndex> requested;
  for (const ClientEntry& client : scenario.clients) {
    for (const config::ServiceIndex service : services_of(scenario, client)) {
      requested.insert(asked_for(scenario, service));
    }
  }
  return requested;
}

// Returns the first service of the pods that clients request; the first of all if they request none.
config::ServiceIndex requested_service_of(const Scenario& scenario, const PodGroup& pods,
                                          const std::set<config::ServiceIndex>& requested) {
  std::optional<config::ServiceIndex> first;
  for (std::uint32_t index = 0; index < scenario.services.size(); ++index) {
    const Service& service = scenario.services[index];
    const bool serves =
        !service.as_view && std::any_of(service.hosts.begin(), service.hosts.end(), [&](const Host& host) {
          return std::find(pods.endpoints.begin(), pods.endpoints.end(), host.endpoint) != pods.endpoints.end();
        });
    if (serves && requested.contains({index})) {
      return {index};
    }
    first = serves && !first ? config::ServiceIndex{index} : first;
  }
  return first.value_or(config::ServiceIndex{0});
}

// True if services and clients are only named in the lists that part() filters.
bool has_parts(const messages::Scenario& file, const Scenario& scenario) {
  const bool is_plain = !file.routes.present && !file.local_cluster.present && !file.policies.present;
  return (is_plain || !file.services.present) && !file.timeline.present && !file.control_plane.present &&
         scenario.clients.size() == file.clients.value.size() &&
         std::none_of(file.failures.value.begin(), file.failures.value.end(),
                      [](const auto& failure) { return failure->service.present || failure->together.present; });
}

// Adds the elements of `from` that belong to one of these services, or to none. `name_of` returns the field with the
// name of the service.
template <class List, class NameOf>
void add_named(const List& from, const std::set<std::string>& services, NameOf name_of, List& into) {
  std::copy_if(from.value.begin(), from.value.end(), std::back_inserter(into.value), [&](const auto& element) {
    const auto& name = name_of(*element);
    return !name.present || services.contains(*name);
  });
  into.present = into.given = !into.value.empty();
}

// True if reading this rule gave no diagnostics, so that replacing the rule invalidates none.
bool says_nothing_of(const istio::LocatedDocuments& documents, const istio::Meta& meta) {
  return std::all_of(documents.rules.begin(), documents.rules.end(), [&](const istio::Origin& origin) {
    if (origin.meta.name_space != meta.name_space || origin.meta.name != meta.name) {
      return true;
    }
    std::vector<messages::KumaDocument> read;
    Diagnostics said;
    return messages::KumaDocumentShape{}.read(*origin.node, read, "a document", said) && said.empty();
  });
}

}  // namespace

ScenarioTemplate::ScenarioTemplate(const std::string& path)
    : reading_(read_scenario_file(path)), views_(std::make_shared<istio_binding::ViewCache>()) {
  keep_structure();
}

ScenarioTemplate::ScenarioTemplate(std::string name, std::string text)
    : reading_(read_scenario_text(std::move(name), std::move(text))),
      views_(std::make_shared<istio_binding::ViewCache>()) {
  keep_structure();
}

ScenarioTemplate::ScenarioTemplate(documents::Node root, Sources sources,
                                   std::shared_ptr<istio_binding::ViewCache> views)
    : views_(views ? std::move(views) : std::make_shared<istio_binding::ViewCache>()) {
  reading_.sources = std::move(sources);
  auto kept = std::make_unique<Kept>();
  kept->root = std::move(root);
  grammar::settle_messages_of_scenario(kept->root);
  take_named_documents(kept->root, reading_.sources, reading_.diagnostics);
  if (read_structure(kept->root, kept->file, reading_.diagnostics)) {
    auto left = kept->file.expect.present ? nullptr : std::make_unique<istio_binding::MeshReading>();
    Scenario scenario = read_written(kept->file, reading_.sources, reading_.diagnostics, views_.get(), left.get());
    if (!has_errors(reading_.diagnostics)) {
      reading_.scenario = std::move(scenario);
    }
    if (left != nullptr && !left->mesh.empty()) {
      kept->mesh = std::move(left);
    }
  } else {
    hide_contents(reading_.sources, reading_.diagnostics);
  }
  sort_by_position(reading_.diagnostics);
  if (reading_.scenario) {
    kept->file.expect = {};
    kept_ = std::move(kept);
  }
}

ScenarioTemplate::~ScenarioTemplate() = default;
ScenarioTemplate::ScenarioTemplate(ScenarioTemplate&&) noexcept = default;
ScenarioTemplate& ScenarioTemplate::operator=(ScenarioTemplate&&) noexcept = default;

ScenarioTemplate::ScenarioTemplate(Reading reading, std::function<documents::Node()> root,
                                   std::shared_ptr<istio_binding::ViewCache> views)
    : reading_(std::move(reading)), root_(std::move(root)), views_(std::move(views)) {}

std::optional<ScenarioTemplate> ScenarioTemplate::with_rules(const std::vector<documents::Node>& rules, Sources sources,
                                                             std::function<documents::Node()> root) const {
  if (kept_ == nullptr || kept_->mesh == nullptr) {
    return std::nullopt;
  }
  Reading reading{std::nullopt, {}, std::move(sources)};
  std::vector<std::vector<messages::KumaDocument>> read(rules.size());
  std::vector<const messages::IstioDocument*> changed;
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    const bool well = messages::KumaDocumentShape{}.read(rules[rule], read[rule], "a document", reading.diagnostics);
    if (!well || !reading.diagnostics.empty() || read[rule].size() != 1 || !read[rule].front().istio) {
      return std::nullopt;
    }
    changed.push_back(&*read[rule].front().istio);
    if (!says_nothing_of(kept_->mesh->mesh.documents, changed.back()->meta)) {
      return std::nullopt;
    }
  }
  reading.scenario =
      read_with_rules(*kept_->mesh, kept_->file, changed, reading.sources, reading.diagnostics, views_.get());
  if (!reading.scenario || has_errors(reading.diagnostics)) {
    return std::nullopt;
  }
  sort_by_position(reading.diagnostics);
  return ScenarioTemplate(std::move(reading), std::move(root), views_);
}

void ScenarioTemplate::keep_structure() {
  if (!reading_.scenario) {
    return;
  }
  Diagnostics known_already;
  documents::Node root = *documents::parse(reading_.sources, 0, known_already);
  take_named_documents(root, reading_.sources, known_already);
  kept_ = structure_of(std::move(root));
}

std::unique_ptr<const ScenarioTemplate::Kept> ScenarioTemplate::structure_of(documents::Node root) {
  Diagnostics known_already;
  auto kept = std::make_unique<Kept>();
  kept->root = std::move(root);
  grammar::settle_messages_of_scenario(kept->root);
  read_structure(kept->root, kept->file, known_already);
  kept->file.expect = {};
  return kept;
}

const ScenarioTemplate::Kept& ScenarioTemplate::kept() const {
  if (kept_ == nullptr) {
    kept_ = structure_of(root_());
  }
  return *kept_;
}

std::vector<EndpointGroup> ScenarioTemplate::groups() const {
  std::vector<EndpointGroup> groups;
  const Scenario& scenario = *reading_.scenario;
  const auto zone_of = [&](const messages::EndpointGroup& group) -> std::optional<config::ZoneIndex> {
    for (std::uint32_t zone = 0; group.zone && zone < scenario.zones.size(); ++zone) {
      if (is_called(scenario.zones[zone], *group.zone)) {
        return config::ZoneIndex{zone};
      }
    }
    for (const Node& node : scenario.nodes) {
      if (group.node && node.name == *group.node) {
        return node.zone;
      }
    }
    return std::nullopt;
  };
  for (std::uint32_t service = 0; service < kept().file.services.value.size(); ++service) {
    const auto& written = kept().file.services.value[service].value.endpoints.value;
    for (std::uint32_t position = 0; position < written.size(); ++position) {
      const messages::EndpointGroup& group = *written[position];
      const auto zone = zone_of(group);
      if (zone && !group.id.present && !group.address.present && !group.hostname.present) {
        groups.push_back({{service, position},
                          config::ServiceIndex{service},
                          *zone,
                          static_cast<std::uint32_t>(group.count.value_or(1)),
                          group.price ? std::optional(*group.price) : std::nullopt});
      }
    }
  }
  if (!scenario.pods) {
    return groups;
  }
  const std::set<config::ServiceIndex> requested = requested_services(scenario);
  for (const PodGroup& pods : *scenario.pods) {
    const Endpoint& first = scenario.endpoints[pods.endpoints.front().value];
    groups.push_back({{GroupPlace::of_pods, pods.number},
                      requested_service_of(scenario, pods, requested),
                      scenario.nodes[first.node.value].zone,
                      pods.pods,
                      first.price,
                      pods.workload});
  }
  return groups;
}

namespace {

// Lets the names of numbered endpoints in failures and in the timeline mean the same endpoints of the same groups as in
// the file, although other numbers of endpoints number them anew.
void keep_named_endpoints(const messages::Scenario& file, messages::Scenario& counted) {
  std::map<std::string, std::string> renamed;
  for (std::size_t service = 0; service < file.services.value.size(); ++service) {
    const messages::Service& written = *file.services.value[service];
    std::uint64_t before = 0;  // endpoints of earlier groups, in the file and now
    std::uint64_t now = 0;
    for (std::size_t place = 0; place < written.endpoints.value.size(); ++place) {
      const messages::EndpointGroup& group = *written.endpoints.value[place];
      const messages::EndpointGroup& other = *counted.services.value[service].value.endpoints.value[place];
      const std::uint64_t count = group.id ? 1 : group.count.value_or(1);
      for (std::uint64_t index = 0; index < count && !group.id && before != now; ++index) {
        const bool is_left = index < other.count.value_or(1);
        renamed[fmt::format("{}-{}", *written.name, before + index + 1)] =
            is_left ? fmt::format("{}-{}", *written.name, now + index + 1) : "";
      }
      before += count;
      now += group.id ? 1 : other.count.value_or(1);
    }
  }
  const auto rename = [&](auto& endpoints) {
    for (auto& endpoint : endpoints.value) {
      const auto known = renamed.find(endpoint.value);
      endpoint.value = known == renamed.end() ? endpoint.value : known->second;
    }
  };
  for (auto& event : counted.timeline.value) {
    rename(event.value.endpoints);
  }
  for (auto& failure : counted.failures.value) {
    for (auto& part : failure.value.together.value) {
      rename(part.value.endpoints);
    }
  }
}

}  // namespace

std::optional<Scenario> ScenarioTemplate::vary(const Variation& variation) const {
  std::optional<messages::Scenario> counted;
  if (!variation.counts.empty()) {
    counted = kept().file;
  }
  for (const auto& [place, count] : variation.counts) {
    if (place.service == GroupPlace::of_pods) {
      counted->pods[place.group] = count;
      continue;
    }
    auto& field = counted->services.value[place.service].value.endpoints.value[place.group].value.count;
    field.value = count;
    field.present = field.given = true;
  }
  if (counted) {
    keep_named_endpoints(kept().file, *counted);
  }
  const messages::Scenario& file = counted ? *counted : kept().file;
  Diagnostics problems;
  Sources sources = reading_.sources;
  Scenario scenario = read_meaning(file, sources, variation.changes, problems, nullptr, views_.get());
  if (has_errors(problems)) {
    return std::nullopt;
  }
  scenario.name = reading_.scenario->name;
  if (documents::laid_over(sources.front().name) != nullptr) {
    pasted::shorten_names(scenario);
  }
  return scenario;
}

bool ScenarioTemplate::numbers_parts_anew() const {
  return !kept().file.resources.present && !kept().file.policies.present;
}

std::optional<ScenarioTemplate> ScenarioTemplate::part(const Part& part) const {
  const Kept& whole = kept();
  if (!has_parts(whole.file, *reading_.scenario)) {
    return std::nullopt;
  }
  const bool few_services = numbers_parts_anew();
  if (!whole.common) {
    whole.common = whole.file;
    whole.common->clients.value.clear();
    if (few_services) {
      whole.common->services.value.clear();
      whole.common->clusters.value.clear();
      whole.common->load_assignments.value.clear();
      whole.common->objectives.value.clear();
    }
  }
  auto own = std::make_unique<Kept>();
  messages::Scenario& file = own->file = *whole.common;
  for (const config::ClientEntryIndex client : part.clients) {
    file.clients.value.push_back(whole.file.clients.value[client.value]);
  }
  if (few_services) {
    std::set<std::string> names;
    for (const config::ServiceIndex service : part.services) {
      file.services.value.push_back(whole.file.services.value[service.value]);
      names.insert(*file.services.value.back().value.name);
    }
    add_named(whole.file.clusters, names, [](const auto& of) -> const auto& { return of.name; }, file.clusters);
    add_named(
        whole.file.load_assignments, names, [](const auto& of) -> const auto& { return of.cluster_name; },
        file.load_assignments);
    add_named(whole.file.objectives, names, [](const auto& of) -> const auto& { return of.service; }, file.objectives);
  }
  Reading reading;
  reading.scenario.emplace().name = reading_.scenario->name;
  for (const SourceFile& source : reading_.sources) {
    reading.sources.push_back({source.name, "", source.shown});  // texts are only quoted in diagnostics
  }
  ScenarioTemplate made(std::move(reading), {}, views_);
  made.kept_ = std::move(own);
  made.reading_.scenario = made.vary({});
  return made.reading_.scenario ? std::optional(std::move(made)) : std::nullopt;
}

}  // namespace spillway::scenario
