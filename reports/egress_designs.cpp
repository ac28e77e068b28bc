#include "reports/egress_designs.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "reports/markdown_text.hpp"
#include "reports/percent.hpp"

namespace spillway::reports {
namespace {

constexpr const char* designs_title = "designs for zone egress, while every endpoint is healthy";

std::string leaving_text(const std::vector<std::pair<std::string, double>>& zones) {
  std::vector<std::string> parts;
  for (const auto& [zone, share] : zones) {
    parts.push_back(zone + " " + exact_percent(share));
  }
  return parts.empty() ? "nothing" : joined(parts, ", ");
}

std::vector<std::string> cells_of(const EgressDesignLine& line) {
  return {printable(line.service),
          line.design,
          printable(joined(line.clients, ", ")),
          with_thousands(line.clusters.at_egress),
          with_thousands(line.clusters.at_client),
          printable(line.leaving)};
}

}  // namespace

std::string name_of(kuma::EgressDesign design) {
  switch (design) {
    case kuma::EgressDesign::metadata:
      return "metadata";
    case kuma::EgressDesign::hashed_sni:
      return "hashed SNI";
    case kuma::EgressDesign::mesh_scope:
      return "mesh scope";
    case kuma::EgressDesign::aggregate:
      break;
  }
  return "aggregate";
}

std::vector<EgressDesignLine> egress_design_lines(const scenario::Scenario& scenario) {
  std::vector<EgressDesignLine> lines;
  for (const scenario::EgressDesignRow& row : scenario.egress_designs) {
    EgressDesignLine line{
        scenario.services[row.service.value].name, name_of(row.design), {}, row.clusters, leaving_text(row.zones)};
    auto same = std::find_if(lines.begin(), lines.end(), [&](const EgressDesignLine& known) {
      return known.service == line.service && known.design == line.design && known.clusters == line.clusters &&
             known.leaving == line.leaving;
    });
    if (same == lines.end()) {
      same = lines.insert(lines.end(), std::move(line));
    }
    same->clients.push_back(row.client);
  }
  std::sort(lines.begin(), lines.end(), [](const EgressDesignLine& left, const EgressDesignLine& right) {
    return std::tie(left.service, left.design, left.clients) < std::tie(right.service, right.design, right.clients);
  });
  return lines;
}

std::string egress_designs_table(const scenario::Scenario& scenario) {
  TextTable table({{"service"},
                   {"design"},
                   {"clients"},
                   {"clusters at the egress", Align::right},
                   {"at a client", Align::right},
                   {"of what leaves the zone"}});
  const auto lines = egress_design_lines(scenario);
  for (const EgressDesignLine& line : lines) {
    table.add_row(cells_of(line));
  }
  return lines.empty() ? "" : '\n' + std::string(designs_title) + "\n\n" + table.text();
}

std::string egress_designs_markdown(const scenario::Scenario& scenario) {
  const auto lines = egress_design_lines(scenario);
  if (lines.empty()) {
    return "";
  }
  std::string text = "\n**" + std::string(designs_title) + "**\n\n" +
                     markdown_row({"service", "design", "clients", "clusters at the egress", "at a client",
                                   "of what leaves the zone"}) +
                     markdown_rule({false, false, false, true, true, false});
  for (const EgressDesignLine& line : lines) {
    std::vector<std::string> cells = cells_of(line);
    std::transform(cells.begin(), cells.end(), cells.begin(), markdown_escaped);
    text += markdown_row(cells);
  }
  return text;
}

}  // namespace spillway::reports
