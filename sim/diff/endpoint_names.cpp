#include "sim/diff/endpoint_names.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::diff {
namespace {

using documents::Kind;
using documents::Member;
using documents::Node;

struct NumberedGroup {
  std::uint64_t first = 1;  // number of its first endpoint in the service
  std::uint64_t count = 1;
};

// The groups without own ids: by service, zone or node, and number among those there.
using Groups = std::map<std::tuple<std::string, std::string, std::size_t>, NumberedGroup>;

struct Numbered {
  Groups groups = {};
  std::map<std::string, std::uint64_t> last = {};  // by service: the number of its endpoints
};

const std::vector<Node>& items_of(const Node& node, const char* key) {
  static const std::vector<Node> none;
  const Member* const member = node.find(key);
  return member == nullptr ? none : member->value.items;
}

Numbered numbered_groups(const Node& tree) {
  const auto text_of = [](const Node& node, const char* key) {
    const Member* const member = node.find(key);
    return member == nullptr ? std::string() : member->value.text;
  };
  Numbered numbered;
  for (const Node& service : items_of(tree, "services")) {
    const std::string name = text_of(service, "name");
    std::map<std::string, std::size_t> seen;
    std::uint64_t& last = numbered.last[name];
    for (const Node& group : items_of(service, "endpoints")) {
      const bool has_id = group.find("id") != nullptr;
      const Member* const count = group.find("count");
      const bool counted = !has_id && count != nullptr && count->value.kind == Kind::integer;
      const NumberedGroup one{last + 1, counted ? count->value.magnitude : 1};
      if (!has_id) {
        const std::string place = text_of(group, "zone") + "/" + text_of(group, "node");
        numbered.groups[{name, place, seen[place]++}] = one;
      }
      last += one.count;
    }
  }
  return numbered;
}

std::string name_of(const std::string& service, std::uint64_t number) {
  return service + "-" + std::to_string(number);
}

}  // namespace

EndpointNames names_as_before(const Node& before, const Node& after) {
  const Numbered old = numbered_groups(before);
  const Numbered now = numbered_groups(after);
  EndpointNames names;
  std::map<std::string, std::uint64_t> last = now.last;
  for (const auto& [key, group] : now.groups) {
    const std::string& service = std::get<0>(key);
    const auto old_last = old.last.find(service);
    if (old_last == old.last.end()) {
      continue;
    }
    const auto same = old.groups.find(key);
    for (std::uint64_t position = 0; position < group.count; ++position) {
      const std::uint64_t number = group.first + position;
      if (same != old.groups.end() && position < same->second.count) {
        if (number != same->second.first + position) {
          names[name_of(service, number)] = name_of(service, same->second.first + position);
        }
      } else if (number <= old_last->second) {
        // The number is that of another endpoint of the older scenario.
        std::uint64_t& free = last[service];
        free = std::max(free, old_last->second) + 1;
        names[name_of(service, number)] = name_of(service, free);
      }
    }
  }
  return names;
}

void rename_endpoints(const EndpointNames& names, scenario::Scenario& scenario) {
  if (names.empty()) {
    return;
  }
  const auto rename = [&](std::string& name) {
    if (const auto found = names.find(name); found != names.end()) {
      name = found->second;
    }
  };
  for (scenario::Endpoint& endpoint : scenario.endpoints) {
    rename(endpoint.id);
  }
  for (std::size_t service = 0; service < scenario.services.size(); ++service) {
    for (config::LocalityLbEndpoints& group : scenario.services[service].load_assignment.endpoints) {
      for (config::LbEndpoint& endpoint : group.lb_endpoints) {
        rename(endpoint.address);
      }
    }
  }
}

}  // namespace spillway::diff
