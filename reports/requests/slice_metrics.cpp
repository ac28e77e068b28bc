#include "reports/requests/slice_metrics.hpp"

#include <map>
#include <tuple>

#include "models/config/seconds.hpp"
#include "reports/formats.hpp"
#include "reports/requests/request_sheet.hpp"
#include "reports/shares/epoch_finder.hpp"
#include "reports/text/metric_family.hpp"
#include "reports/text/names.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/outcome_names.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports {
namespace {

class OverTime {
 public:
  OverTime(const scenario::Scenario& scenario, const run::Results& slices, const Sink& sink)
      : scenario_(scenario), slices_(slices), epochs_(slices), sink_(sink) {}

  void write() const {
    write_requests();
    write_latency();
    write_utilisation();
    write_shares();
  }

 private:
  template <class Row>
  [[nodiscard]] Labels labels_of(const Row& row) const {
    return {{"scenario", scenario_.name},
            {"client", scenario_.clients[row.client.value].name},
            {"service", scenario_.services[row.service.value].name}};
  }
  static Labels with(Labels labels, std::string_view name, std::string value) {
    labels.emplace_back(name, std::move(value));
    return labels;
  }
  template <class Row>
  [[nodiscard]] double end_of(const Row& row) const {
    return config::seconds(epochs_.find(row.client, row.service, row.epoch)->end);
  }

  // Writes requests. Samples of one set of labels must be contiguous, so it makes one pass over a table's rows per
  // outcome.
  void write_requests() const {
    Family requests("spillway_over_time_requests", "counter", "", "Requests so far by outcome.");
    requests.begin_turn(sink_);
    const std::vector<run::Outcomes>& rows = slices_.outcomes;
    for (std::size_t first = 0; first < rows.size();) {
      std::size_t end = first;
      while (end < rows.size() && rows[end].client == rows[first].client && rows[end].service == rows[first].service) {
        ++end;
      }
      for (std::size_t outcome = 0; outcome < scenario::outcome_names.size(); ++outcome) {
        std::uint64_t so_far = 0;
        for (std::size_t row = first; row < end; ++row) {
          so_far += rows[row].counts.all[outcome];
          requests.set_time(end_of(rows[row]));
          requests.add(with(labels_of(rows[row]), "outcome", scenario::outcome_names[outcome]), so_far);
        }
      }
      first = end;
    }
    requests.end_turn();
  }

  void write_latency() const {
    Family latency("spillway_over_time_latency_seconds", "gauge", "seconds",
                   "Of successful answers to requests of the slice, within 1 percent.");
    latency.begin_turn(sink_);
    const std::vector<run::Latency>& rows = slices_.latency;
    for (std::size_t first = 0; first < rows.size();) {
      std::size_t end = first;
      while (end < rows.size() && rows[end].client == rows[first].client && rows[end].service == rows[first].service) {
        ++end;
      }
      for (const auto& [name, quantile] : {std::pair{"0.5", &run::Latency::p50},
                                           {"0.9", &run::Latency::p90},
                                           {"0.95", &run::Latency::p95},
                                           {"0.99", &run::Latency::p99}}) {
        for (std::size_t row = first; row < end; ++row) {
          if (rows[row].answers > 0) {
            latency.set_time(end_of(rows[row]));
            latency.add(with(labels_of(rows[row]), "quantile", name), rows[row].*quantile);
          }
        }
      }
      first = end;
    }
    latency.end_turn();
  }

  void write_utilisation() const {
    Family family("spillway_over_time_utilisation_ratio", "gauge", "ratio",
                  "Busy time of the cores of the service's endpoints in the slice.");
    family.begin_turn(sink_);
    for (const run::Epoch& epoch : slices_.epochs) {
      family.set_time(config::seconds(epoch.end));
      family.add(labels_of(epoch), utilisation_of(scenario_, slices_, epoch.service, epoch.start, epoch.end));
    }
    family.end_turn();
  }

  // Writes shares by cluster, priority, availability and zone.
  void write_shares() const {
    using Place = std::tuple<config::ClientEntryIndex, config::ServiceIndex, std::string, config::Priority,
                             envoy::Availability, std::string>;
    struct ShareSum {
      double exact = 0.0;
      bool is_exact = true;
      double simulated = 0.0;
      bool is_counted = true;
    };
    std::map<Place, std::map<std::uint32_t, ShareSum>> sums;
    for (const run::Share& share : slices_.shares) {
      ShareSum& sum = sums[{share.client, share.service, share.cluster, share.priority, share.availability, share.zone}]
                          [share.epoch];
      sum.is_exact = sum.is_exact && share.exact;
      sum.exact += share.exact.value_or(0.0);
      sum.is_counted = sum.is_counted && share.simulated;
      sum.simulated += share.simulated.value_or(0.0);
    }
    Family exact("spillway_over_time_share_exact_ratio", "gauge", "ratio", "Exact part of the slice's requests.");
    Family simulated("spillway_over_time_share_simulated_ratio", "gauge", "ratio",
                     "Part of the slice's requests whose first attempt went there.");
    for (Family* const family : {&exact, &simulated}) {
      family->begin_turn(sink_);
      for (const auto& [place, rows] : sums) {
        const auto& [client, service, cluster, priority, availability, zone] = place;
        const Labels labels{{"scenario", scenario_.name},
                            {"client", scenario_.clients[client.value].name},
                            {"service", scenario_.services[service.value].name},
                            {"cluster", cluster},
                            {"priority", std::to_string(priority.value)},
                            {"availability", std::string(name_of(availability))},
                            {"zone", zone}};
        for (const auto& [epoch, sum] : rows) {
          family->set_time(config::seconds(epochs_.find(client, service, epoch)->end));
          if (family == &exact && sum.is_exact) {
            family->add(labels, sum.exact);
          } else if (family == &simulated && sum.is_counted) {
            family->add(labels, sum.simulated);
          }
        }
      }
      family->end_turn();
    }
  }

  const scenario::Scenario& scenario_;
  const run::Results& slices_;
  EpochFinder epochs_;
  const Sink& sink_;
};

}  // namespace

void write_over_time(const scenario::Scenario& scenario, const run::Results& slices, const Sink& sink) {
  OverTime(scenario, slices, sink).write();
}

}  // namespace spillway::reports
