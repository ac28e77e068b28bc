#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "models/config/seconds.hpp"
#include "models/kuma/endpoint.hpp"
#include "reports/plot/palette.hpp"
#include "reports/plot/plots.hpp"
#include "reports/plot/time_panels.hpp"
#include "reports/text/percent.hpp"
#include "sim/run/results.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports::plot {
namespace {

constexpr double named_row = 15.0;
constexpr double least_height = 105.0;  // of the longest legend
constexpr double most_height = 420.0;
constexpr std::size_t most_named = 28;
constexpr int levels = 20;           // of darkness
constexpr int beyond = levels + 1;   // above capacity, possible only for expected loads
constexpr double most_noise = 1e-9;  // from rounding

// Returns white, then blue, then nearly black, distinguishable by lightness only.
std::string shade(int level) {
  constexpr std::string_view blue = "#0072B2";
  constexpr std::string_view sky_blue = "#56B4E9";
  const double part = static_cast<double>(level) / levels;
  constexpr double half = 0.5;
  if (part <= half) {
    return tint(sky_blue, 1.0 - part / half);
  }
  // Mixes sky blue with blue darkened to 35 %.
  const double dark = (part - half) / half;
  const auto mixed = [&](std::size_t at) {
    const auto value = [&](std::string_view color) {
      return static_cast<double>(std::stoi(std::string(color.substr(1 + 2 * at, 2)), nullptr, 16));
    };
    constexpr double darkest = 0.35;
    const double end = value(blue) * darkest;
    return static_cast<int>(std::lround(value(sky_blue) * (1.0 - dark) + end * dark));
  };
  return fmt::format("#{:02X}{:02X}{:02X}", mixed(0), mixed(1), mixed(2));
}

struct Row {
  config::EndpointIndex endpoint;
  std::vector<const run::EndpointLoad*> samples;
};

struct ServiceLoad {
  config::ServiceIndex service;
  std::vector<Row> rows = {};
  bool expected = false;  // in mode exact
  bool utilisation = false;
  double most = 1.0;  // value of the darkest level

  // In mode exact, some services have unknown loads.
  [[nodiscard]] bool knows(const run::EndpointLoad& sample) const {
    return !expected || (utilisation ? sample.utilisation.has_value() : sample.expected.has_value());
  }

  [[nodiscard]] double value(const run::EndpointLoad& sample) const {
    if (utilisation) {
      return sample.utilisation.value_or(0.0);
    }
    const double seconds = config::seconds(sample.end - sample.start);
    const double requests = expected ? sample.expected.value_or(0.0) : static_cast<double>(sample.requests);
    return seconds > 0.0 ? requests / seconds : 0.0;
  }
  [[nodiscard]] double height() const {
    return std::clamp(named_row * static_cast<double>(rows.size()), least_height, most_height);
  }
};

std::vector<ServiceLoad> loads_of(const scenario::Scenario& scenario, const run::Results& results,
                                  const std::vector<config::ServiceIndex>& services) {
  std::map<config::EndpointIndex, std::vector<const run::EndpointLoad*>> by_endpoint;
  std::map<config::ServiceIndex, std::map<config::EndpointIndex, Row>> found;
  for (const run::EndpointLoad& sample : results.samples) {
    Row& row = found[sample.service][sample.endpoint];
    row.endpoint = sample.endpoint;
    row.samples.push_back(&sample);
  }
  std::vector<ServiceLoad> loads;
  for (const auto& [service, rows] : found) {
    if (std::find(services.begin(), services.end(), service) == services.end()) {
      continue;
    }
    ServiceLoad load{.service = service, .expected = results.mode == scenario::Mode::exact};
    // Endpoints without any traffic have an empty row.
    std::map<config::EndpointIndex, Row> all = rows;
    for (const scenario::Host& host : scenario.services[service.value].hosts) {
      if (!host.forwards_to) {
        all.try_emplace(host.endpoint, Row{host.endpoint, {}});
      }
    }
    for (auto& [endpoint, row] : all) {
      load.utilisation =
          load.utilisation || std::any_of(row.samples.begin(), row.samples.end(),
                                          [](const auto* sample) { return sample->utilisation.has_value(); });
      load.rows.push_back(std::move(row));
    }
    if (!load.utilisation) {
      load.most = 0.0;
      for (const Row& row : load.rows) {
        for (const run::EndpointLoad* sample : row.samples) {
          load.most = std::max(load.most, load.value(*sample));
        }
      }
      load.most = load.most > 0.0 ? load.most : 1.0;
    }
    loads.push_back(std::move(load));
  }
  return loads;
}

class LoadPanel {
 public:
  LoadPanel(const scenario::Scenario& scenario, const ServiceLoad& load, TimePanels& panels)
      : scenario_(scenario), load_(load), panels_(panels), cells_(levels + 1) {}

  void draw() {
    const Frame frame =
        panels_.begin_panel(scenario_.services[load_.service.value].name,
                            std::string(load_.utilisation ? "utilisation of cores" : "requests a second") +
                                (load_.expected ? ", expected" : ""));
    const double height = (frame.bottom - frame.top) / static_cast<double>(load_.rows.size());
    for (std::size_t row = 0; row < load_.rows.size(); ++row) {
      add_cells(load_.rows[row], static_cast<double>(row));
    }
    name_rows(frame, height);
    panels_.legend(frame, legend());
    panels_.draw_marks();
    GnuplotScript& script = panels_.script();
    script.panel(frame);
    panels_.time_axis(true);
    script.line(fmt::format("set yrange [{}:0]\nunset ytics", load_.rows.size()));
    std::vector<std::string> curves;
    for (int level = 1; level <= levels; ++level) {
      const auto& cells = cells_[static_cast<std::size_t>(level)];
      if (!cells.empty()) {
        curves.push_back(fmt::format("{} using 1:2:3:4:5:6 with boxxyerror fillstyle solid noborder fillcolor rgb '{}'",
                                     script.data(cells), shade(level)));
      }
    }
    if (!over_.empty()) {
      curves.push_back(fmt::format(
          "{} using 1:2:3:4:5:6 with boxxyerror fillstyle solid border linecolor rgb '{}' fillcolor rgb '{}'",
          script.data(over_), ink, overload));
    }
    if (!unknown_.empty()) {
      curves.push_back(fmt::format("{} using 1:2:3:4:5:6 with boxxyerror fillstyle pattern 4 fillcolor rgb '{}'",
                                   script.data(unknown_), faint));
    }
    script.plot(curves);
  }

 private:
  [[nodiscard]] const std::string& zone_of(const Row& row) const {
    const scenario::Endpoint& endpoint = scenario_.endpoints[row.endpoint.value];
    return scenario_.zones[scenario_.nodes[endpoint.node.value].zone.value].name;
  }

  // Adds the row's cells; neighbours of equal darkness are merged.
  void add_cells(const Row& row, double top) {
    double begin = 0.0;
    double end = -1.0;
    int level = 0;
    const auto close = [&] {
      if (level != 0) {
        auto& cells = level == beyond ? over_ : level > 0 ? cells_[static_cast<std::size_t>(level)] : unknown_;
        cells.push_back({(begin + end) / 2, top + 0.5, begin, end, top + 0.94, top + 0.06});
      }
    };
    for (const run::EndpointLoad* sample : row.samples) {
      const double sample_begin = config::seconds(sample->start);
      const double part = std::clamp(load_.value(*sample) / load_.most, 0.0, 1.0);
      const int next = !load_.knows(*sample)                                          ? -1
                       : load_.utilisation && load_.value(*sample) > 1.0 + most_noise ? beyond
                       : part <= 0.0                                                  ? 0
                                     : std::max(1, static_cast<int>(std::lround(part * levels)));
      if (next != level || sample_begin != end) {
        close();
        begin = sample_begin;
        level = next;
      }
      end = config::seconds(sample->end);
    }
    close();
  }

  // Names each endpoint's row or, if there are too many, each run of rows of one zone.
  void name_rows(const Frame& frame, double height) {
    for (std::size_t first = 0; first < load_.rows.size();) {
      std::size_t last = first;
      if (load_.rows.size() > most_named) {
        while (last + 1 < load_.rows.size() && zone_of(load_.rows[last + 1]) == zone_of(load_.rows[first])) {
          ++last;
        }
      }
      const double middle = frame.top + height * static_cast<double>(first + last + 1) / 2;
      panels_.name_row(middle, load_.rows.size() > most_named
                                   ? fmt::format("{} ({})", zone_of(load_.rows[first]), last - first + 1)
                                   : scenario_.endpoints[load_.rows[first].endpoint.value].id);
      first = last + 1;
    }
  }

  [[nodiscard]] std::vector<TimePanels::LegendLine> legend() const {
    std::vector<TimePanels::LegendLine> lines;
    for (const int level : {20, 15, 10, 5}) {
      const double part = static_cast<double>(level) / levels;
      lines.push_back({shade(level), "solid",
                       load_.utilisation ? exact_percent(part) : fmt::format("{:.3g} rps", part * load_.most)});
    }
    if (!over_.empty()) {
      lines.insert(lines.begin(), {std::string(overload), "solid", "above 100 %"});
    }
    if (!unknown_.empty()) {
      lines.push_back({std::string(faint), "pattern 4", "unknown"});
    }
    return lines;
  }

  const scenario::Scenario& scenario_;
  const ServiceLoad& load_;
  TimePanels& panels_;
  std::vector<std::vector<std::vector<double>>> cells_;  // by level
  std::vector<std::vector<double>> over_;
  std::vector<std::vector<double>> unknown_;
};

}  // namespace

std::string load_plot(const scenario::Scenario& scenario, const run::Results& results,
                      const std::vector<config::ServiceIndex>& services, Image image) {
  const std::vector<ServiceLoad> loads = loads_of(scenario, results, services);
  std::vector<double> heights;
  std::vector<std::string> names;
  for (const ServiceLoad& load : loads) {
    heights.push_back(load.height());
    for (const Row& row : load.rows) {
      names.push_back(scenario.endpoints[row.endpoint.value].id);
    }
  }
  TimePanels panels(scenario, image, heights, names);
  for (const ServiceLoad& load : loads) {
    LoadPanel(scenario, load, panels).draw();
  }
  return panels.finish();
}

}  // namespace spillway::reports::plot
