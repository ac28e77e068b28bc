#include "reports/requests/openmetrics.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <iterator>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "models/config/seconds.hpp"
#include "reports/formats.hpp"
#include "reports/records/run_records.hpp"
#include "reports/requests/request_sheet.hpp"
#include "reports/shares/epoch_finder.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/text/metric_family.hpp"
#include "reports/text/names.hpp"
#include "reports/text/sink.hpp"
#include "sim/run/forward.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/scenario/outcome.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports {
namespace {

// Returns labels that rows of one client and service share.
template <class Row>
Labels client_labels(const scenario::Scenario& scenario, const Row& row) {
  return {{"scenario", scenario.name},
          {"client", scenario.clients[row.client.value].name},
          {"service", scenario.services[row.service.value].name}};
}

Labels with(Labels labels, Labels more) {
  labels.insert(labels.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  return labels;
}

// Writes slices of a run as OpenMetrics families with timestamps.
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
  // Calls visit(span of rows) for each client and service.
  template <class Row, class Visit>
  static void for_each_table(const std::vector<Row>& rows, const Visit& visit) {
    for (auto first = rows.begin(); first != rows.end();) {
      const auto end = std::find_if(first, rows.end(), [&](const Row& row) {
        return row.client != first->client || row.service != first->service;
      });
      visit(std::span(first, end));
      first = end;
    }
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
    for_each_table(slices_.outcomes, [&](std::span<const run::Outcomes> rows) {
      for (std::size_t outcome = 0; outcome < scenario::outcome_names.size(); ++outcome) {
        std::uint64_t so_far = 0;
        for (const run::Outcomes& row : rows) {
          so_far += row.counts.all[outcome];
          requests.set_time(end_of(row));
          requests.add(with(client_labels(scenario_, row), {{"outcome", scenario::outcome_names[outcome]}}), so_far);
        }
      }
    });
    requests.end_turn();
  }

  void write_latency() const {
    Family latency("spillway_over_time_latency_seconds", "gauge", "seconds",
                   "Of successful answers to requests of the slice, within 1 percent.");
    latency.begin_turn(sink_);
    for_each_table(slices_.latency, [&](std::span<const run::Latency> rows) {
      for (const auto& [name, quantile] : {std::pair{"0.5", &run::Latency::p50},
                                           {"0.9", &run::Latency::p90},
                                           {"0.95", &run::Latency::p95},
                                           {"0.99", &run::Latency::p99}}) {
        for (const run::Latency& row : rows) {
          if (row.answers > 0) {
            latency.set_time(end_of(row));
            latency.add(with(client_labels(scenario_, row), {{"quantile", name}}), row.*quantile);
          }
        }
      }
    });
    latency.end_turn();
  }

  void write_utilisation() const {
    Family family("spillway_over_time_utilisation_ratio", "gauge", "ratio",
                  "Busy time of the cores of the service's endpoints in the slice.");
    family.begin_turn(sink_);
    for (const run::Epoch& epoch : slices_.epochs) {
      family.set_time(config::seconds(epoch.end));
      family.add(client_labels(scenario_, epoch),
                 utilisation_of(scenario_, slices_, epoch.service, epoch.start, epoch.end));
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

// Writes samples in order of time for each set of labels, each sample at the end of its slice. O(rows).
void write_over_time(const scenario::Scenario& scenario, const run::Results& slices, const Sink& sink) {
  OverTime(scenario, slices, sink).write();
}

class Exposition {
 public:
  Exposition(const scenario::Scenario& scenario, const run::Results& results, const run::Results* slices,
             const Sink& sink)
      : scenario_(scenario), results_(results), slices_(slices), sink_(sink), epochs_(results) {}

  void write() const {
    write_run_info();
    write_epochs();
    const Dimensions all = Dimensions::everything();
    write(share_record(scenario_, results_, all, epochs_), results_.shares,
          {"client", "service", "epoch", "cluster", "priority", "availability", "region", "zone", "sub_zone", "node",
           "subset", "via", "endpoint"});
    write_outcomes();
    write(outcome_record(scenario_, all), results_.outcomes, {"client", "service", "epoch"});
    write_latencies();
    write(load_record(scenario_, results_.mode, "epoch"), results_.endpoints,
          {"service", "epoch", "zone", "node", "endpoint"});
    write(crossing_record(scenario_, results_, all, epochs_), results_.cross_zone,
          {"client", "service", "epoch", "from", "to"});
    write_ejections();
    if (slices_ != nullptr) {
      write_over_time(scenario_, *slices_, sink_);
    }
    sink_("# EOF\n");
  }

 private:
  // Writes families one by one. Each makes a pass over the rows, so that no family has to wait in memory.
  template <class Rows, class Add>
  void write(std::initializer_list<Family*> families, const Rows& rows, const Add& add) const {
    for (Family* const family : families) {
      family->begin_turn(sink_);
      for (const auto& row : rows) {
        add(row);
      }
      family->end_turn();
    }
  }

  // Returns labels that rows of one client, service and epoch share.
  template <class Row>
  [[nodiscard]] Labels labels_of(const Row& row, std::uint32_t epoch) const {
    return with(client_labels(scenario_, row), {{"epoch", std::to_string(epoch)}});
  }

  void write_run_info() const {
    Family run("spillway_run", "info", "", "What was simulated.");
    run.begin_turn(sink_);
    run.add({{"scenario", scenario_.name},
             {"mode", std::string(name_of(results_.mode))},
             {"seed", std::to_string(results_.seed)},
             {"replications", std::to_string(results_.replications)},
             {"unseed", results_.result_fingerprint}},
            std::uint64_t{1});
    run.end_turn();
  }

  void write_epochs() const {
    Family start("spillway_epoch_start_seconds", "gauge", "seconds", "Simulated time at which the epoch begins.");
    Family end("spillway_epoch_end_seconds", "gauge", "seconds", "Simulated time at which the epoch ends.");
    const auto add = [&](const run::Epoch& epoch) {
      start.add(labels_of(epoch, epoch.index), config::seconds(epoch.start));
      end.add(labels_of(epoch, epoch.index), config::seconds(epoch.end));
    };
    write({&start, &end}, results_.epochs, add);
  }

  // Writes the fields of a record that have a family. `labels`: the fields that tell its rows apart.
  template <class Row, class Rows>
  void write(const Record<Row>& record, const Rows& rows, std::initializer_list<std::string_view> labels) const {
    const auto labels_of_row = [&](const Row& row) {
      Labels all{{"scenario", scenario_.name}};
      for (const std::string_view name : labels) {
        all.emplace_back(name, record.field(name).value(row).cell());
      }
      return all;
    };
    for (const RecordField<Row>& field : record.fields()) {
      if (field.metric.name != nullptr) {
        Family family(field.metric.name, field.metric.type, field.metric.unit, field.metric.help);
        write({&family}, rows, [&](const Row& row) {
          field.value(row).with_number([&](auto number) { family.add(labels_of_row(row), number); });
        });
      }
    }
  }

  void write_outcomes() const {
    Family requests("spillway_requests", "counter", "", "Requests by outcome.");
    const auto add = [&](const run::Outcomes& row) {
      const Labels labels = labels_of(row, row.epoch);
      for (std::size_t outcome = 0; outcome < scenario::outcome_names.size(); ++outcome) {
        requests.add(with(labels, {{"outcome", scenario::outcome_names[outcome]}}), row.counts.all[outcome]);
      }
    };
    write({&requests}, results_.outcomes, add);
  }

  void write_latencies() const {
    Family latency("spillway_latency_seconds", "summary", "seconds", "Of successful answers, within 1 percent.");
    Family longest("spillway_latency_max_seconds", "gauge", "seconds", "The longest of successful answers.");
    const auto add = [&](const run::Latency& row) {
      if (row.answers == 0) {
        return;
      }
      const Labels labels = labels_of(row, row.epoch);
      for (const auto& [quantile, value] :
           {std::pair{"0.5", row.p50}, {"0.9", row.p90}, {"0.95", row.p95}, {"0.99", row.p99}}) {
        latency.add(with(labels, {{"quantile", quantile}}), value);
      }
      latency.add_count(labels, row.answers);
      longest.add(labels, row.max);
    };
    write({&latency, &longest}, results_.latency, add);
  }

  void write_ejections() const {
    if (results_.mode == scenario::Mode::exact) {
      return;
    }
    Family ejections("spillway_ejections", "counter", "", "Hosts that proxies ejected, counted over all proxies.");
    ejections.begin_turn(sink_);
    ejections.add({{"scenario", scenario_.name}}, results_.events.ejections);
    ejections.end_turn();
  }

  const scenario::Scenario& scenario_;
  const run::Results& results_;
  const run::Results* slices_;
  const Sink& sink_;
  EpochFinder epochs_;
};

}  // namespace

void write_openmetrics(const scenario::Scenario& scenario, const run::Results& results, const run::Results* slices,
                       const Sink& sink) {
  Exposition(scenario, results, slices, sink).write();
}

}  // namespace spillway::reports
