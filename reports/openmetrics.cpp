#include "reports/openmetrics.hpp"

#include <array>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/names.hpp"
#include "reports/share_fields.hpp"

namespace spillway::reports {
namespace {

using Labels = std::vector<std::pair<std::string_view, std::string>>;

std::string label_escaped(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    if (letter == '\n') {
      escaped += "\\n";
      continue;
    }
    if (letter == '\\' || letter == '"') {
      escaped += '\\';
    }
    escaped += letter;
  }
  return escaped;
}

std::string labels_text(const Labels& labels) {
  std::string text;
  for (const auto& [name, value] : labels) {
    if (!value.empty()) {
      text += fmt::format("{}{}=\"{}\"", text.empty() ? "" : ",", name, label_escaped(value));
    }
  }
  return text.empty() ? "" : "{" + text + "}";
}

// The samples of one family, which stand together.
class Family {
 public:
  // `suffix` is what the type adds to the name of its samples.
  Family(std::string name, std::string_view type, std::string_view unit, std::string_view help)
      : name_(std::move(name)),
        suffix_(type == "counter" ? "_total"
                : type == "info"  ? "_info"
                                  : "") {
    head_ = fmt::format("# TYPE {} {}\n", name_, type);
    if (!unit.empty()) {
      head_ += fmt::format("# UNIT {} {}\n", name_, unit);
    }
    head_ += fmt::format("# HELP {} {}\n", name_, help);
  }

  void add(const Labels& labels, double value) {
    samples_ += fmt::format("{}{}{} {}\n", name_, suffix_, labels_text(labels), shortest(value));
  }
  void add(const Labels& labels, std::uint64_t value) {
    samples_ += fmt::format("{}{}{} {}\n", name_, suffix_, labels_text(labels), value);
  }
  // Of a summary: how many it is of.
  void add_count(const Labels& labels, std::uint64_t count) {
    samples_ += fmt::format("{}_count{} {}\n", name_, labels_text(labels), count);
  }
  template <class Number>
  void add(const Labels& labels, const std::optional<Number>& value) {
    if (value) {
      add(labels, *value);
    }
  }

  // Nothing where there are no samples.
  [[nodiscard]] std::string text() const { return samples_.empty() ? "" : head_ + samples_; }

 private:
  std::string name_;
  std::string_view suffix_;
  std::string head_;
  std::string samples_;
};

double in_seconds(run::Nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

class Exposition {
 public:
  Exposition(const scenario::Scenario& scenario, const run::Results& results)
      : scenario_(scenario), results_(results) {}

  std::string text() const {
    return run_info() + epochs() + shares() + outcomes() + latencies() + endpoints() + crossings() + ejections() +
           "# EOF\n";
  }

 private:
  // What rows of one client, service and epoch have in common.
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

  [[nodiscard]] std::string run_info() const {
    Family run("spillway_run", "info", "", "What was played.");
    run.add({{"scenario", scenario_.name},
             {"mode", std::string(name_of(results_.mode))},
             {"seed", std::to_string(results_.seed)},
             {"replications", std::to_string(results_.replications)},
             {"unseed", results_.unseed}},
            std::uint64_t{1});
    return run.text();
  }

  [[nodiscard]] std::string epochs() const {
    Family start("spillway_epoch_start_seconds", "gauge", "seconds", "Simulated time at which the epoch begins.");
    Family end("spillway_epoch_end_seconds", "gauge", "seconds", "Simulated time at which the epoch ends.");
    for (const run::Epoch& epoch : results_.epochs) {
      start.add(labels_of(epoch, epoch.index), in_seconds(epoch.start));
      end.add(labels_of(epoch, epoch.index), in_seconds(epoch.end));
    }
    return start.text() + end.text();
  }

  [[nodiscard]] std::string shares() const {
    Family exact("spillway_share_exact_ratio", "gauge", "ratio",
                 "Part of the client's requests whose first pick is this endpoint, as Envoy's arithmetic computes it.");
    Family simulated("spillway_share_simulated_ratio", "gauge", "ratio",
                     "Part of the client's requests whose first attempt went to this endpoint.");
    Family attempts("spillway_attempts", "counter", "", "Attempts at requests that went to this endpoint.");
    for (const run::Share& share : results_.shares) {
      const Labels labels =
          with(labels_of(share, share.epoch), {{"cluster", share.cluster},
                                               {"priority", std::to_string(share.priority.value)},
                                               {"availability", std::string(name_of(share.availability))},
                                               {"region", share.region},
                                               {"zone", share.zone},
                                               {"sub_zone", share.sub_zone},
                                               {"node", share.node},
                                               {"subset", share.subset},
                                               {"via", share.via},
                                               {"endpoint", share.endpoint}});
      exact.add(labels, share.exact);
      simulated.add(labels, share.simulated);
      attempts.add(labels, share.attempts);
    }
    return exact.text() + simulated.text() + attempts.text();
  }

  [[nodiscard]] std::string outcomes() const {
    Family requests("spillway_requests", "counter", "", "Requests by what became of them.");
    Family retries("spillway_retries", "counter", "", "Attempts beyond the first of a request.");
    for (const run::Outcomes& row : results_.outcomes) {
      const Labels labels = labels_of(row, row.epoch);
      const std::array<std::pair<const char*, std::uint64_t>, 8> counts{
          {{"ok", row.ok},
           {"no_healthy_upstream", row.no_healthy_upstream},
           {"upstream_error", row.upstream_error},
           {"timeout", row.timeout},
           {"overflow", row.overflow},
           {"queue_full", row.queue_full},
           {"connect_failure", row.connect_failure},
           {"unfinished", row.unfinished}}};
      for (const auto& [outcome, count] : counts) {
        requests.add(with(labels, {{"outcome", outcome}}), count);
      }
      retries.add(labels, row.retries);
    }
    return requests.text() + retries.text();
  }

  [[nodiscard]] std::string latencies() const {
    Family latency("spillway_latency_seconds", "summary", "seconds", "Of successful answers, within 1 percent.");
    Family longest("spillway_latency_max_seconds", "gauge", "seconds", "The longest of successful answers.");
    for (const run::Latency& row : results_.latency) {
      if (row.answers == 0) {
        continue;
      }
      const Labels labels = labels_of(row, row.epoch);
      for (const auto& [quantile, value] : {std::pair{"0.5", row.p50}, {"0.9", row.p90}, {"0.99", row.p99}}) {
        latency.add(with(labels, {{"quantile", quantile}}), value);
      }
      latency.add_count(labels, row.answers);
      longest.add(labels, row.max);
    }
    return latency.text() + longest.text();
  }

  [[nodiscard]] std::string endpoints() const {
    Family utilisation("spillway_endpoint_utilisation_ratio", "gauge", "ratio", "Busy time of the endpoint's cores.");
    Family mean("spillway_endpoint_queue_mean", "gauge", "", "Requests that wait for a core, on average over time.");
    Family most("spillway_endpoint_queue_max", "gauge", "", "Requests that wait for a core, at most.");
    Family requests("spillway_endpoint_requests", "counter", "", "Attempts that proxies sent to the endpoint.");
    for (const run::EndpointLoad& row : results_.endpoints) {
      const scenario::Endpoint& endpoint = scenario_.endpoints[row.endpoint.value];
      const scenario::Node& node = scenario_.nodes[endpoint.node.value];
      const Labels labels{{"scenario", scenario_.name},
                          {"service", scenario_.services[row.service.value].name},
                          {"epoch", std::to_string(row.epoch)},
                          {"zone", scenario_.zones[node.zone.value].name},
                          {"node", node.name},
                          {"endpoint", endpoint.id}};
      utilisation.add(labels, row.utilisation);
      mean.add(labels, row.queue_mean);
      if (row.queue_max) {
        most.add(labels, std::uint64_t{*row.queue_max});
      }
      requests.add(labels, row.requests);
    }
    return utilisation.text() + mean.text() + most.text() + requests.text();
  }

  [[nodiscard]] std::string crossings() const {
    Family requests("spillway_cross_zone_requests", "counter", "", "Attempts that went from one zone to another.");
    Family sent("spillway_cross_zone_request_bytes", "counter", "bytes", "Bytes of requests between zones.");
    Family answered("spillway_cross_zone_response_bytes", "counter", "bytes", "Bytes of answers between zones.");
    for (const run::CrossZone& row : results_.cross_zone) {
      const Labels labels = with(labels_of(row, row.epoch), {{"from", scenario_.zones[row.from.value].name},
                                                             {"to", scenario_.zones[row.to.value].name}});
      requests.add(labels, row.requests);
      sent.add(labels, row.request_bytes);
      answered.add(labels, row.response_bytes);
    }
    return requests.text() + sent.text() + answered.text();
  }

  [[nodiscard]] std::string ejections() const {
    if (results_.mode == scenario::Mode::exact) {
      return "";
    }
    Family ejections("spillway_ejections", "counter", "", "Hosts that proxies ejected, counted over all proxies.");
    ejections.add({{"scenario", scenario_.name}}, results_.events.ejections);
    return ejections.text();
  }

  const scenario::Scenario& scenario_;
  const run::Results& results_;
};

}  // namespace

std::string format_openmetrics(const scenario::Scenario& scenario, const run::Results& results) {
  return Exposition(scenario, results).text();
}

}  // namespace spillway::reports
