#include "sim/scenario/messages/expectations.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "models/documents/grammar/fields.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/policies/wrr_locality/policy.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/outcome.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::scenario::binding {
namespace {

using grammar::Field;

struct Whose {
  config::ClientEntryIndex client;
  config::ServiceIndex service;
};

// Returns the client and service that an expectation is about; either may be left out if there is only one.
std::optional<Whose> find_whose(const MeshClients& so_far, const Field<std::string>& client,
                                const Field<std::string>& service, Span where) {
  Whose whose;
  if (client.present) {
    const auto found = so_far.clients.resolve(client, so_far.problems);
    if (!found) {
      return std::nullopt;
    }
    whose.client.value = *found;
  } else if (so_far.clients.count() != 1) {
    if (!so_far.clients.incomplete() && so_far.clients.count() > 1) {
      so_far.problems.error("SP118", where, "an expectation without a client", "needs `client`")
          .note("{}", {so_far.clients.note()});
    }
    return std::nullopt;
  }
  const ClientEntry& entry = so_far.scenario.clients[whose.client.value];
  const std::vector<config::ServiceIndex>& asked = so_far.services_of_client[whose.client.value];
  std::vector<std::string> names;
  for (const config::ServiceIndex index : asked) {
    names.push_back(so_far.scenario.services.empty() ? "" : so_far.services.all()[index.value]);
  }
  if (service.present) {
    const auto found = so_far.services.resolve(service, so_far.problems);
    const bool asks = found && std::find(asked.begin(), asked.end(), config::ServiceIndex{*found}) != asked.end();
    if (found && !asks && !so_far.services.incomplete() && so_far.routes_complete) {
      so_far.problems.error("SP118", service.where, "`{}` does not call `{}`", "calls {}",
                            {entry.name, *service, grammar::listed(names, "and")});
    }
    return asks ? std::optional(Whose{whose.client, config::ServiceIndex{*found}}) : std::nullopt;
  }
  if (asked.size() > 1) {
    so_far.problems.error("SP118", where, "an expectation without a service", "needs `service`")
        .note("`{}` calls {}", {entry.name, grammar::listed(names, "and")});
    return std::nullopt;
  }
  if (asked.empty() || so_far.services.count() == 0) {
    return std::nullopt;
  }
  whose.service = asked.front();
  return whose;
}

bool fits(const Column& column, const Figure& figure) {
  const bool answer = figure.text == "yes" || figure.text == "no";
  return figure.text == "-" || answer == (column.quantity == Quantity::panic);
}

std::optional<Cell> read_cell(const Header& so_far, const std::optional<Column>& column,
                              const Field<messages::WrittenCell>& field) {
  const messages::WrittenCell& written = field.value;
  if (!field || !written.documented) {
    return std::nullopt;
  }
  Cell cell{*written.documented, std::nullopt, written.reason.value_or(""), field.where};
  if (written.exact) {
    cell.exact = *written.exact;
  }
  for (const Field<Figure>* figure : {&written.documented, &written.exact}) {
    if (column && *figure && !fits(*column, **figure)) {
      so_far.problems.error(
          "SP123", figure->where, "`{}` does not fit column `{}`", "{}",
          {(*figure)->text, column->title,
           column->quantity == Quantity::panic ? "must be yes, no or -" : "must be a number, a percentage or -"});
      return std::nullopt;
    }
  }
  return cell;
}

// Returns those of a table: of its one client, or of each that it lists. Empty if one of them has an error.
std::vector<Whose> find_all_whose(const MeshClients& so_far, const messages::Expected& written, Span where) {
  if (!written.clients.present) {
    const auto whose = find_whose(so_far, written.client, written.service, where);
    return whose ? std::vector{*whose} : std::vector<Whose>();
  }
  std::vector<Whose> all;
  bool complete = true;
  for (const Field<std::string>& client : written.clients.value) {
    const auto whose = find_whose(so_far, client, written.service, client.where);
    complete = complete && whose;
    if (!whose) {
      continue;
    }
    if (!all.empty() && all.front().service != whose->service) {
      so_far.problems.error("SP118", client.where, "`{}` calls another service than the first client",
                            "the clients of a table must call the same one", {*client});
      complete = false;
    }
    if (std::any_of(all.begin(), all.end(), [&](const Whose& known) { return known.client == whose->client; })) {
      so_far.problems.error("SP118", client.where, "`{}` is listed twice", "is in the table already", {*client});
      complete = false;
    }
    all.push_back(*whose);
  }
  return complete ? all : std::vector<Whose>();
}

void read_table(MeshClients& so_far, const messages::Expected& written, Span where) {
  const std::vector<Whose> all = find_all_whose(so_far, written, where);
  const Whose* const whose = all.empty() ? nullptr : all.data();
  std::vector<std::optional<Column>> columns;
  for (const auto& title : written.columns.value) {
    columns.push_back(whose != nullptr ? read_column(so_far, title, whose->service) : std::nullopt);
  }
  ExpectedTable table;
  table.title = written.table.value_or("");
  table.where = where;
  for (const auto& row : written.rows.value) {
    if (row.value.size() != columns.size() && written.columns) {
      so_far.problems
          .error("SP124", row.where, "a row that does not fit its columns", "has {} cells for {} columns",
                 {row.value.size(), columns.size()})
          .note("the columns are in {}", {place(written.columns.where)});
      continue;
    }
    auto& cells = table.rows.emplace_back();
    for (std::size_t i = 0; i < row.value.size(); ++i) {
      const auto column = i < columns.size() ? columns[i] : std::nullopt;
      cells.push_back(read_cell(so_far, column, row.value[i]).value_or(Cell{}));
    }
  }
  for (const auto& column : columns) {
    table.columns.push_back(column.value_or(Column{}));
  }
  if (whose != nullptr) {
    table.client = whose->client;
    for (std::size_t further = 1; further < all.size(); ++further) {
      table.further_clients.push_back(all[further].client);
    }
    table.together = written.together.value_or(false);
    table.service = whose->service;
    so_far.scenario.expectations.emplace_back(std::move(table));
  }
}

struct Window {
  Nanoseconds from{0};
  Nanoseconds to{0};
};

// Reads a window; by default it is the whole run.
Window read_window(const Header& so_far, const Field<Nanoseconds>& first, const Field<Nanoseconds>& last) {
  const Nanoseconds end = so_far.scenario.duration;
  const Window window{first.value_or(Nanoseconds{0}), last.value_or(end)};
  if (so_far.file.duration) {
    for (const auto* moment : {&first, &last}) {
      if (*moment && **moment > end) {
        so_far.problems.error("SP112", moment->where, "a window past the end of the run", "the run is over before");
      }
    }
    if (window.from >= window.to && (first || last) && window.from < end) {
      so_far.problems.error("SP112", last ? last.where : first.where, "a window that ends before it begins",
                            "has no length");
    }
  }
  return window;
}

void read_always(MeshClients& so_far, const Field<messages::Always>& field) {
  const messages::Always& always = *field;
  const auto [from, to] = read_window(so_far, always.from, always.to);
  bool any = false;
  for (std::size_t i = 0; i < outcome_names.size(); ++i) {
    const auto& bound = always.outcomes[i];
    any = any || bound.present;
    if (bound) {
      so_far.scenario.expectations.emplace_back(
          OutcomeAssertion{static_cast<Outcome>(i), bound->comparison, bound->count, from, to, bound.where});
    }
  }
  if (!any) {
    so_far.problems.error("SP127", field.key, "an expectation without an outcome", "names no outcome")
        .help("write for example `always: { no_healthy_upstream: 0 }`");
  }
}

bool known(const Header& so_far, const Names& names, const Field<std::string>& name) {
  return !name.present || names.resolve(name, so_far.problems).has_value();
}

// Reads what an assertion is about, and its bound. `cluster`: the field that names the cluster. False if a name is
// unknown, which is reported.
template <class Assertion>
bool read_assertion(const MeshClients& so_far, const messages::Assertion& written, const Field<std::string>& cluster,
                    Span where, Assertion& assertion) {
  bool fine = known(so_far, so_far.zones, written.zone);
  fine = known(so_far, so_far.nodes, written.node) && fine;
  fine = known(so_far, so_far.endpoints, written.endpoint) && fine;
  fine = known(so_far, so_far.services, cluster) && fine;
  const std::vector<Node>& nodes = so_far.scenario.nodes;
  if (const auto& sub_zone = written.sub_zone;
      sub_zone && !so_far.nodes.incomplete() &&
      std::none_of(nodes.begin(), nodes.end(), [&](const Node& node) { return node.sub_zone == *sub_zone; })) {
    so_far.problems.error("SP110", sub_zone.where, "unknown sub_zone `{}`", "no node has this sub_zone", {*sub_zone});
  }
  assertion.selector = {std::nullopt,
                        cluster.value_or(""),
                        so_far.zones.name_of(written.zone),
                        written.sub_zone.value_or(""),
                        written.node.value_or(""),
                        written.endpoint.value_or("")};
  const std::pair<const Field<Figure>*, Comparison> bounds[] = {{&written.equals, Comparison::equals},
                                                                {&written.at_most, Comparison::at_most},
                                                                {&written.at_least, Comparison::at_least}};
  for (const auto& [figure, comparison] : bounds) {
    if (*figure) {
      assertion.comparison = comparison;
      assertion.figure = **figure;
    }
  }
  assertion.where = where;
  return fine;
}

void read_share(MeshClients& so_far, const Field<messages::ShareOf>& field) {
  const messages::ShareOf& share = *field;
  const auto whose = find_whose(so_far, share.of.present ? share.of : share.client, share.service, field.key);
  ShareAssertion assertion;
  const bool fine = read_assertion(so_far, share, share.cluster, field.key, assertion);
  if (share.at && so_far.file.duration && *share.at >= *so_far.file.duration) {
    so_far.problems.error("SP112", share.at.where, "a moment at or after the end of the run", "must be before the end");
  }
  if (!whose || !fine) {
    return;
  }
  constexpr std::uint64_t largest = std::numeric_limits<std::uint32_t>::max();
  const config::Priority priority{static_cast<std::uint32_t>(std::min(share.priority.value_or(0), largest))};
  if (share.priority && !reaches_priority(so_far.scenario, whose->service, priority)) {
    so_far.problems.error("SP154", share.priority.where, "an unknown priority",
                          "`{}` has no endpoints at this priority or above",
                          {so_far.scenario.services[whose->service.value].name});
    return;
  }
  assertion.client = whose->client;
  assertion.service = whose->service;
  if (share.priority) {
    assertion.selector.priority = priority;
  }
  assertion.at = share.at.value_or(Nanoseconds{0});
  so_far.scenario.expectations.emplace_back(std::move(assertion));
}

void read_utilisation(MeshClients& so_far, const Field<messages::UtilisationOf>& field) {
  const messages::UtilisationOf& utilisation = *field;
  UtilisationAssertion assertion;
  const bool fine = read_assertion(so_far, utilisation, utilisation.service, field.key, assertion);
  const auto [from, to] = read_window(so_far, utilisation.from, utilisation.to);
  assertion.from = from;
  assertion.to = to;
  if (fine && from < to) {
    so_far.scenario.expectations.emplace_back(std::move(assertion));
  }
}

}  // namespace

void read_expectations(MeshClients& so_far) {
  for (const auto& field : so_far.file.expect.value) {
    const messages::Expected& expected = field.value;
    if (expected.always.present) {
      if (expected.always) {
        read_always(so_far, expected.always);
      }
    } else if (expected.share.present) {
      if (expected.share) {
        read_share(so_far, expected.share);
      }
    } else if (expected.utilisation.present) {
      if (expected.utilisation) {
        read_utilisation(so_far, expected.utilisation);
      }
    } else if (expected.table.present) {
      read_table(so_far, expected, expected.table.key);
    }
  }
}

}  // namespace spillway::scenario::binding
