#include "sim/scenario/messages/topology.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "models/documents/problem.hpp"
#include "sim/scenario/binding/limits.hpp"
#include "sim/scenario/binding/serving.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/messages/scenario.hpp"

namespace spillway::scenario::binding {
namespace {

void add_node(Topology& so_far, std::uint32_t zone, const std::string& name, const messages::Node& written) {
  Node node{name, config::ZoneIndex{zone}, written.sub_zone.value_or(""), plain_map(*written.labels)};
  if (written.servers.cores) {
    node.servers = read_servers(written.servers, false, so_far.problems);
  }
  so_far.add_node(std::move(node), written.name.where, written.speed.value_or(1.0));
}

void read_nodes(Topology& so_far, std::uint32_t index, const messages::Zone& zone) {
  if (!zone.nodes.present) {
    so_far.add_node({so_far.zones.all()[index], config::ZoneIndex{index}, ""}, zone.name.where);
    return;
  }
  if (!zone.nodes) {
    so_far.nodes.mark_incomplete();
  }
  for (const auto& field : zone.nodes.value) {
    const messages::Node& node = field.value;
    if (!node.name || (node.count.present && !node.count)) {
      so_far.nodes.mark_incomplete();
      continue;
    }
    if (!node.count) {
      add_node(so_far, index, *node.name, node);
      continue;
    }
    if (so_far.nodes.count() + *node.count > most_nodes_in_all) {
      refuse_size(so_far.problems, node.count.where, "more than " + std::to_string(most_nodes_in_all) + " nodes in all",
                  "reduce the number of nodes: endpoints of one node may have cores of their own");
      so_far.nodes.mark_incomplete();
      return;
    }
    for (std::uint64_t i = 1; i <= *node.count; ++i) {
      const std::string name = *node.count == 1 ? *node.name : *node.name + "-" + std::to_string(i);
      add_node(so_far, index, name, node);
    }
  }
}

using Linked = std::set<std::pair<config::ZoneIndex, config::ZoneIndex>>;

void read_link(Topology& so_far, const messages::Link& link, Linked& linked) {
  if (!link.between) {
    return;
  }
  const auto& ends = *link.between;
  const auto first = so_far.zones.resolve(ends[0], so_far.problems);
  const auto second = so_far.zones.resolve(ends[1], so_far.problems);
  if (!first || !second) {
    return;
  }
  if (first == second) {
    so_far.problems.error("SP121", ends[1].where, "a link from `{}` to itself", "must be another zone", {*ends[0]});
    return;
  }
  const config::ZoneIndex from{*first};
  const config::ZoneIndex to{*second};
  if (!linked.insert(std::minmax(from, to)).second) {
    so_far.problems.error("SP101", link.between.where, "a second link between `{}` and `{}`",
                          "these two zones have one already", {*ends[0], *ends[1]});
    return;
  }
  if (link.bandwidth && *link.bandwidth < 1.0) {
    so_far.problems.error("SP023", link.bandwidth.where, "`bandwidth` is out of bounds", "must be at least 1bps");
    return;
  }
  const Nanoseconds latency = link.latency.value_or(Nanoseconds{0});
  if (link.jitter && *link.jitter > latency) {
    so_far.problems.error("SP023", link.jitter.where, "`jitter` is out of bounds",
                          "must be no longer than the link's `latency`");
    return;
  }
  Link& added = so_far.scenario.links.emplace_back();
  added = {from, to, latency, link.jitter.value_or(Nanoseconds{0})};
  if (link.bandwidth) {
    added.bandwidth = *link.bandwidth;
  }
  added.price = link.price.value_or(0.0);
}

// Returns, by name, the regions that have a zone of that name.
std::map<std::string, std::set<std::string>> regions_by_name(const messages::Scenario& file) {
  std::map<std::string, std::set<std::string>> regions;
  for (const auto& zone : file.zones.value) {
    if (zone->name) {
      regions[*zone->name].insert(zone->region.value_or(""));
    }
  }
  return regions;
}

void read_zone(Topology& so_far, const messages::Zone& zone, bool in_several_regions) {
  const std::uint32_t index = so_far.zones.count();
  const std::string region = zone.region.value_or("");
  const std::string full = name_with_region(region, *zone.name);
  // A node of a duplicate zone would be a duplicate node: report one mistake, not two.
  const bool fresh = so_far.add_zone({in_several_regions ? full : *zone.name, region, *zone.name}, zone.name.where);
  if (fresh || zone.nodes.present) {
    read_nodes(so_far, index, zone);
  }
  if (fresh) {
    so_far.zones.add_alias(in_several_regions ? *zone.name : full, index);
  }
}

// Adds a zone and a node for objects whose zone could not be read; the errors are already reported.
void add_placeholder(Topology& so_far) {
  so_far.add_zone({"", ""}, Span{});
  so_far.add_node({"", config::ZoneIndex{so_far.zones.count() - 1}, ""}, Span{});
}

}  // namespace

bool Topology::add_zone(Zone zone, Span where) {
  nodes_of_zone.emplace_back();
  const bool fresh = zones.add(zone.name, where, problems);
  scenario.zones.push_back(std::move(zone));
  return fresh;
}

config::NodeIndex Topology::add_node(Node node, Span where, double speed) {
  const config::NodeIndex index{nodes.count()};
  nodes_of_zone[node.zone.value].push_back(index.value);
  nodes.add(node.name, where, problems);
  scenario.nodes.push_back(std::move(node));
  speeds.push_back(speed);
  return index;
}

Topology read_topology(Header header) {
  Topology so_far{std::move(header)};
  if (!so_far.file.zones.given && (so_far.file.zones.present || !so_far.file.resources.present)) {
    so_far.zones.mark_incomplete();
    so_far.nodes.mark_incomplete();
  }
  const auto regions = regions_by_name(so_far.file);
  const std::size_t zones = so_far.file.zones.value.size();
  if (zones > most_zones) {
    refuse_size(so_far.problems, so_far.file.zones.key,
                std::to_string(zones) + " zones, the most is " + std::to_string(most_zones),
                "every pair of zones takes memory: join zones that are alike");
    so_far.zones.mark_incomplete();
    so_far.nodes.mark_incomplete();
    add_placeholder(so_far);
    return so_far;
  }
  for (const auto& zone : so_far.file.zones.value) {
    if (zone->name) {
      read_zone(so_far, *zone, regions.at(*zone->name).size() > 1);
    } else {
      so_far.zones.mark_incomplete();
      so_far.nodes.mark_incomplete();
    }
  }
  if (so_far.nodes.incomplete() && so_far.scenario.nodes.empty()) {
    add_placeholder(so_far);
  }
  Linked linked;
  for (const auto& link : so_far.file.links.value) {
    read_link(so_far, link.value, linked);
  }
  return so_far;
}

}  // namespace spillway::scenario::binding
