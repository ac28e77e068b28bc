#include "reports/requests/openmetrics.hpp"

#include <fmt/format.h>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "reports/records/run_records.hpp"
#include "reports/requests/slice_metrics.hpp"
#include "reports/shares/epoch_finder.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/text/metric_family.hpp"
#include "reports/text/names.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/outcome_names.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports {
namespace {

double in_seconds(run::Nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

class Exposition {
 public:
  Exposition(const scenario::Scenario& scenario, const run::Results& results, const run::Results* slices,
             const Sink& sink)
      : scenario_(scenario), results_(results), slices_(slices), sink_(sink), epochs_(results) {}

  void write() const {
    write_run_info();
    write_epochs();
    write_shares();
    write_outcomes();
    write_latencies();
    write_endpoints();
    write_crossings();
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
    return {{"scenario", scenario_.name},
            {"client", scenario_.clients[row.client.value].name},
            {"service", scenario_.services[row.service.value].name},
            {"epoch", std::to_string(epoch)}};
  }
  static Labels with(Labels labels, Labels more) {
    labels.insert(labels.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    return labels;
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
      start.add(labels_of(epoch, epoch.index), in_seconds(epoch.start));
      end.add(labels_of(epoch, epoch.index), in_seconds(epoch.end));
    };
    write({&start, &end}, results_.epochs, add);
  }

  // Writes the fields of a record that have a family.
  template <class Row, class Rows, class LabelsOf>
  void write(const Record<Row>& record, const Rows& rows, const LabelsOf& labels_of_row) const {
    for (const RecordField<Row>& field : record.fields()) {
      if (field.metric.name != nullptr) {
        Family family(field.metric.name, field.metric.type, field.metric.unit, field.metric.help);
        write({&family}, rows, [&](const Row& row) {
          field.value(row).with_number([&](auto number) { family.add(labels_of_row(row), number); });
        });
      }
    }
  }

  void write_shares() const {
    write(share_record(scenario_, results_, Dimensions::everything(), epochs_), results_.shares,
          [&](const run::Share& share) {
            return with(labels_of(share, share.epoch), {{"cluster", share.cluster},
                                                        {"priority", std::to_string(share.priority.value)},
                                                        {"availability", std::string(name_of(share.availability))},
                                                        {"region", share.region},
                                                        {"zone", share.zone},
                                                        {"sub_zone", share.sub_zone},
                                                        {"node", share.node},
                                                        {"subset", share.subset},
                                                        {"via", share.via},
                                                        {"endpoint", share.endpoint}});
          });
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
    write(outcome_counts(), results_.outcomes, [&](const run::Outcomes& row) { return labels_of(row, row.epoch); });
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

  void write_endpoints() const {
    write(load_record(scenario_, results_.mode, "epoch"), results_.endpoints, [&](const run::EndpointLoad& row) {
      const scenario::Endpoint& endpoint = scenario_.endpoints[row.endpoint.value];
      const scenario::Node& node = scenario_.nodes[endpoint.node.value];
      return Labels{{"scenario", scenario_.name},
                    {"service", scenario_.services[row.service.value].name},
                    {"epoch", std::to_string(row.epoch)},
                    {"zone", scenario_.zones[node.zone.value].name},
                    {"node", node.name},
                    {"endpoint", endpoint.id}};
    });
  }

  void write_crossings() const {
    write(crossing_record(scenario_, results_, Dimensions::everything(), epochs_), results_.cross_zone,
          [&](const run::CrossZone& row) {
            return with(labels_of(row, row.epoch),
                        {{"from", scenario_.zones[row.from.value].name}, {"to", scenario_.zones[row.to.value].name}});
          });
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
