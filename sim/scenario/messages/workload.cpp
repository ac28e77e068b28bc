#include "sim/scenario/messages/workload.hpp"

#include <charconv>

#include "models/documents/grammar/spelled.hpp"

namespace spillway::messages {

using grammar::ListOf;
using grammar::Record;
using grammar::Text;
using grammar::Whole;

namespace {

constexpr std::uint64_t longest_value = 10'000;
constexpr std::uint64_t most_users = 100'000;

const char* const headers_words = "headers of the requests by name; a list of values makes several headers";
const char* const path_words = "path with query; default: /";
const char* const destination_words =
    "the IP address and port that the client's connection was opened to, before it was redirected to the proxy: where "
    "clusters of type ORIGINAL_DST send; default: none";
const char* const source_words = "the client's IP address, with a port or without; default: none";

// Reads "uniform" as 0, and the exponent of "zipf 1.1".
std::optional<double> read_popularity(std::string_view text) {
  constexpr std::string_view zipf = "zipf ";
  if (text == "uniform") {
    return 0.0;
  }
  const std::string_view number = text.starts_with(zipf) ? text.substr(zipf.size()) : std::string_view();
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  bool well = !number.empty() && number.size() <= 11 && number.size() != 2 && is_digit(number[0]);
  for (std::size_t i = 1; i < number.size() && well; ++i) {
    well = i == 1 ? number[i] == '.' : is_digit(number[i]);
  }
  double exponent = 0.0;
  std::from_chars(number.data(), number.data() + number.size(), exponent);
  return well ? std::optional(exponent) : std::nullopt;
}

}  // namespace

bool HeaderValues::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (node.kind != documents::Kind::array) {
    std::string value;
    const bool well = Text{0, longest_value}.read(node, value, what, problems);
    into.push_back(std::move(value));
    return well;
  }
  ListOf<Text>::Value values;
  const bool well = ListOf<Text>{{0, longest_value}, 1}.read(node, values, what, problems);
  for (auto& value : values) {
    into.push_back(std::move(value.value));
  }
  return well;
}

grammar::Schema HeaderValues::schema(grammar::Definitions& definitions) const {
  return {
      .any_of = {Text{0, longest_value}.schema(definitions), ListOf<Text>{{0, longest_value}, 1}.schema(definitions)}};
}

bool Popularity::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  return grammar::read_spelled(node, into, what, "uniform, or zipf with an exponent below 10, such as \"zipf 1.1\"",
                               read_popularity, problems);
}

grammar::Schema Popularity::schema(grammar::Definitions& /*definitions*/) const {
  return grammar::pattern_schema("(uniform|zipf [0-9](\\.[0-9]{1,9})?)");
}

void describe(Fields& fields, Keys& keys) {
  fields.optional("header", keys.header, Text{1, 1'000}, "the header that differs");
  fields.optional("cookie", keys.cookie, Text{1, 1'000}, "or the cookie");
  fields.optional("query_parameter", keys.query_parameter, Text{1, 1'000}, "or the parameter of the path");
  fields.optional("source_address", keys.source_address, grammar::Flag{},
                  "or the client's address: 10.0.0.1 and so on");
  fields.exactly_one({"header", "cookie", "query_parameter", "source_address"});
  fields.required("count", keys.count, Whole{1, most_kinds}, "number of values, named <prefix>1, <prefix>2, ...");
  fields.optional(
      "popularity", keys.popularity, Popularity{},
      "uniform, or \"zipf S\": the value of number n in proportion to n to the power of -S; default: uniform");
  fields.optional("prefix", keys.prefix, Text{0, 200}, "of each value; default: key-");
  fields.at_most_one({"prefix", "source_address"});
}

void describe(Fields& fields, RequestKind& kind) {
  fields.optional("name", kind.name, Text{}, "its name; default: its headers");
  fields.optional("weight", kind.weight, grammar::Number{0.0, 1e9},
                  "its part of the requests, relative to the others; default: 1");
  fields.optional("headers", kind.headers, Headers{}, headers_words);
  fields.optional("path", kind.path, Text{1, longest_value}, path_words);
  fields.optional("source_address", kind.source_address, Text{}, source_words);
  fields.optional("destination_address", kind.destination_address, Text{}, destination_words);
}

void describe_bytes(Fields& fields, grammar::Field<std::uint64_t>& request, grammar::Field<std::uint64_t>& response,
                    const char* of_request, const char* of_response) {
  constexpr std::uint64_t most_bytes = 1'000'000'000'000;
  fields.optional("request_bytes", request, Whole{0, most_bytes}, of_request);
  fields.optional("response_bytes", response, Whole{0, most_bytes}, of_response);
}

void describe(Fields& fields, Workload& workload) {
  fields.optional("service", workload.service, Text{},
                  "the service that it calls, without the `routes`; default: its requests use them");
  fields.optional("rate", workload.rate, grammar::Rate{}, "requests a second of each client");
  fields.optional(
      "phases", workload.phases, PhaseSteps{},
      "a rate that changes with time, step by step from the start; 0rps is a pause, 10rps-50rps grows evenly");
  fields.optional(
      "trace", workload.trace, Text{1, 4'096},
      "or a file of arrivals, by its path from the scenario's folder: a time in seconds a line, and after a "
      "comma the number of the client, if need be");
  fields.optional("users", workload.users, Whole{1, most_users},
                  "or the number of users of each client, each of whom sends a request, waits for its answer, thinks, "
                  "and sends the next");
  fields.exactly_one({"rate", "phases", "trace", "users"});
  fields.optional("think_time", workload.think_time, ServiceTimeShape{},
                  "how long a user thinks: a duration, or a mean with a distribution, as service times; default: 0s");
  fields.needs("think_time", "users");
  fields.at_most_one({"arrivals", "trace"});
  fields.at_most_one({"arrivals", "users"});
  fields.optional("arrivals", workload.arrivals, grammar::Choice{{"poisson", "periodic", "uniform"}, {}},
                  "poisson: at random moments; periodic: evenly spaced; uniform: at random distances of up to twice "
                  "the mean one. Default: poisson");
  fields.optional("headers", workload.headers, Headers{}, headers_words);
  fields.optional("path", workload.path, Text{1, longest_value}, path_words);
  fields.optional("source_address", workload.source_address, Text{}, source_words);
  fields.optional("destination_address", workload.destination_address, Text{}, destination_words);
  fields.optional("keys", workload.keys, Record<Keys>{}, "kinds of requests that differ in one value");
  fields.optional("requests", workload.requests, ListOf<Record<RequestKind>>{{}, 1},
                  "kinds of requests, one by one; keys that they leave out are the workload's");
  fields.at_most_one({"keys", "requests"});
  describe_bytes(fields, workload.request_bytes, workload.response_bytes,
                 "size of each request; default: the endpoint's", "size of each answer; default: the endpoint's");
  fields.not_simulated("key_popularity", "write `keys: { popularity: ... }`");
  fields.not_simulated("timeout", "write it in a route of `routes`");
  fields.not_simulated("retries", "write a retry_policy in a route of `routes`");
}

}  // namespace spillway::messages
