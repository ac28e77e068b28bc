#include "sim/sweep/point_writer.hpp"

#include <optional>

#include "sim/scenario/client.hpp"
#include "sim/scenario/outcome.hpp"
#include "sim/sweep/figure.hpp"
#include "sim/sweep/store.hpp"
#include "sim/sweep/tables.hpp"

namespace spillway::sweep {
namespace {

// Binds the columns from `sent` to `longest`, in order. Returns the place of the column behind them.
int bind_outcome(Statement& insert, int at, const Outcome& outcome) {
  if (outcome.counts) {
    const run::Outcomes& counts = *outcome.counts;
    insert.bind(at, whole(counts.sent)).bind(at + 1, whole(counts.ok()));
    int column = at + 3;
    for (const scenario::Outcome failure : scenario::failures) {
      insert.bind(column++, whole(counts[failure]));
    }
    insert.bind(column, whole(counts.retries));
  }
  insert.bind(at + 2, outcome.failed);
  at += 4 + static_cast<int>(scenario::failures.size());  // sent, ok, failed, failures, retries
  for (const LatencyFigure& latency : latency_figures) {
    insert.bind(at++, outcome.latency ? std::optional((*outcome.latency).*latency.value) : std::nullopt);
  }
  return at;
}

}  // namespace

PointWriter::PointWriter(Database& database)
    : is_done_(database, "SELECT 1 FROM points WHERE point = ?"),
      unclaim_(database, "DELETE FROM claims WHERE point = ?"),
      input_(database, "INSERT OR IGNORE INTO inputs VALUES (?,?,?,?,?)"),
      row_(database, insert_point()),
      outcome_(database, insert_outcome()),
      share_(database, "INSERT INTO shares VALUES (?,?,?,?,?,?,?,?,?)"),
      load_(database, "INSERT INTO loads VALUES (?,?,?,?,?,?,?,?)"),
      event_(database, "INSERT INTO happenings VALUES (?,?,?)") {}

bool PointWriter::take(std::uint64_t point) {
  unclaim_.bind(1, whole(point)).run();
  const bool by_another = is_done_.bind(1, whole(point)).step();
  if (by_another) {
    is_done_.run();
  }
  return !by_another;
}

void PointWriter::write(const Definition& definition, std::uint64_t point, const std::vector<Value>& values,
                        const std::vector<double>& parts, const Figures& figures,
                        const std::vector<std::string>& event_names) {
  const PointPlace place = place_of(definition, point);
  write_inputs(whole(place.setting), values, parts);
  write_row(definition, point, place, figures);
  write_groups(whole(point), figures, event_names);
}

void PointWriter::write_inputs(std::int64_t setting, const std::vector<Value>& values,
                               const std::vector<double>& parts) {
  for (std::size_t key = 0; key < values.size(); ++key) {
    const auto part = parts.empty() ? std::optional<double>() : std::optional(parts[key]);
    input_.with(setting, whole(key), values[key].text, number_of(values[key].text), part).run();
  }
}

void PointWriter::write_row(const Definition& definition, std::uint64_t point, const PointPlace& place,
                            const Figures& figures) {
  row_.with(whole(point), whole(place.setting), std::int64_t{place.side}, std::int64_t{place.replication},
            std::to_string(figures.seed), definition.version);
  if (!figures.refusal.empty()) {
    row_.bind(7, figures.refusal);
  } else {
    constexpr int first_of_outcome = 9;
    row_.bind(8, figures.fingerprint);
    const int next = bind_outcome(row_, first_of_outcome, figures.total);
    row_.bind(next, figures.busiest).bind(next + 1, figures.cross_zone);
  }
  row_.run();
}

void PointWriter::write_groups(std::int64_t point, const Figures& figures,
                               const std::vector<std::string>& event_names) {
  const auto or_null = [](const auto& number) {
    return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
  };
  for (const Outcome& of : figures.clients) {
    (void)bind_outcome(outcome_.with(point, of.client, of.service), 4, of);
    outcome_.run();
  }
  for (const GroupShare& of : figures.shares) {
    share_
        .with(point, of.client, of.service, of.cluster, std::int64_t{of.priority}, of.zone, of.exact, of.simulated,
              or_null(of.requests))
        .run();
  }
  for (const ZoneLoad& of : figures.loads) {
    load_
        .with(point, of.service, of.zone, std::int64_t{of.endpoints}, of.mean, of.busiest, or_null(of.queue_max),
              whole(of.requests))
        .run();
  }
  for (const EventCount& of : figures.logged_events) {
    event_.with(point, event_names.at(of.kind), whole(of.times)).run();
  }
}

}  // namespace spillway::sweep
