#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "sim/scenario/binding/serving.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/binding/trace.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/files_beside.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/messages/traffic.hpp"
#include "sim/scenario/messages/workload.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::scenario::binding {
namespace {

// Reads the start of each phase of a workload; phases that never start are reported.
void read_phases(Clients& so_far, config::ClientEntryIndex client, ClientEntry& entry,
                 const grammar::Field<std::vector<messages::Phase>>& phases) {
  const auto& duration = so_far.file.duration;
  Nanoseconds at{0};
  bool any = false;
  for (std::size_t i = 0; i < phases->size(); ++i) {
    const messages::Phase& phase = (*phases)[i];
    const bool last = i + 1 == phases->size();
    any = any || phase.rate > 0.0 || phase.to > 0.0;
    // The last phase lasts to the end unless it has a duration.
    const Nanoseconds lasts = phase.lasts > Nanoseconds{0} ? phase.lasts : duration.value_or(Nanoseconds{0}) - at;
    const double slope = phase.to == phase.rate || lasts <= Nanoseconds{0}
                             ? 0.0
                             : (phase.to - phase.rate) / (static_cast<double>(lasts.count()) * 1e-9);
    if (i == 0) {
      entry.workload.rate = phase.rate;
      entry.workload.slope = slope;
    } else {
      so_far.scenario.changes.push_back({at, RateChange{client, phase.rate, slope}, phases.where});
    }
    if (!last && phase.lasts == Nanoseconds{0}) {
      so_far.problems.error("SP126", phases.where, "a step of no duration", "step {} lasts 0s", {i + 1});
      return;
    }
    at += phase.lasts;
    if (duration && (last ? at > *duration : at >= *duration)) {
      so_far.problems
          .error("SP113", phases.where, "phases longer than the run",
                 "step {} reaches the end of the run or goes past it", {i + 1})
          .note("the run ends at the `duration` in {}", {place(duration.where)});
      return;
    }
  }
  if (!any) {
    so_far.problems.error("SP116", phases.where, "a client without requests", "one phase must be above 0rps");
  }
}

std::optional<std::uint64_t> given(const grammar::Field<std::uint64_t>& field) {
  return field ? std::optional(*field) : std::nullopt;
}

// Refuses endless runs. Ten billion requests take about an hour; more is a typing error.
void refuse_endless_run(const Header& so_far, double rate, std::uint32_t clients, Span where) {
  constexpr double most_requests = 1e10;
  const auto& duration = so_far.file.duration;
  if (!duration || rate * clients * static_cast<double>(duration->count()) * 1e-9 <= most_requests) {
    return;
  }
  so_far.problems.error("SP138", where, "more requests than can be simulated", "too many a second")
      .note("the run lasts for the `duration` in {}", {place(duration.where)});
}

void refuse_many_workers(const Header& so_far, const ClientEntry& entry, Span where) {
  constexpr std::uint64_t most_workers = 1'000'000;
  if (std::uint64_t{entry.count} * entry.concurrency > most_workers) {
    so_far.problems.error("SP023", where, "`concurrency` is out of bounds",
                          "all proxies of an entry may have 1,000,000 workers");
  }
}

void read_trace_file(const Header& so_far, ClientEntry& entry, const grammar::Field<std::string>& path) {
  Workload& workload = entry.workload;
  workload.arrivals = Arrivals::trace;
  const auto file = static_cast<std::uint32_t>(so_far.sources.size());
  const std::string beside = path_beside(so_far.sources.front(), *path);
  if (*path != "-" && !may_be_read(so_far.sources.front(), beside)) {
    so_far.problems
        .error("SP153", path.where, "a trace outside of the scenario's folder", "is not below the scenario's folder")
        .help("move it there, or allow it: `--allow-files`");
    return;
  }
  Diagnostics unreadable;
  auto source = documents::load_source(beside, file, unreadable, documents::Reads::regular_files);
  if (!source || *path == "-") {
    so_far.problems.push_back(unreadable.empty() ? error("SP001", path.where, "cannot read `-`", "must be a file")
                                                 : std::move(unreadable.front()));
    so_far.problems.back().where = path.where;
    return;
  }
  auto arrivals = read_trace(source->text, file, entry.count, so_far.problems);
  const Nanoseconds duration = so_far.file.duration.value_or(Nanoseconds::max());
  const auto later = std::find_if(arrivals.begin(), arrivals.end(),
                                  [duration](const TracedArrival& arrival) { return arrival.at >= duration; });
  const auto simulated = static_cast<double>(later - arrivals.begin());
  if (later == arrivals.begin() && !has_errors(so_far.problems)) {
    so_far.problems.error("SP116", path.where, "a client without requests",
                          "no arrival of the trace is before the end");
  } else if (later != arrivals.end()) {
    so_far.problems
        .warning("SP304", path.where, "arrivals after the end of the run are left out", "{} of {} arrivals",
                 {static_cast<std::uint64_t>(arrivals.end() - later), arrivals.size()})
        .note("the run ends at the `duration` in {}", {place(so_far.file.duration.where)});
  }
  // A file that is not a trace may be anything.
  source->shown = Shown::messages;
  so_far.sources.push_back(std::move(*source));
  workload.rate = simulated / entry.count / (static_cast<double>(duration.count()) * 1e-9);
  workload.trace = std::make_shared<const std::vector<TracedArrival>>(std::move(arrivals));
}

void read_users(const Header& so_far, const messages::Workload& written, ClientEntry& entry) {
  constexpr std::uint64_t most_users = 10'000'000;
  Workload& workload = entry.workload;
  workload.arrivals = Arrivals::closed;
  workload.users = static_cast<std::uint32_t>(*written.users);
  workload.rate = static_cast<double>(workload.users);
  if (*written.users * entry.count > most_users) {
    so_far.problems.error("SP023", written.users.where, "`users` is out of bounds",
                          "all clients of an entry may have 10,000,000 users");
  }
  if (written.think_time) {
    TimeDistribution distribution = read_distribution(*written.think_time, so_far.problems);
    workload.think_time = distribution.mean;
    workload.think_variation = std::move(distribution.variation);
  }
}

}  // namespace

Clients read_clients(Routes routes) {
  Clients so_far{std::move(routes)};
  if (!so_far.file.clients.given) {
    so_far.clients.mark_incomplete();
  }
  for (const auto& field : so_far.file.clients.value) {
    const messages::Client& client = field.value;
    const messages::Workload& workload = client.workload.value;
    if (!client.name) {
      so_far.clients.mark_incomplete();
    }
    so_far.clients.add(client.name.value_or(""), client.name ? client.name.where : field.where, so_far.problems);
    ClientEntry entry;
    entry.name = client.name.value_or("");
    entry.tags = plain_map(*client.tags);
    entry.count = static_cast<std::uint32_t>(client.count.value_or(1));
    entry.concurrency = static_cast<std::uint32_t>(client.concurrency.value_or(1));
    refuse_many_workers(so_far, entry, client.concurrency.where);
    if (client.node) {
      entry.node.value = so_far.nodes.resolve(client.node, so_far.problems).value_or(0);
    } else if (const auto zone = so_far.zones.resolve(client.zone, so_far.problems);
               zone && !so_far.nodes_of_zone[*zone].empty()) {
      const std::vector<std::uint32_t>& nodes = so_far.nodes_of_zone[*zone];
      entry.node.value = nodes.front();
      // In turn, like endpoints; with fewer clients than nodes, the last nodes have none.
      const std::size_t used =
          entry.count > 1 && nodes.size() > 1 ? std::min<std::size_t>(nodes.size(), entry.count) : 0;
      std::transform(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(used), std::back_inserter(entry.nodes),
                     [](std::uint32_t node) { return config::NodeIndex{node}; });
    }
    read_requests(so_far, workload, entry, client.workload.where);
    entry.workload.rate = workload.rate.value_or(0.0);
    entry.workload.request_bytes = given(workload.request_bytes);
    entry.workload.response_bytes = given(workload.response_bytes);
    if (workload.phases) {
      const config::ClientEntryIndex index{static_cast<std::uint32_t>(so_far.scenario.clients.size())};
      read_phases(so_far, index, entry, workload.phases);
    }
    entry.workload.arrivals = static_cast<Arrivals>(workload.arrivals.value_or(0));
    if (workload.trace) {
      read_trace_file(so_far, entry, workload.trace);
    } else if (workload.users) {
      read_users(so_far, workload, entry);
    }
    if (workload.rate && entry.workload.rate <= 0.0) {
      so_far.problems.error("SP116", workload.rate.where, "a client without requests", "must be above 0");
    }
    if (workload.rate || workload.phases) {
      refuse_endless_run(so_far, entry.workload.rate, entry.count, workload.rate ? workload.rate.where : field.where);
    }
    so_far.services_of_client.push_back(services_of(so_far.scenario, entry));
    so_far.scenario.clients.push_back(std::move(entry));
  }
  read_mesh_clients(so_far);
  return so_far;
}

}  // namespace spillway::scenario::binding
