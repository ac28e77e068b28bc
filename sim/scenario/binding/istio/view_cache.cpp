#include "sim/scenario/binding/istio/view_cache.hpp"

#include <algorithm>
#include <utility>

#include "models/istio/names.hpp"
#include "models/istio/sameness.hpp"
#include "models/kuma/documents/field_path.hpp"
#include "sim/scenario/binding/istio/istio_mesh.hpp"

namespace spillway::scenario::istio_binding {

namespace {

constexpr std::uint64_t readings_kept = 3;

// Adds the places of everything in a node, in order.
void add_places(const documents::Node& node, std::vector<Span>& places) {
  places.push_back(node.span);
  for (const documents::Member& member : node.members) {
    places.push_back(member.key_span);
    add_places(member.value, places);
  }
  for (const documents::Node& item : node.items) {
    add_places(item, places);
  }
}

template <class Same, class Value>
std::uint32_t number_of(std::vector<std::pair<Value, std::uint32_t>>& known, Value value, std::uint32_t& count,
                        const Same& is_same) {
  const auto found =
      std::find_if(known.begin(), known.end(), [&](const auto& one) { return is_same(one.first, value); });
  if (found != known.end()) {
    return found->second;
  }
  known.emplace_back(std::move(value), ++count);
  return count;
}

}  // namespace

ViewCache::Reading::Reading(ViewCache& cache, const IstioMesh& read) : cache_(&cache), read_(&read) {
  cache.begin_reading();
  const istio::Documents& documents = read.documents.value;
  Mesh mesh{documents.mesh, documents.networks, documents.switches, std::nullopt};
  if (const auto written = read.documents.by_age.find(0); written != read.documents.by_age.end()) {
    mesh.setting_at = kuma::place_of(*written->second.node, "spec.meshConfig.localityLbSetting");
  }
  const auto same_mesh = [&](const Mesh& known) {
    return istio::same(known.config, mesh.config) && istio::same(known.switches, mesh.switches) &&
           std::equal(known.networks.begin(), known.networks.end(), mesh.networks.begin(), mesh.networks.end(),
                      [](const auto& one, const auto& other) { return istio::same(one, other); }) &&
           known.setting_at == mesh.setting_at;
  };
  const auto known_mesh = std::find_if(cache.meshes_.begin(), cache.meshes_.end(), same_mesh);
  mesh_ = static_cast<std::uint32_t>(known_mesh - cache.meshes_.begin());
  if (known_mesh == cache.meshes_.end()) {
    cache.meshes_.push_back(std::move(mesh));
  }
  const auto known_endpoints = std::find(cache.endpoints_.begin(), cache.endpoints_.end(), read.by_address);
  endpoints_ = static_cast<std::uint32_t>(known_endpoints - cache.endpoints_.begin());
  if (known_endpoints == cache.endpoints_.end()) {
    cache.endpoints_.push_back(read.by_address);
  }
  for (const istio::DestinationRule& rule : documents.destination_rules) {
    if (!istio::is_wildcard(rule.host)) {
      const std::string& name_space = rule.meta.name_space;
      exact_[{name_space, istio::resolve_short_name(rule.host, name_space)}].push_back(rule.meta.age);
    }
  }
}

std::uint32_t ViewCache::Reading::rule_of(const istio::ConsolidatedRule& rule) {
  const auto [number, is_new] = rules_.try_emplace(&rule, 0);
  if (is_new) {
    Rule written{rule.rule, {}, {}};
    for (const std::size_t position : rule.from) {
      const istio::Origin& origin = read_->documents.rules[position];
      written.from.push_back(read_->documents.value.destination_rules[position].meta.age);
      written.places.push_back(origin.where);
      add_places(*origin.node, written.places);
    }
    number->second = number_of(cache_->rules_[rule.rule.host], std::move(written), cache_->rule_count_,
                               [](const Rule& known, const Rule& asked) {
                                 return known.from == asked.from && istio::same(known.value, asked.value) &&
                                        known.places == asked.places;
                               });
  }
  return number->second;
}

ViewCache::Key ViewCache::Reading::key_of(const istio::ProxyClasses::Key& proxy, const istio::Service& service,
                                          std::uint32_t port, const istio::RuleIndex::Found& found,
                                          const std::string& subset) {
  Key key{.mesh = mesh_, .endpoints = endpoints_, .port = port, .hidden = {}, .subset = subset};
  key.proxy = cache_->proxies_.try_emplace(proxy, static_cast<std::uint32_t>(cache_->proxies_.size())).first->second;
  const auto [known, is_new] = services_.try_emplace(&service, 0);
  if (is_new) {
    known->second =
        number_of(cache_->services_[service.hostname], service, cache_->service_count_,
                  [](const istio::Service& one, const istio::Service& other) { return istio::same(one, other); });
  }
  key.service = known->second;
  if (found.rule != nullptr) {
    key.rule = rule_of(*found.rule);
    key.step = found.step;
    const istio::DestinationRule& rule = found.rule->rule;
    if (istio::is_wildcard(rule.host) && rule.meta.name_space != service.name_space) {
      const auto hidden = exact_.find({service.name_space, service.hostname});
      key.hidden = hidden == exact_.end() ? std::vector<std::size_t>{} : hidden->second;
    }
  }
  return key;
}

const ViewCache::Kept* ViewCache::find(const Key& key) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) {
    ++misses_;
    return nullptr;
  }
  ++hits_;
  found->second.used = readings_;
  return &found->second.kept;
}

void ViewCache::keep(const Key& key, Kept kept) {
  entries_.insert_or_assign(key, Entry{std::move(kept), readings_});
}

void ViewCache::begin_reading() {
  ++readings_;
  std::erase_if(entries_, [&](const auto& entry) { return entry.second.used + readings_kept < readings_; });
}

}  // namespace spillway::scenario::istio_binding
