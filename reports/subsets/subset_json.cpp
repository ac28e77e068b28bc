// Writes the subsets of a cluster as JSON.

#include "models/documents/json_writer.hpp"
#include "reports/subsets/subset_structure.hpp"
#include "reports/text/json_text.hpp"

namespace spillway::reports {

namespace {

namespace subset = envoy::policies::subset;
using Json = documents::JsonText;

Json value_json(const config::Value& value) {
  if (const auto* const truth = value.as_bool()) {
    return *truth;
  }
  if (const auto* const number = value.as_number()) {
    return *number;
  }
  if (const auto* const string = value.as_string()) {
    return *string;
  }
  Json result;
  if (const auto* const list = value.as_list()) {
    result = Json::array();
    for (const config::Value& element : *list) {
      result.push_back(value_json(element));
    }
  } else if (const auto* const object = value.as_struct()) {
    result = Json::object();
    for (const config::Field& field : object->fields()) {
      result.add(field.name, value_json(field.value));
    }
  }
  return result;
}

Json selector_json(const subset::SelectorOutline& selector) {
  return {{"keys", selector.keys},
          {"single_host_per_subset", selector.single_host_per_subset},
          {"fallback_policy", name_of(selector.fallback_policy)},
          {"fallback_keys_subset", selector.fallback_keys_subset},
          {"fallback_is_lost", selector.fallback_is_lost},
          {"subsets", selector.subsets}};
}

Json tree_json(const SubsetStructure& structure, const std::vector<subset::KeyOutline>& keys) {
  Json result = Json::array();
  for (const subset::KeyOutline& key : keys) {
    Json values = Json::array();
    for (const subset::ValueOutline& value : key.values) {
      Json entry = {{"value", value_json(value.value)}};
      if (value.subset) {
        const SubsetStructure::Subset& own = structure.subsets[value.subset->value];
        entry.add("hosts", own.hosts);
        entry.add("single_host", own.single_host);
        entry.add("duplicates", own.duplicates);
      }
      entry.add("keys", tree_json(structure, value.keys));
      values.push_back(entry);
    }
    result.push_back({{"key", key.name}, {"values", std::move(values)}});
  }
  return result;
}

Json cluster_json(const SubsetStructure& structure) {
  Json selectors = json_array(structure.outline.selectors, selector_json);
  Json default_subset;
  if (structure.default_subset) {
    default_subset = {{"metadata", value_json(structure.config.default_subset)}, {"hosts", *structure.default_subset}};
  }
  return {{"cluster", structure.cluster},
          {"hosts", structure.all},
          {"subsets", structure.subsets.size()},
          {"selectors", std::move(selectors)},
          {"tree", tree_json(structure, structure.outline.keys)},
          {"fallback_policy", name_of(structure.config.fallback_policy)},
          {"panic_mode_any", structure.config.panic_mode_any},
          {"default_subset", default_subset}};
}

}  // namespace

std::string subsets_as_json(const std::vector<SubsetStructure>& structures) {
  Json clusters = json_array(structures, cluster_json);
  const Json document = {{"schema_version", 1}, {"clusters", std::move(clusters)}};
  return json_lines(document.text());
}

}  // namespace spillway::reports
