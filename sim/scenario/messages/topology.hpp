// The grammar of zones, nodes and links in a scenario file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/documents/grammar/shapes.hpp"
#include "sim/scenario/messages/serving.hpp"

namespace spillway::messages {

using grammar::Field;
using grammar::Fields;

template <class T>
using FieldList = Field<std::vector<Field<T>>>;

inline constexpr std::uint64_t longest_label = 10'000;
inline constexpr std::uint64_t most_nodes = 10'000;
inline constexpr std::uint64_t most_alike = 1'000'000;

struct Node {
  static constexpr const char* definition = "node";
  Field<std::string> name;
  Field<std::uint64_t> count;
  Field<std::string> sub_zone;
  Field<grammar::MapOf<grammar::Text>::Value> labels;
  Servers servers;
  Field<double> speed;
};

inline void describe(Fields& fields, Node& node) {
  fields.required("name", node.name, grammar::Text{}, "name of the node, or of the group of nodes");
  fields.optional("count", node.count, grammar::Whole{1, most_nodes},
                  "number of nodes, named <name>-1, <name>-2, ...; default: one node <name>");
  fields.optional("sub_zone", node.sub_zone, grammar::Text{}, "Envoy's sub_zone of what runs here");
  describe_servers(fields, node.servers,
                   "cores that its endpoints share, but for those that have their own; default: without limit");
  fields.needs("queue", "cores");
  fields.needs("discipline", "cores");
  fields.optional("speed", node.speed, grammar::Number{0.001, 1000.0},
                  "service times of what runs here are divided by it; default: 1");
  fields.optional("labels", node.labels, grammar::MapOf<grammar::Text>{{0, longest_label}},
                  "Kubernetes' labels, which become tags of what runs here");
  fields.not_simulated("tags", "write `labels`");
  fields.not_simulated("price", "of a link or an endpoint alone");
}

struct Zone {
  static constexpr const char* definition = "zone";
  Field<std::string> name;
  Field<std::string> region;
  FieldList<Node> nodes;
};

inline void describe(Fields& fields, Zone& zone) {
  fields.required("name", zone.name, grammar::Text{}, "name of the zone");
  fields.optional("region", zone.region, grammar::Text{}, "the region that the zone lies in");
  fields.optional("nodes", zone.nodes, grammar::ListOf<grammar::Record<Node>>{{}, 1},
                  "its nodes; default: one node of the zone's name");
  fields.not_simulated("labels", "zone labels are not supported yet");
  fields.not_simulated("tags", "tags are not supported yet");
  fields.not_simulated("price", "of a link or an endpoint alone");
}

struct Link {
  static constexpr const char* definition = "link";
  FieldList<std::string> between;
  Field<grammar::Nanoseconds> latency;
  Field<grammar::Nanoseconds> jitter;
  Field<double> bandwidth;
  Field<double> price;
};

inline void describe(Fields& fields, Link& link) {
  fields.required("between", link.between, grammar::ListOf<grammar::Text>{{}, 2, 2}, "the two zones that it joins");
  fields.optional("latency", link.latency, grammar::DurationText{}, "one way; default: 0s");
  fields.optional("jitter", link.jitter, grammar::DurationText{},
                  "each way takes a time uniform within latency - jitter and latency + jitter; default: 0s");
  fields.optional("bandwidth", link.bandwidth, grammar::Bandwidth{},
                  "each way, in bits a second, shared by what goes that way: 1Gbps. Limits in platform mode alone; "
                  "default: without limit");
  fields.optional("price", link.price, grammar::Price{"GB"},
                  "of what crosses it, requests and answers, in any currency: 0.01/GB; default: free");
  fields.not_simulated("loss", "the loss of packets is not supported yet");
}

}  // namespace spillway::messages
