// The grammar of expected results in a scenario file.
#pragma once

#include <string>
#include <vector>

#include "models/documents/grammar/shapes.hpp"
#include "sim/scenario/expectation.hpp"
#include "sim/scenario/messages/topology.hpp"
#include "sim/scenario/outcome.hpp"

namespace spillway::messages {

// A figure: "99%" (but not "6.5 %"), 70, "yes", "no", or "-" if nothing is expected.
struct FigureShape {
  using Value = scenario::Figure;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// A figure, or `{ documented: 7%, exact: 8%, reason: "..." }`.
struct WrittenCell {
  static constexpr const char* definition = "cell";
  Field<scenario::Figure> documented;
  Field<scenario::Figure> exact;
  Field<std::string> reason;
};

inline void describe(Fields& fields, WrittenCell& cell) {
  fields.required("documented", cell.documented, FigureShape{}, "what the document prints");
  fields.optional("exact", cell.exact, FigureShape{}, "what Envoy computes, where that is another figure");
  fields.optional("reason", cell.reason, grammar::Text{1, 1'000}, "why the two differ");
  fields.needs("exact", "reason");
}

struct CellShape {
  using Value = WrittenCell;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// A bound: "<= 5", ">= 5", "== 5", or a plain number, which must be met exactly.
struct Bound {
  scenario::Comparison comparison = scenario::Comparison::equals;
  double count = 0.0;
};

struct BoundShape {
  using Value = Bound;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

struct Always {
  static constexpr const char* definition = "always";
  Field<Bound> outcomes[scenario::outcome_count];
  Field<grammar::Nanoseconds> from;
  Field<grammar::Nanoseconds> to;
};

void describe(Fields& fields, Always& always);

// The keys that shares and utilisations have in common.
struct Assertion {
  Field<std::string> service;
  Field<std::string> zone;
  Field<std::string> sub_zone;
  Field<std::string> node;
  Field<std::string> endpoint;
  Field<scenario::Figure> equals;
  Field<scenario::Figure> at_most;
  Field<scenario::Figure> at_least;
};

struct ShareOf : Assertion {
  static constexpr const char* definition = "share";
  Field<std::string> of;
  Field<std::string> client;
  Field<std::string> cluster;
  Field<std::uint64_t> priority;
  Field<grammar::Nanoseconds> at;
};

struct PercentFigure {
  using Value = scenario::Figure;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

inline void describe(Fields& fields, ShareOf& share) {
  using namespace grammar;
  fields.optional("client", share.client, Text{}, "of this client; optional where there is one");
  fields.optional("of", share.of, Text{}, "the same as client");
  fields.at_most_one({"client", "of"});
  fields.optional("service", share.service, Text{}, "of its requests to this service");
  fields.optional("zone", share.zone, Text{}, "the part that goes to this zone");
  fields.optional("sub_zone", share.sub_zone, Text{}, "the part that goes to this sub_zone");
  fields.optional("node", share.node, Text{}, "the part that goes to this node");
  fields.optional("endpoint", share.endpoint, Text{}, "the part that goes to this endpoint");
  fields.optional("cluster", share.cluster, Text{}, "the part that goes to this cluster");
  fields.optional("priority", share.priority, Whole{0, 128}, "the part that goes to this priority");
  fields.required("at", share.at, DurationText{}, "in the epoch of this moment");
  fields.optional("equals", share.equals, PercentFigure{}, "at the printed precision");
  fields.optional("at_most", share.at_most, PercentFigure{}, "not more than this");
  fields.optional("at_least", share.at_least, PercentFigure{}, "not less than this");
  fields.exactly_one({"equals", "at_most", "at_least"});
}

struct UtilisationOf : Assertion {
  static constexpr const char* definition = "utilisation";
  Field<grammar::Nanoseconds> from;
  Field<grammar::Nanoseconds> to;
};

inline void describe(Fields& fields, UtilisationOf& utilisation) {
  using namespace grammar;
  fields.optional("service", utilisation.service, Text{}, "of the endpoints of this service");
  fields.optional("zone", utilisation.zone, Text{}, "of the endpoints in this zone");
  fields.optional("sub_zone", utilisation.sub_zone, Text{}, "of the endpoints in this sub_zone");
  fields.optional("node", utilisation.node, Text{}, "of the endpoints on this node");
  fields.optional("endpoint", utilisation.endpoint, Text{}, "of this endpoint");
  fields.optional("from", utilisation.from, DurationText{}, "from here on only; default: the start");
  fields.optional("to", utilisation.to, DurationText{}, "up to here only; default: the end");
  fields.optional("equals", utilisation.equals, PercentFigure{}, "of each endpoint, at the printed precision");
  fields.optional("at_most", utilisation.at_most, PercentFigure{}, "of each endpoint, not more than this");
  fields.optional("at_least", utilisation.at_least, PercentFigure{}, "of each endpoint, not less than this");
  fields.exactly_one({"equals", "at_most", "at_least"});
}

struct Expected {
  static constexpr const char* definition = "expectation";
  Field<std::string> table;
  Field<std::string> client;
  FieldList<std::string> clients;
  Field<bool> together;
  Field<std::string> service;
  FieldList<std::string> columns;
  FieldList<std::vector<Field<WrittenCell>>> rows;
  Field<Always> always;
  Field<ShareOf> share;
  Field<UtilisationOf> utilisation;
};

inline void describe(Fields& fields, Expected& expected) {
  using namespace grammar;
  fields.optional("table", expected.table, Text{}, "a table of a client's shares, a row an epoch: its title");
  fields.optional("client", expected.client, Text{}, "the client of the table; optional where there is one client");
  fields.optional("clients", expected.clients, ListOf<Text>{{}, 1},
                  "the clients of the table: the rows of the first client, then those of the next");
  fields.optional("together", expected.together, Flag{}, "all clients together");
  fields.at_most_one({"client", "clients"});
  fields.needs("together", "clients");
  fields.optional("service", expected.service, Text{}, "of its requests to this service");
  fields.optional("columns", expected.columns, ListOf<Text>{{}, 1},
                  "what each column shows: [priority|zone|sub_zone|node|endpoint|cluster] NAME "
                  "[attempts|healthy|degraded|unhealthy|load|panic], several names to narrow it, or total");
  fields.optional("rows", expected.rows, ListOf<ListOf<CellShape>>{{{}, 1}, 1}, "the figures of each epoch");
  fields.optional("always", expected.always, Record<Always>{}, "numbers of requests by outcome");
  fields.optional("share", expected.share, Record<ShareOf>{}, "one share at one moment");
  fields.optional("utilisation", expected.utilisation, Record<UtilisationOf>{},
                  "how busy the cores of endpoints are, each of them over the whole window");
  fields.exactly_one({"table", "always", "share", "utilisation"});
  for (const char* part : {"client", "clients", "together", "service", "columns", "rows"}) {
    fields.needs(part, "table");
  }
  fields.needs("table", "columns");
  fields.needs("table", "rows");
  fields.not_simulated("latency", "expectations of latency are not supported yet");
}

}  // namespace spillway::messages
