#include <algorithm>
#include <chrono>

#include "models/config/seconds.hpp"
#include "reports/html/report.hpp"
#include "reports/html/run_data.hpp"
#include "reports/plot/palette.hpp"
#include "reports/requests/kinds_of_failure.hpp"
#include "reports/text/json_text.hpp"
#include "reports/text/names.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports::html {
namespace {

constexpr std::size_t most_text = std::size_t{256} * 1024;

// Returns at most `most` bytes, without splitting a character.
std::string beginning_of(const std::string& text, std::size_t most) {
  if (text.size() <= most) {
    return text;
  }
  constexpr unsigned char kind_of_byte = 0xC0;
  constexpr unsigned char continues = 0x80;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & kind_of_byte) == continues) {
    --end;
  }
  return text.substr(0, end);
}

Data files_data(const Sources& sources) {
  Data files = json_array(sources, [&](const SourceFile& file) {
    return Data({{"name", file.name}, {"text", beginning_of(file.text, most_text)}, {"bytes", file.text.size()}});
  });
  return files;
}

Data colors_of_health() {
  Data colors = Data::object();
  for (const plot::Health health :
       {plot::Health::healthy, plot::Health::degraded, plot::Health::unhealthy, plot::Health::gone}) {
    colors.add(plot::name_of(health), plot::health_color(health));
  }
  return colors;
}

// Returns the colors of priorities; they repeat after these.
Data colors_of_priorities() {
  constexpr std::uint32_t different = 14;
  Data colors = Data::array();
  for (std::uint32_t priority = 0; priority < different; ++priority) {
    colors.push_back(plot::priority_color(config::Priority{priority}));
  }
  return colors;
}

Data kinds_of_failure_data() {
  Data kinds = Data::array();
  for (std::size_t at = 0; at < kinds_of_failure.size(); ++at) {
    const KindOfFailure& kind = kinds_of_failure[at];
    kinds.push_back({{"name", kind.name}, {"requests", kind.requests}, {"color", plot::failure_color(at)}});
  }
  return kinds;
}

bool is_of_istio(const scenario::Scenario& scenario) {
  return std::any_of(scenario.services.begin(), scenario.services.end(), [](const scenario::Service& service) {
    return service.as_view && service.as_view->istio_trail != nullptr;
  });
}

}  // namespace

Data scenario_data(const scenario::Scenario& scenario, const Sources& sources, const Made& made,
                   const Subject& subject) {
  Data zones = Data::array();
  for (std::size_t zone = 0; zone < scenario.zones.size(); ++zone) {
    zones.push_back({{"name", scenario.zones[zone].name}, {"color", plot::zone_color(zone)}});
  }
  for (std::size_t zone = 0; zone < subject.more_zones.size(); ++zone) {
    zones.push_back({{"name", subject.more_zones[zone]}, {"color", plot::zone_color(scenario.zones.size() + zone)}});
  }
  return {{"version", made.version},
          {"command", made.command},
          {"charts", charts_version()},
          {"title", subject.title.value_or(scenario.name)},
          {"description", subject.description.value_or(scenario.description)},
          {"source", scenario.source},
          {"profile", profile_json(scenario.profile)},
          {"mesh", is_of_istio(scenario) ? "istio" : ""},
          {"duration", config::seconds(scenario.duration)},
          {"zones", std::move(zones)},
          {"priority_colors", colors_of_priorities()},
          {"health_colors", colors_of_health()},
          {"failures", kinds_of_failure_data()},
          {"files", files_data(sources)}};
}

}  // namespace spillway::reports::html
