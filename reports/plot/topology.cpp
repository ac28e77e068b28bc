#include "reports/plot/topology.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <tuple>

#include "reports/plot/palette.hpp"
#include "reports/plot/topology_model.hpp"
#include "reports/text/escapes.hpp"
#include "reports/text/names.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "reports/text/times.hpp"
#include "sim/run/results.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports::plot {
namespace {

constexpr const char* font = "DejaVu Sans";
constexpr int ranks_between = 2;  // Graphviz ranks between a client and its endpoints, so that the arrows spread

// Writes one picture.
class Drawing {
 public:
  Drawing(const scenario::Scenario& scenario, const TopologyModel& model, std::string title)
      : scenario_(scenario), model_(model), title_(std::move(title)) {}

  std::string text() {
    text_ = "digraph topology {\n";
    text_ += fmt::format(
        "  graph [label={}, labelloc=t, fontsize=15, fontname=\"{}\", fontcolor=\"{}\", newrank=true, ranksep=0.5, "
        "nodesep=0.35];\n",
        dot_label({title_}), font, ink);
    text_ += fmt::format("  node [shape=box, fontname=\"{0}\", fontsize=12, fontcolor=\"{1}\", color=\"{1}\"];\n", font,
                         ink);
    text_ += fmt::format("  edge [fontname=\"{}\", fontsize=11];\n", font);
    for (std::uint32_t zone = 0; zone < scenario_.zones.size(); ++zone) {
      write_zone({zone});
    }
    keep_order();
    for (const Arrow& arrow : model_.arrows) {
      write_arrow(arrow);
    }
    return text_ + "}\n";
  }

 private:
  [[nodiscard]] std::size_t first_proxy() const { return model_.clients.size(); }
  [[nodiscard]] std::size_t first_endpoint() const { return model_.clients.size() + model_.proxies.size(); }

  [[nodiscard]] config::NodeIndex node_of_box(std::size_t box) const {
    if (box < first_proxy()) {
      return scenario_.clients[model_.clients[box].client.value].node;
    }
    if (box < first_endpoint()) {
      return scenario_.endpoints[model_.proxies[box - first_proxy()].proxy.value].node;
    }
    return model_.endpoints[box - first_endpoint()].node;
  }

  [[nodiscard]] std::vector<std::size_t> boxes_on(std::uint32_t node) const {
    std::vector<std::size_t> boxes;
    for (std::size_t box = 0; box < first_endpoint() + model_.endpoints.size(); ++box) {
      if (node_of_box(box).value == node) {
        boxes.push_back(box);
      }
    }
    return boxes;
  }

  // True if the zone's nodes are drawn: endpoints are not grouped by zone, and the zone has several nodes, some with a
  // name other than the zone's.
  [[nodiscard]] bool shows_nodes(config::ZoneIndex zone) const {
    std::size_t nodes = 0;
    bool own_name = false;
    for (const scenario::Node& node : scenario_.nodes) {
      nodes += node.zone == zone ? 1 : 0;
      own_name = own_name || (node.zone == zone && node.name != scenario_.zones[zone.value].name);
    }
    return model_.detail != Detail::zone && nodes > 1 && own_name;
  }

  void write_zone(config::ZoneIndex zone) {
    begin_cluster(fmt::format("zone{}", zone.value), {scenario_.zones[zone.value].name}, "#FFFFFF", 14);
    std::string sub_zone;
    bool in_sub_zone = false;
    // dot lays out nested clusters from the last to the first.
    for (std::uint32_t node = static_cast<std::uint32_t>(scenario_.nodes.size()); node-- > 0;) {
      const scenario::Node& of = scenario_.nodes[node];
      const std::vector<std::size_t> here = boxes_on(node);
      if (of.zone != zone || here.empty()) {
        continue;
      }
      if (shows_nodes(zone) && of.sub_zone != sub_zone) {
        close_cluster(in_sub_zone);
        sub_zone = of.sub_zone;
        in_sub_zone = !sub_zone.empty();
        if (in_sub_zone) {
          begin_cluster(fmt::format("sub_zone{}", node), {sub_zone}, "#EEEEEE", 12);
        }
      }
      if (shows_nodes(zone)) {
        begin_cluster(fmt::format("node{}", node), node_lines(of), "#F6F6F6", 11);
      }
      for (const std::size_t box : here) {
        write_box(box);
      }
      if (shows_nodes(zone)) {
        write_placeholders({zone, node});
      }
      close_cluster(shows_nodes(zone));
    }
    close_cluster(in_sub_zone);
    if (!shows_nodes(zone)) {
      write_placeholders({zone, {}});
    }
    close_cluster(true);
  }

  static std::vector<std::string> node_lines(const scenario::Node& node) {
    std::vector<std::string> lines{node.name};
    for (const auto& [key, value] : node.labels) {
      if (value != node.name) {
        lines.emplace_back(key).append(": ").append(value);
      }
    }
    return lines;
  }

  void begin_cluster(const std::string& name, const std::vector<std::string>& lines, const char* color, int size) {
    text_ += fmt::format(
        "  subgraph cluster_{} {{\n  label={}; labeljust=l; fontsize={}; style=\"rounded,filled\"; fillcolor=\"{}\"; "
        "color=\"{}\"; margin=14;\n",
        name, dot_label(lines), size, color, faint);
  }
  void close_cluster(bool open) { text_ += open ? "  }\n" : ""; }

  void write_box(std::size_t box) {
    if (box < first_proxy()) {
      write_client(box, model_.clients[box]);
    } else if (box < first_endpoint()) {
      const std::string& name = scenario_.endpoints[model_.proxies[box - first_proxy()].proxy.value].id;
      text_ += fmt::format("  b{} [label={}, shape=hexagon, style=filled, fillcolor=\"#E0E0E0\"];\n", box,
                           dot_label({name}));
    } else {
      write_endpoints(box, model_.endpoints[box - first_endpoint()]);
    }
  }

  void write_client(std::size_t box, const ClientBox& client) {
    const scenario::ClientEntry& entry = scenario_.clients[client.client.value];
    std::vector<std::string> lines{entry.count > 1 ? fmt::format("{} ({})", entry.name, with_thousands(entry.count))
                                                   : entry.name};
    if (client.no_host > 0.0) {
      lines.push_back(exact_percent(client.no_host) + " find no host");
    }
    text_ += fmt::format("  b{} [label={}, style=filled, fillcolor=\"#E0E0E0\"{}];\n", box, dot_label(lines),
                         client.no_host > 0.0 ? ", penwidth=3" : "");
  }

  void write_endpoints(std::size_t box, const EndpointBox& endpoints) {
    const auto count = static_cast<std::uint32_t>(endpoints.endpoints.size());
    std::vector<std::string> lines;
    if (count == 1) {
      lines.push_back(scenario_.endpoints[endpoints.endpoints.front().value].id);
      const char* const state = endpoints.removed > 0     ? "removed"
                                : endpoints.unhealthy > 0 ? "unhealthy"
                                : endpoints.degraded > 0  ? "degraded"
                                                          : "";
      if (*state != '\0') {
        lines.emplace_back(state);
      }
    } else {
      lines.push_back(endpoints.service);
      lines.push_back(fmt::format("{} endpoints, {} healthy", with_thousands(count), endpoints.healthy));
      for (const auto& [number, state] : {std::pair{endpoints.degraded, "degraded"}, {endpoints.removed, "removed"}}) {
        if (number > 0) {
          lines.push_back(fmt::format("{} {}", number, state));
        }
      }
    }
    if (endpoints.down > 0 && endpoints.removed < count) {
      lines.push_back(count == 1 ? std::string("down") : fmt::format("{} down", endpoints.down));
    }
    text_ += fmt::format("  b{} [label={}, {}{}];\n", box, dot_label(lines), filling(endpoints, count),
                         endpoints.down > 0 ? ", penwidth=3" : "");
  }

  // Returns stripes whose widths are the numbers of endpoints by state.
  static std::string filling(const EndpointBox& box, std::uint32_t count) {
    std::string colors;
    int states = 0;
    for (const auto& [health, number] : {std::pair{Health::healthy, box.healthy},
                                         {Health::degraded, box.degraded},
                                         {Health::unhealthy, box.unhealthy},
                                         {Health::gone, box.removed}}) {
      if (number == 0) {
        continue;
      }
      ++states;
      colors += fmt::format("{}{};{:.4f}", colors.empty() ? "" : ":", health_color(health),
                            static_cast<double>(number) / count);
    }
    const std::string border = box.removed == count || box.down == count ? ",dashed" : "";
    if (states > 1) {
      return fmt::format("style=\"striped{}\", fillcolor=\"{}\"", border, colors);
    }
    return fmt::format("style=\"filled{}\", fillcolor=\"{}\"", border, colors.substr(0, colors.find(';')));
  }

  // Returns the boxes of one row, in the order of the zones.
  [[nodiscard]] std::vector<std::size_t> row(std::size_t first, std::size_t count) const {
    std::vector<std::size_t> boxes(count);
    std::iota(boxes.begin(), boxes.end(), first);
    const auto place = [&](std::size_t box) {
      const config::NodeIndex node = node_of_box(box);
      return std::tuple(scenario_.nodes[node.value].zone, node, box);
    };
    std::sort(boxes.begin(), boxes.end(),
              [&](std::size_t left, std::size_t right) { return place(left) < place(right); });
    return boxes;
  }

  // A column of the picture: a node if nodes are drawn, otherwise a zone.
  struct Column {
    config::ZoneIndex zone;
    std::optional<std::uint32_t> node;
  };

  [[nodiscard]] std::vector<Column> columns() const {
    std::vector<Column> columns;
    for (std::uint32_t zone = 0; zone < scenario_.zones.size(); ++zone) {
      if (!shows_nodes({zone})) {
        columns.push_back({{zone}, {}});
        continue;
      }
      for (std::uint32_t node = 0; node < scenario_.nodes.size(); ++node) {
        if (scenario_.nodes[node].zone.value == zone && !boxes_on(node).empty()) {
          columns.push_back({{zone}, node});
        }
      }
    }
    return columns;
  }

  // Returns the column's first box in a row; if it has none, an invisible placeholder.
  [[nodiscard]] std::string first_in(const std::vector<std::size_t>& boxes, const Column& column,
                                     const char* row) const {
    const auto found = std::find_if(boxes.begin(), boxes.end(), [&](std::size_t box) {
      const config::NodeIndex node = node_of_box(box);
      return scenario_.nodes[node.value].zone == column.zone && node.value == column.node.value_or(node.value);
    });
    if (found != boxes.end()) {
      return fmt::format("b{}", *found);
    }
    return column.node ? fmt::format("{}_node{}", row, *column.node) : fmt::format("{}{}", row, column.zone.value);
  }

  // Writes the invisible placeholders, in the cluster of their column.
  void write_placeholders(const Column& column) {
    for (const auto& [boxes, name] : {std::pair{row(0, model_.clients.size()), "above"},
                                      {row(first_endpoint(), model_.endpoints.size()), "below"}}) {
      const std::string first = first_in(boxes, column, name);
      if (first.starts_with(name)) {
        text_ += fmt::format("  {} [label=\"\", shape=plaintext];\n", first);
      }
    }
  }

  // Keeps the order: clients above, endpoints below. Invisible arrows between neighbours keep columns side by side.
  void keep_order() {
    const std::vector<std::size_t> clients = row(0, model_.clients.size());
    const std::vector<std::size_t> endpoints = row(first_endpoint(), model_.endpoints.size());
    const auto hold = [&](const std::string& above, const std::string& below, int weight) {
      text_ += fmt::format("  {} -> {} [style=invis, weight={}, minlen={}];\n", above, below, weight, ranks_between);
    };
    std::pair<std::string, std::string> before;
    for (const Column& column : columns()) {
      const std::pair here{first_in(clients, column, "above"), first_in(endpoints, column, "below")};
      hold(here.first, here.second, 5);
      if (!before.first.empty()) {
        hold(before.first, here.second, 3);
        hold(here.first, before.second, 3);
      }
      before = here;
    }
    write_row(clients);
    write_row(endpoints);
  }

  void write_row(const std::vector<std::size_t>& boxes) {
    text_ += "  { rank=same;";
    for (const std::size_t box : boxes) {
      text_ += fmt::format(" b{};", box);
    }
    text_ += " }\n";
  }

  void write_arrow(const Arrow& arrow) {
    constexpr double thinnest = 1.2;
    constexpr double widest = 4.5;
    const bool used = arrow.share > 0.0 || !arrow.known;
    const std::string about = arrow.about.empty() ? "" : xml_escaped(arrow.about) + "<br/>";
    const std::string share = !arrow.known ? "?" : used ? "<b>" + exact_percent(arrow.share) + "</b>" : "0 %";
    const double part = std::min(arrow.share, 1.0);
    const bool to_endpoint = arrow.from < first_proxy() && arrow.to >= first_endpoint();
    // The narrow cell separates the text from the arrow to its left.
    text_ += fmt::format(
        "  b{} -> b{} [color=\"{}\", penwidth={:.2f}, arrowsize={:.2f}, minlen={}{}, label=<<table border=\"0\" "
        "cellborder=\"0\" cellspacing=\"0\" cellpadding=\"1\"><tr><td width=\"4\"></td><td>{}priority "
        "{}<br/>{}</td></tr></table>>];\n",
        arrow.from, arrow.to, priority_color(arrow.priority), thinnest + widest * part, 0.9 - 0.4 * part,
        to_endpoint ? ranks_between : 1, used ? "" : ", style=dashed", about, arrow.priority.value, share);
  }

  const scenario::Scenario& scenario_;
  const TopologyModel& model_;
  std::string title_;
  std::string text_;
};

}  // namespace

std::vector<std::string> topology(const scenario::Scenario& scenario, const run::Results& results,
                                  const TopologyView& view) {
  std::vector<std::string> graphs;
  for (const TopologyModel& model : topology_models(scenario, results, view)) {
    const std::string who = view.client ? scenario.clients[view.client->value].name + ", " : "";
    const bool unknown =
        std::any_of(model.arrows.begin(), model.arrows.end(), [](const Arrow& of) { return !of.known; });
    std::string title = fmt::format("{}: {}{}{}{}", scenario.name, who, time_range(model.start, model.end),
                                    model.exact ? "" : ", simulated", unknown ? "; ?: no exact share" : "");
    graphs.push_back(Drawing(scenario, model, std::move(title)).text());
  }
  return graphs;
}

}  // namespace spillway::reports::plot
