#include "sim/scenario/scenario_template.hpp"

#include <algorithm>

#include "sim/scenario/document/parse.hpp"
#include "sim/scenario/files_beside.hpp"
#include "sim/scenario/grammar/protobuf_json.hpp"
#include "sim/scenario/istio/view_cache.hpp"
#include "sim/scenario/named_documents.hpp"
#include "sim/scenario/problem.hpp"
#include "sim/scenario/read_tree.hpp"
#include "sim/scenario/structure.hpp"
#include "sim/scenario/written/scenario.hpp"

namespace spillway::scenario {

struct ScenarioTemplate::Kept {
  document::Node root;  // which Kuma's documents in `file` point into
  written::Scenario file;
};

ScenarioTemplate::ScenarioTemplate(const std::string& path)
    : reading_(read_scenario_file(path)), views_(std::make_shared<istio_documents::ViewCache>()) {
  keep_structure();
}

ScenarioTemplate::ScenarioTemplate(std::string name, std::string text)
    : reading_(read_scenario_text(std::move(name), std::move(text))),
      views_(std::make_shared<istio_documents::ViewCache>()) {
  keep_structure();
}

ScenarioTemplate::ScenarioTemplate(document::Node root, Sources sources,
                                   std::shared_ptr<istio_documents::ViewCache> views)
    : views_(views ? std::move(views) : std::make_shared<istio_documents::ViewCache>()) {
  reading_.sources = std::move(sources);
  auto kept = std::make_unique<Kept>();
  kept->root = std::move(root);
  grammar::settle_messages_of_scenario(kept->root);
  take_named_documents(kept->root, reading_.sources, reading_.diagnostics);
  if (read_structure(kept->root, kept->file, reading_.diagnostics)) {
    Scenario scenario = read_written(kept->file, reading_.sources, reading_.diagnostics, views_.get());
    if (!has_errors(reading_.diagnostics)) {
      reading_.scenario = std::move(scenario);
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

void ScenarioTemplate::keep_structure() {
  if (!reading_.scenario) {
    return;
  }
  Diagnostics known_already;
  document::Node root = *document::parse(reading_.sources, 0, known_already);
  take_named_documents(root, reading_.sources, known_already);
  keep_structure(std::move(root));
}

void ScenarioTemplate::keep_structure(document::Node root) {
  if (!reading_.scenario) {
    return;
  }
  Diagnostics known_already;
  auto kept = std::make_unique<Kept>();
  kept->root = std::move(root);
  grammar::settle_messages_of_scenario(kept->root);
  read_structure(kept->root, kept->file, known_already);
  kept->file.expect = {};
  kept_ = std::move(kept);
}

std::vector<EndpointGroup> ScenarioTemplate::groups() const {
  std::vector<EndpointGroup> groups;
  const Scenario& scenario = *reading_.scenario;
  const auto zone_of = [&](const written::EndpointGroup& group) -> std::optional<config::ZoneIndex> {
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
  for (std::uint32_t service = 0; service < kept_->file.services.value.size(); ++service) {
    const auto& written = kept_->file.services.value[service].value.endpoints.value;
    for (std::uint32_t position = 0; position < written.size(); ++position) {
      const written::EndpointGroup& group = *written[position];
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
  return groups;
}

std::optional<Scenario> ScenarioTemplate::vary(const Variation& variation) const {
  std::optional<written::Scenario> counted;
  if (!variation.counts.empty()) {
    counted = kept_->file;
  }
  for (const auto& [place, count] : variation.counts) {
    auto& field = counted->services.value[place.service].value.endpoints.value[place.group].value.count;
    field.value = count;
    field.present = field.given = true;
  }
  const written::Scenario& file = counted ? *counted : kept_->file;
  Diagnostics problems;
  Sources sources = reading_.sources;
  Scenario scenario = read_meaning(file, sources, variation.changes, problems, nullptr, views_.get());
  if (has_errors(problems)) {
    return std::nullopt;
  }
  scenario.name = reading_.scenario->name;
  return scenario;
}

}  // namespace spillway::scenario
