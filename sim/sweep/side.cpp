#include "sim/sweep/side.hpp"

#include <utility>

#include "models/documents/grammar/protobuf_json.hpp"
#include "models/documents/line_index.hpp"
#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "models/numeric/hash.hpp"
#include "sim/scenario/named_documents.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/read_tree.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/sweep/space.hpp"

namespace spillway::sweep {

using scenario::Reading;

std::variant<Side, Reading> read_side(const std::string& path) {
  Reading reading = scenario::read_scenario_file(path);
  if (!reading.scenario) {
    return reading;
  }
  return side_of(std::move(reading), path);
}

Side side_of(Reading reading, const std::string& path) {
  Side side;
  side.name = reading.scenario->name;
  side.file = path;
  side.seed = reading.scenario->seed;
  side.mode = reading.scenario->mode;
  // Parses the stored bytes again, because standard input cannot be read twice.
  side.sources = std::move(reading.sources);
  Diagnostics known_already;
  side.root = *documents::parse(side.sources, 0, known_already);
  scenario::take_named_documents(side.root, side.sources, known_already);
  for (const SourceFile& source : side.sources) {
    side.fingerprint = numeric::xxhash64(source.text, side.fingerprint);
  }
  return side;
}

Varied vary(const Side& side, const Space& space, const std::vector<Value>& values, const Sources& texts) {
  Varied varied{side.root, side.sources, {}};
  const auto first = static_cast<std::uint32_t>(varied.sources.size());
  varied.sources.insert(varied.sources.end(), texts.begin(), texts.end());
  for (std::size_t number = 0; number < values.size(); ++number) {
    const Key& key = space.keys()[number];
    const Value& value = values[number];
    const std::uint32_t source = first + key.source;
    const documents::LineIndex lines(source, varied.sources[source].text);
    const auto node = node_of(value.text, lines.span(value.begin, value.begin + value.length));
    if (const auto wrong = assign(varied.root, key.path, node)) {
      Diagnostic& problem = varied.problems.error("SP950", lines.span(wrong->begin, wrong->begin + wrong->length), "{}",
                                                  "{}", {wrong->message, wrong->label});
      if (!wrong->help.empty()) {
        problem.help("{}", {wrong->help});
      }
    }
  }
  return varied;
}

Reading with_values(const Side& side, const Space& space, const std::vector<Value>& values, const Sources& texts) {
  Varied varied = vary(side, space, values, texts);
  Reading reading;
  reading.sources = std::move(varied.sources);
  reading.diagnostics = std::move(varied.problems);
  if (has_errors(reading.diagnostics)) {
    return reading;
  }
  grammar::settle_messages_of_scenario(varied.root);
  scenario::Scenario scenario = scenario::read_tree(varied.root, reading.sources, reading.diagnostics);
  if (!has_errors(reading.diagnostics)) {
    reading.scenario = std::move(scenario);
  }
  sort_by_position(reading.diagnostics);
  return reading;
}

std::variant<scenario::ScenarioTemplate, Reading> template_with_values(const Side& side, const Space& space,
                                                                       const std::vector<Value>& values,
                                                                       const Sources& texts) {
  Varied varied = vary(side, space, values, texts);
  if (has_errors(varied.problems)) {
    return Reading{std::nullopt, std::move(varied.problems), std::move(varied.sources)};
  }
  return scenario::ScenarioTemplate(std::move(varied.root), std::move(varied.sources));
}

namespace {

// The scenario and the keys set in it.
struct Set {
  Side side;
  Space space;
  Sources texts;
};

std::variant<Set, Reading> read_set(const std::string& path, const std::vector<std::string>& settings) {
  auto side = read_side(path);
  if (auto* wrong = std::get_if<Reading>(&side)) {
    return std::move(*wrong);
  }
  Sources texts;
  SpaceText text;
  text.set = settings;
  auto space = read_space(text, texts);
  if (auto* wrong = std::get_if<Diagnostics>(&space)) {
    return Reading{std::nullopt, std::move(*wrong), std::move(texts)};
  }
  return Set{std::get<Side>(std::move(side)), std::get<Space>(std::move(space)), std::move(texts)};
}

}  // namespace

Reading read_with_settings(const std::string& path, const std::vector<std::string>& settings) {
  auto read = read_set(path, settings);
  if (auto* wrong = std::get_if<Reading>(&read)) {
    return std::move(*wrong);
  }
  const Set& set = std::get<Set>(read);
  return with_values(set.side, set.space, set.space.values_of(0), set.texts);
}

std::variant<scenario::ScenarioTemplate, Reading> template_with_settings(const std::string& path,
                                                                         const std::vector<std::string>& settings) {
  auto read = read_set(path, settings);
  if (auto* wrong = std::get_if<Reading>(&read)) {
    return std::move(*wrong);
  }
  const Set& set = std::get<Set>(read);
  return template_with_values(set.side, set.space, set.space.values_of(0), set.texts);
}

}  // namespace spillway::sweep
