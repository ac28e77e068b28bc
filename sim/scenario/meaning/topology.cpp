#include <map>
#include <set>
#include <string>
#include <utility>

#include "sim/scenario/meaning/context.hpp"
#include "sim/scenario/meaning/limits.hpp"
#include "sim/scenario/meaning/serving.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::scenario::meaning {
namespace {

void add_node(Context& context, std::uint32_t zone, const std::string& name, const written::Node* node, Span where) {
  context.nodes_of_zone[zone].push_back(context.nodes.count());
  context.nodes.add(name, where, context.problems);
  Node& added = context.scenario.nodes.emplace_back();
  added = {name, config::ZoneIndex{zone}, node != nullptr ? node->sub_zone.value_or("") : std::string()};
  context.speeds.push_back(node != nullptr ? node->speed.value_or(1.0) : 1.0);
  added.labels = node != nullptr ? plain_map(*node->labels) : added.labels;
  if (node != nullptr && node->servers.cores) {
    added.servers = read_servers(context, node->servers, false);
  }
}

void read_nodes(Context& context, std::uint32_t index, const written::Zone& zone) {
  if (!zone.nodes.present) {
    add_node(context, index, context.zones.all()[index], nullptr, zone.name.where);
    return;
  }
  if (!zone.nodes) {
    context.nodes.mark_incomplete();
  }
  for (const auto& field : zone.nodes.value) {
    const written::Node& node = field.value;
    if (!node.name || (node.count.present && !node.count)) {
      context.nodes.mark_incomplete();
      continue;
    }
    if (!node.count) {
      add_node(context, index, *node.name, &node, node.name.where);
      continue;
    }
    if (context.nodes.count() + *node.count > most_nodes_in_all) {
      refuse_size(context, node.count.where, "more than " + std::to_string(most_nodes_in_all) + " nodes in all",
                  "reduce the number of nodes: endpoints of one node may have cores of their own");
      context.nodes.mark_incomplete();
      return;
    }
    for (std::uint64_t i = 1; i <= *node.count; ++i) {
      const std::string name = *node.count == 1 ? *node.name : *node.name + "-" + std::to_string(i);
      add_node(context, index, name, &node, node.name.where);
    }
  }
}

using Linked = std::set<std::pair<config::ZoneIndex, config::ZoneIndex>>;

void read_link(Context& context, const written::Link& link, Linked& linked) {
  if (!link.between) {
    return;
  }
  const auto& ends = *link.between;
  const auto first = context.zones.resolve(ends[0], context.problems);
  const auto second = context.zones.resolve(ends[1], context.problems);
  if (!first || !second) {
    return;
  }
  if (first == second) {
    context.problems.push_back(
        error("SP121", "a link from " + in_ticks(*ends[0]) + " to itself", ends[1].where, "must be another zone"));
    return;
  }
  const config::ZoneIndex from{*first};
  const config::ZoneIndex to{*second};
  if (!linked.insert(std::minmax(from, to)).second) {
    context.problems.push_back(error("SP101",
                                     "a second link between " + in_ticks(*ends[0]) + " and " + in_ticks(*ends[1]),
                                     link.between.where, "these two zones have one already"));
    return;
  }
  if (link.bandwidth && *link.bandwidth < 1.0) {
    context.problems.push_back(
        error("SP023", "`bandwidth` is out of bounds", link.bandwidth.where, "must be at least 1bps"));
    return;
  }
  const Nanoseconds latency = link.latency.value_or(Nanoseconds{0});
  if (link.jitter && *link.jitter > latency) {
    context.problems.push_back(
        error("SP023", "`jitter` is out of bounds", link.jitter.where, "must be no longer than the link's `latency`"));
    return;
  }
  Link& added = context.scenario.links.emplace_back();
  added = {from, to, latency, link.jitter.value_or(Nanoseconds{0})};
  if (link.bandwidth) {
    added.bandwidth = *link.bandwidth;
  }
  added.price = link.price.value_or(0.0);
}

// By name: the regions that have a zone of it.
std::map<std::string, std::set<std::string>> regions_by_name(const written::Scenario& file) {
  std::map<std::string, std::set<std::string>> regions;
  for (const auto& zone : file.zones.value) {
    if (zone->name) {
      regions[*zone->name].insert(zone->region.value_or(""));
    }
  }
  return regions;
}

void read_zone(Context& context, const written::Zone& zone, bool in_several_regions) {
  const std::uint32_t index = context.zones.count();
  const std::string region = zone.region.value_or("");
  const std::string full = name_with_region(region, *zone.name);
  const std::string& name = in_several_regions ? full : *zone.name;
  context.nodes_of_zone.emplace_back();
  context.scenario.zones.push_back({name, region, *zone.name});
  // The node of a second zone of a name would be a second node of it: one mistake, not two.
  const bool fresh = context.zones.add(name, zone.name.where, context.problems);
  if (fresh || zone.nodes.present) {
    read_nodes(context, index, zone);
  }
  if (fresh) {
    context.zones.add_alias(in_several_regions ? *zone.name : full, index);
  }
}

// Something that what names no zone that could be read can lie in: errors are reported already.
void add_placeholder(Context& context) {
  context.zones.add("", Span{}, context.problems);
  context.nodes_of_zone.emplace_back();
  context.scenario.zones.push_back({"", ""});
  add_node(context, context.zones.count() - 1, "", nullptr, Span{});
}

}  // namespace

void read_topology(Context& context) {
  if (!context.file.zones.given && (context.file.zones.present || !context.file.resources.present)) {
    context.zones.mark_incomplete();
    context.nodes.mark_incomplete();
  }
  const auto regions = regions_by_name(context.file);
  const std::size_t zones = context.file.zones.value.size();
  if (zones > most_zones) {
    refuse_size(context, context.file.zones.key,
                std::to_string(zones) + " zones, the most is " + std::to_string(most_zones),
                "every pair of zones takes memory: join zones that are alike");
    context.zones.mark_incomplete();
    context.nodes.mark_incomplete();
    add_placeholder(context);
    return;
  }
  for (const auto& zone : context.file.zones.value) {
    if (zone->name) {
      read_zone(context, *zone, regions.at(*zone->name).size() > 1);
    } else {
      context.zones.mark_incomplete();
      context.nodes.mark_incomplete();
    }
  }
  if (context.nodes.incomplete() && context.scenario.nodes.empty()) {
    add_placeholder(context);
  }
  Linked linked;
  for (const auto& link : context.file.links.value) {
    read_link(context, link.value, linked);
  }
}

}  // namespace spillway::scenario::meaning
