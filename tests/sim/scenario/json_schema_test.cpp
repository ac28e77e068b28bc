// The published schema and the program accept and reject the same structure.
#include "sim/scenario/json_schema.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "sim/scenario/document/parse.hpp"
#include "sim/scenario/structure.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway::scenario;
using nlohmann::json;

namespace {

std::string file_text(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

json to_json(const document::Node& node) {
  using document::Kind;
  switch (node.kind) {
    case Kind::null:
      return nullptr;
    case Kind::boolean:
      return node.boolean;
    case Kind::integer:
      return node.negative ? json(-static_cast<std::int64_t>(node.magnitude)) : json(node.magnitude);
    case Kind::number:
      return node.number;
    case Kind::string:
      return node.text;
    case Kind::array: {
      json list = json::array();
      for (const auto& item : node.items) {
        list.push_back(to_json(item));
      }
      return list;
    }
    case Kind::object:
      break;
  }
  json object = json::object();
  for (const auto& member : node.members) {
    object[member.key] = to_json(member.value);
  }
  return object;
}

class PublishedSchema {
 public:
  PublishedSchema() {
    const json text = json::parse(json_schema());
    valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(text), schema_);
  }
  bool accepts(const json& document) {
    valijson::Validator validator(valijson::Validator::kStrongTypes);
    return validator.validate(schema_, valijson::adapters::NlohmannJsonAdapter(document), nullptr);
  }

 private:
  valijson::Schema schema_;
};

// Nothing if the text is no document at all; else whether the program accepts its structure.
struct Verdict {
  bool is_document = false;
  bool accepted = false;
  json value;
  std::string why;
};

Verdict structure_of(const std::string& name, const std::string& text) {
  Sources sources = {{name, text}};
  Verdict verdict;
  Diagnostics problems;
  const auto root = document::parse(sources, 0, problems);
  verdict.is_document = root && problems.empty();
  if (verdict.is_document) {
    written::Scenario file;
    read_structure(*root, file, problems);
    verdict.accepted = problems.empty();
    verdict.value = to_json(*root);
    verdict.why = render_diagnostics(problems, sources);
  }
  return verdict;
}

// Whether both accept it.
bool check_agreement(PublishedSchema& schema, const std::string& name, const std::string& text) {
  const Verdict verdict = structure_of(name, text);
  if (verdict.is_document) {
    INFO(verdict.value.dump(1));
    INFO(verdict.why);
    REQUIRE(schema.accepts(verdict.value) == verdict.accepted);
  }
  return verdict.accepted;
}

std::vector<std::filesystem::path> committed_scenarios() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SPILLWAY_SOURCE_DIR "/scenarios")) {
    const auto ending = entry.path().extension();
    if (ending == ".yaml" || ending == ".jsonc" ||
        (ending == ".json" && entry.path().parent_path().filename() != "schema")) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

// A document that uses every key there is.
std::string everything() {
  return R"({
    "$schema": "x", "name": "n", "description": "d", "source": "s", "profile": {"envoy": "seed", "kuma": "head"},
    "duration": "1m", "seed": 3, "mode": "exact",
    "zones": [{"name": "a", "region": "r", "nodes": [{"name": "n", "count": 2, "sub_zone": "s"}]}, {"name": "b"}],
    "links": [{"between": ["a", "b"], "latency": "1.5ms"}],
    "services": [{"name": "s", "endpoints": [
      {"id": "e", "zone": "a", "priority": 1, "weight": 2, "service_time": "4ms", "healthy": "100% 10s, 1", "degraded": 0},
      {"count": 3, "node": "n-1", "healthy": 2}]}],
    "clusters": [{"name": "s", "lb_policy": "RANDOM", "connectTimeout": "1s",
      "common_lb_config": {"healthy_panic_threshold": {"value": 40.5}, "updateMergeWindow": "0s"},
      "outlierDetection": {"consecutive_5xx": 3, "interval": "1s", "base_ejection_time": "2s", "max_ejection_time": "3s",
        "max_ejection_time_jitter": "0.5s", "max_ejection_percent": 50, "enforcingConsecutive5xx": 100,
        "enforcing_success_rate": 0, "enforcing_consecutive_gateway_failure": 0, "enforcing_failure_percentage": 0,
        "always_eject_one_host": true}}],
    "load_assignments": [{"cluster_name": "s", "policy": {"overprovisioning_factor": 150}}],
    "clients": [{"name": "c", "zone": "a", "count": 2, "workload": {"service": "s", "rate": 5.5, "arrivals": "periodic"}}],
    "timeline": [{"at": "1s", "service": "s", "priority": 1, "zone": "a", "node": "n-1", "endpoints": ["e"], "healthy": "50%",
       "degraded": 1, "fails": "10%"}, {"at": "2s", "link": ["a", "b"], "latency": "1ms", "outage": false}],
    "expect": [{"table": "t", "client": "c", "service": "s", "columns": ["P0", "P1 panic", "total"],
       "rows": [["1%", "yes", {"documented": 7, "exact": "8.5%", "reason": "r"}], [1.5, "-", "70"]]},
      {"always": {"ok": "<= 5", "timeout": 0, "from": "1s", "to": "2s"}},
      {"share": {"of": "c", "service": "s", "zone": "a", "sub_zone": "s", "node": "n-1", "endpoint": "e", "cluster": "s",
        "priority": 0, "at": "1s", "at_most": "20%"}}]
  })";
}

void collect(json& value, std::vector<json*>& places) {
  places.push_back(&value);
  if (value.is_structured()) {
    for (json& part : value) {
      collect(part, places);
    }
  }
}

// Structure broken, or not, at one random place.
json mutated(const json& original, std::mt19937& random) {
  static const std::vector<json> values = {nullptr,
                                           true,
                                           0,
                                           1,
                                           -1,
                                           2.5,
                                           129,
                                           1e300,
                                           "",
                                           "x",
                                           "10s",
                                           "70%",
                                           "5rps",
                                           "P0",
                                           "100% 1s, 5",
                                           json::array(),
                                           json::object(),
                                           json::array({1}),
                                           json{{"value", 3}},
                                           json{{"name", "x"}},
                                           9007199254740992,
                                           "RANDOM",
                                           "exact"};
  static const std::vector<std::string> keys = {
      "name",    "zone",   "node",           "count", "id",    "x",      "lbPolicy", "lb_policy",
      "healthy", "table",  "always",         "share", "at",    "equals", "columns",  "rows",
      "of",      "client", "commonLbConfig", "value", "exact", "reason", "policies", "cores"};
  json copy = original;
  std::vector<json*> places;
  collect(copy, places);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  json& place = *places[below(places.size())];
  switch (below(4)) {
    case 0:
      place = values[below(values.size())];
      break;
    case 1:
      if (place.is_object() && !place.empty()) {
        place.erase(std::next(place.begin(), static_cast<std::ptrdiff_t>(below(place.size()))).key());
      } else if (place.is_array() && !place.empty()) {
        place.erase(below(place.size()));
      }
      break;
    case 2:
      if (place.is_object()) {
        place[keys[below(keys.size())]] = values[below(values.size())];
      } else if (place.is_array()) {
        place.push_back(values[below(values.size())]);
      }
      break;
    default: {
      const json other = *places[below(places.size())];
      place = other;
    }
  }
  return copy;
}

}  // namespace

TEST_CASE("The committed schema is the printed one", "[schema]") {
  // After a change of the grammar: spillway schema > scenarios/schema/scenario.json
  CHECK(file_text(SPILLWAY_SOURCE_DIR "/scenarios/schema/scenario.json") == json_schema());
}

TEST_CASE("Schema and program accept every committed scenario", "[schema]") {
  PublishedSchema schema;
  REQUIRE_FALSE(committed_scenarios().empty());
  for (const auto& path : committed_scenarios()) {
    INFO(path);
    const Verdict verdict = structure_of(path.string(), file_text(path));
    REQUIRE(verdict.is_document);
    CHECK(verdict.accepted);
    CHECK(schema.accepts(verdict.value));
  }
}

TEST_CASE("Schema and program accept a document of every key", "[schema]") {
  PublishedSchema schema;
  const Verdict verdict = structure_of("x.json", everything());
  INFO(verdict.why);
  REQUIRE(verdict.is_document);
  CHECK(verdict.accepted);
  CHECK(schema.accepts(verdict.value));
}

TEST_CASE("Schema and program agree on what is hardly right and what is hardly wrong", "[schema]") {
  PublishedSchema schema;
  const json whole = json::parse(everything());
  struct Change {
    const char* place;
    json value;
    bool accepted;
  };
  const std::vector<Change> changes = {
      {"/seed", 9007199254740991, true},
      {"/seed", 9007199254740992, false},
      {"/seed", 2.0, true},
      {"/seed", -0.5, false},
      {"/duration", "999999999s", true},
      {"/duration", "1000000000s", false},
      {"/duration", "1.5ns", false},
      {"/duration", "", false},
      {"/name", "", false},
      {"/name", std::string(200, 'x'), true},
      {"/name", std::string(201, 'x'), false},
      {"/description", "", true},
      {"/zones", json::array(), false},
      {"/zones/0/nodes", json::array(), false},
      {"/zones/0/nodes/0/count", 10'000, true},
      {"/zones/0/nodes/0/count", 10'001, false},
      {"/services/0/endpoints/0/weight", 4294967295, true},
      {"/services/0/endpoints/0/weight", 4294967296, false},
      {"/services/0/endpoints/0/weight", 0, false},
      {"/services/0/endpoints/0/priority", 128, true},
      {"/services/0/endpoints/0/priority", 129, false},
      {"/services/0/endpoints/0/healthy", "100% 1s,2%", true},
      {"/services/0/endpoints/0/healthy", "100% 1s ,2%", false},
      {"/services/0/endpoints/0/healthy", "100%", true},
      {"/services/0/endpoints/0/healthy", "100.1%", false},
      {"/services/0/endpoints/0/healthy", 0.5, false},
      {"/services/0/endpoints/0/count", 1, false},
      {"/services/0/endpoints/0/node", "n-1", false},
      {"/clusters/0/lb_policy", "LEAST_REQUEST", false},
      {"/clusters/0/lbPolicy", "RANDOM", false},
      {"/clusters/0/common_lb_config/healthy_panic_threshold/value", 0, true},
      {"/clusters/0/common_lb_config/healthy_panic_threshold/value", 100.5, false},
      {"/clusters/0/outlierDetection/interval", "10ms", false},
      {"/clients/0/workload/rate", 1e9, true},
      {"/clients/0/workload/rate", 1.1e9, false},
      {"/clients/0/workload/rate", "1000000000rps", false},
      {"/clients/0/node", "n-1", false},
      {"/timeline/1/link", json::array({"a"}), false},
      {"/timeline/0", json{{"at", "1s"}}, false},
      {"/timeline/0/at", nullptr, false},
      {"/expect/0/share", json::object(), false},
      {"/expect/0", json::object(), false},
      {"/expect/0", json{{"table", "t"}, {"columns", {"P0"}}}, false},
      {"/expect/0/rows/0/2/reason", "", false},
      {"/expect/0/rows/0/2", json{{"documented", 1}}, true},
      {"/expect/0/rows/0/2", json{{"documented", 1}, {"exact", 2}}, false},
      {"/expect/1/always", json::object(), true},
      {"/expect/1/always/ok", ">=7", true},
      {"/expect/1/always/ok", "=> 7", false},
      {"/expect/2/share/equals", "1%", false},
      {"/expect/2/share/client", "c", false},
      {"/policies", json::array(), false},
      {"/unknown", 1, false},
  };
  for (const Change& change : changes) {
    json document = whole;
    document[json::json_pointer(change.place)] = change.value;
    const Verdict verdict = structure_of("x.json", document.dump());
    INFO(change.place << " = " << change.value);
    INFO(verdict.why);
    CHECK(verdict.accepted == change.accepted);
    CHECK(schema.accepts(verdict.value) == change.accepted);
  }
}

TEST_CASE("Schema and program agree on documents broken at random", "[schema]") {
  PublishedSchema schema;
  std::mt19937 random(20);
  std::vector<json> documents = {json::parse(everything())};
  for (const auto& path : committed_scenarios()) {
    documents.push_back(structure_of(path.string(), file_text(path)).value);
  }
  int accepted = 0;
  for (int i = 0; i < 1'000; ++i) {
    json document = i % 3 == 0 ? documents[static_cast<std::size_t>(i) % documents.size()] : documents.front();
    document = mutated(document, random);
    if (i % 4 == 0) {
      document = mutated(document, random);
    }
    accepted += check_agreement(schema, "x.json", document.dump()) ? 1 : 0;
  }
  CHECK(accepted > 50);
  CHECK(accepted < 950);
}
