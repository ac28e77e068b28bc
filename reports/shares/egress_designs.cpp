#include "reports/shares/egress_designs.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "reports/document/document.hpp"
#include "reports/document/sheet.hpp"
#include "reports/text/names.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports {
namespace {

std::string leaving_text(const std::vector<std::pair<std::string, double>>& zones) {
  std::vector<std::string> parts;
  for (const auto& [zone, share] : zones) {
    parts.push_back(zone + " " + exact_percent(share));
  }
  return parts.empty() ? "nothing" : joined(parts, ", ");
}

Sheet designs_sheet(const scenario::Scenario& scenario) {
  Sheet sheet{"designs for zone egress, while every endpoint is healthy",
              {{"service"},
               {"design"},
               {"clients"},
               {"clusters at the egress", true},
               {"at a client", true},
               {"of what leaves the zone"}}};
  for (const EgressDesignLine& line : egress_design_lines(scenario)) {
    sheet.rows.push_back({line.service, line.design, joined(line.clients, ", "),
                          with_thousands(line.clusters.at_egress), with_thousands(line.clusters.at_client),
                          line.leaving});
  }
  return sheet;
}

}  // namespace

std::string name_of(kuma::EgressDesign design) {
  return std::string(name_in({"metadata", "hashed SNI", "mesh scope", "aggregate"}, design));
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

void add_egress_designs(Page& page, const scenario::Scenario& scenario) {
  const Sheet sheet = designs_sheet(scenario);
  if (!sheet.rows.empty()) {
    page.on(Medium::terminal).heading(sheet.subject);
    page.on(Medium::markup).title({sheet.subject});
    page.sheet(sheet);
  }
}

}  // namespace spillway::reports
