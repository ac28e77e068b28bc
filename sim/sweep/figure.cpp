#include "sim/sweep/figure.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "sim/scenario/outcome.hpp"
#include "sim/sweep/sweep_file.hpp"

namespace spillway::sweep {
namespace {

constexpr std::string_view share_prefix = "share:";

bool is_priority(const std::string& group) {
  return group.size() > 1 && group.front() == 'P' && group.find_first_not_of("0123456789", 1) == std::string::npos;
}

// Reads a count of all requests. `count` is called with the run's counts.
template <class Count>
auto of_counts(Count count) {
  return [count](const Figures& run) -> std::optional<double> {
    return run.total.counts ? std::optional(static_cast<double>(count(*run.total.counts))) : std::nullopt;
  };
}

const std::vector<Figure>& named_figures() {
  static const std::vector<Figure> figures = [] {
    std::vector<Figure> all{
        {"failed", Unit::share, "p.failed", [](const Figures& run) { return run.total.failed; }},
        {"utilisation", Unit::share, "p.utilisation", [](const Figures& run) { return run.busiest; }},
        {"cross_zone", Unit::share, "p.cross_zone", [](const Figures& run) { return run.cross_zone; }}};
    for (const LatencyFigure& latency : latency_figures) {
      all.push_back({latency.name, Unit::seconds, fmt::format("p.{}", latency.name), [&latency](const Figures& run) {
                       return run.total.latency ? std::optional((*run.total.latency).*latency.value) : std::nullopt;
                     }});
    }
    for (const scenario::Outcome failure : scenario::failures) {
      const char* const kind = outcome_name(failure);
      all.push_back({kind, Unit::share, fmt::format("CAST(p.{} AS REAL) / p.sent", kind),
                     [failure](const Figures& run) -> std::optional<double> {
                       const auto& counts = run.total.counts;
                       return counts && counts->sent > 0 ? std::optional(static_cast<double>((*counts)[failure]) /
                                                                         static_cast<double>(counts->sent))
                                                         : std::nullopt;
                     }});
    }
    all.push_back({"sent", Unit::count, "p.sent", of_counts([](const run::Outcomes& of) { return of.sent; })});
    all.push_back({"ok", Unit::count, "p.ok", of_counts([](const run::Outcomes& of) { return of.ok(); })});
    all.push_back({"retries", Unit::count, "p.retries", of_counts([](const run::Outcomes& of) { return of.retries; })});
    return all;
  }();
  return figures;
}

Figure event_figure(const std::string& name, std::uint32_t kind) {
  return {
      name, Unit::count,
      fmt::format("coalesce((SELECT times FROM happenings WHERE point = p.point AND kind = {}), 0)", sql_text(name)),
      [kind](const Figures& run) {
        double times = 0.0;
        for (const EventCount& count : run.logged_events) {
          times += count.kind == kind ? static_cast<double>(count.times) : 0.0;
        }
        return std::optional(times);
      }};
}

// Returns the share of a zone or of "P" with a priority: of all clients' counted requests; without counts, the mean of
// the clients' exact shares.
Figure share_figure(const std::string& name, const std::string& group) {
  const std::string condition =
      is_priority(group) ? fmt::format("priority = {}", group.substr(1)) : fmt::format("zone = {}", sql_text(group));
  return {name, Unit::share,
          fmt::format("coalesce((SELECT CAST(sum(requests) AS REAL) / p.sent FROM shares WHERE point = p.point AND "
                      "{0}), (SELECT sum(exact) / (SELECT count(*) FROM outcomes WHERE point = p.point) FROM "
                      "shares WHERE point = p.point AND {0}), 0)",
                      condition),
          [group](const Figures& run) {
            double requests = 0.0;
            double exact = 0.0;
            for (const GroupShare& share : run.shares) {
              if (share.zone == group || fmt::format("P{}", share.priority) == group) {
                requests += static_cast<double>(share.requests.value_or(0));
                exact += share.exact.value_or(0.0);
              }
            }
            const bool counted = run.total.counts && run.total.counts->sent > 0;
            const auto clients = static_cast<double>(std::max<std::size_t>(run.clients.size(), 1));
            return std::optional(counted ? requests / static_cast<double>(run.total.counts->sent) : exact / clients);
          }};
}

}  // namespace

std::vector<std::string> figure_names(const std::vector<std::string>& event_names) {
  std::vector<std::string> names;
  for (const Figure& figure : named_figures()) {
    names.push_back(figure.name);
  }
  names.insert(names.end(), event_names.begin(), event_names.end());
  return names;
}

std::optional<Figure> figure_of(const std::string& name, const std::vector<std::string>& event_names) {
  const std::string known = name == "error_share"        ? "failed"
                            : name == "cross_zone_share" ? "cross_zone"
                            : name == "p99.9"            ? "p999"
                                                         : name;
  const auto& figures = named_figures();
  const auto named = std::find_if(figures.begin(), figures.end(), [&](const auto& one) { return one.name == known; });
  if (named != figures.end()) {
    return *named;
  }
  const auto event = std::find(event_names.begin(), event_names.end(), name);
  if (event != event_names.end()) {
    return event_figure(name, static_cast<std::uint32_t>(event - event_names.begin()));
  }
  return name.starts_with(share_prefix) ? std::optional(share_figure(name, name.substr(share_prefix.size())))
                                        : std::nullopt;
}

std::optional<std::string> zone_of(const Figure& figure) {
  const std::string group = figure.name.starts_with(share_prefix) ? figure.name.substr(share_prefix.size()) : "";
  return group.empty() || is_priority(group) ? std::nullopt : std::optional(group);
}

}  // namespace spillway::sweep
