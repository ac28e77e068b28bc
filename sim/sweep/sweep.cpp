#include "sim/sweep/sweep.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/run/fork_pool.hpp"
#include "sim/run/replications.hpp"
#include "sim/run/stopping.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::sweep {
namespace {

using scenario::Reading;

// The first error, with its place: "SP012: expected a rate, found text (--over, line 1, column 28)".
std::string refusal_of(const Reading& reading) {
  const auto error = std::find_if(reading.diagnostics.begin(), reading.diagnostics.end(), [](const auto& diagnostic) {
    return diagnostic.severity == scenario::Severity::error;
  });
  if (error == reading.diagnostics.end()) {
    return "the scenario cannot be read";
  }
  return fmt::format("{}: {} ({}, {})", error->code, error->message, reading.sources[error->where.file].name,
                     scenario::place(error->where));
}

Reading unreadable(scenario::Diagnostics problems, scenario::Sources sources) {
  return {std::nullopt, std::move(problems), std::move(sources)};
}

// The first of the values that a side does not take.
std::optional<Reading> look(const Sweep& sweep) {
  for (std::size_t side = 0; side < sweep.sides().size(); ++side) {
    for (const std::vector<Value>& values : sweep.space().look_at_all_values()) {
      Reading reading = sweep.reading(side, values);
      if (!reading.scenario) {
        return reading;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Sweep::Sweep(std::vector<Side> sides, Space space, scenario::Sources texts, const SweepText& text)
    : sides_(std::move(sides)),
      space_(std::move(space)),
      texts_(std::move(texts)),
      replications_(text.replications),
      seed_(text.seed),
      design_seed_(text.space.seed),
      mode_(text.mode) {
  const bool all_exact = std::all_of(sides_.begin(), sides_.end(), [&](const Side& side) {
    return mode_.value_or(side.mode) == scenario::Mode::exact;
  });
  replications_ = all_exact ? 1 : replications_;  // nothing is drawn
}

Definition Sweep::definition(const std::string& version) const {
  Definition definition;
  definition.version = version;
  nlohmann::ordered_json json;
  json["version"] = version;
  for (const Side& side : sides_) {
    const std::string fingerprint = fmt::format("{:016x}", side.fingerprint);
    definition.sides.push_back({side.name, side.file, fingerprint});
    json["sides"].push_back({{"name", side.name}, {"fingerprint", fingerprint}});
  }
  json["keys"] = nlohmann::ordered_json::array();
  for (const Key& key : space_.keys()) {
    nlohmann::ordered_json values = nlohmann::ordered_json::array();
    for (const Value& value : key.values) {
      values.push_back(value.text);
    }
    json["keys"].push_back({{"path", key.text}, {"values", std::move(values)}});
  }
  json["design"] = design_names()[static_cast<std::size_t>(space_.design())];
  json["samples"] = space_.samples();
  json["design_seed"] = design_seed_;
  json["replications"] = replications_;
  json["seed"] = seed_ ? nlohmann::ordered_json(*seed_) : nlohmann::ordered_json();
  json["mode"] = mode_ ? nlohmann::ordered_json(static_cast<int>(*mode_)) : nlohmann::ordered_json();
  definition.text = json.dump();
  definition.keys = space_.keys();
  definition.settings = space_.settings();
  definition.replications = replications_;
  definition.design = space_.design();
  definition.samples = space_.samples();
  return definition;
}

std::vector<double> Sweep::parts_of(std::uint64_t setting) const {
  std::vector<double> parts;
  for (std::size_t key = 0; space_.design() != Design::grid && key < space_.keys().size(); ++key) {
    parts.push_back(space_.part_of(setting, key));
  }
  return parts;
}

Figures Sweep::play(const PointPlace& place) const {
  const Reading read = reading(place.side, space_.values_of(place.setting));
  Figures figures;
  if (!read.scenario) {
    figures.refusal = refusal_of(read);
    figures.seed = run::seed_of_replication(seed_.value_or(sides_[place.side].seed), place.replication);
    return figures;
  }
  run::Options options = options_of_figures();
  options.mode = mode_;
  options.seed = run::seed_of_replication(seed_.value_or(read.scenario->seed), place.replication);
  return figures_of(*read.scenario, run::run(*read.scenario, options));
}

std::variant<Sweep, Reading> read_sweep(const SweepText& text) {
  std::vector<Side> sides;
  std::vector<std::string> files{text.scenario};
  files.insert(files.end(), text.variants.begin(), text.variants.end());
  for (const std::string& file : files) {
    auto side = read_side(file);
    if (auto* wrong = std::get_if<Reading>(&side)) {
      return std::move(*wrong);
    }
    sides.push_back(std::get<Side>(std::move(side)));
    const auto so_called =
        std::count_if(sides.begin(), sides.end(), [&](const Side& other) { return other.name == sides.back().name; });
    if (so_called > 1) {
      sides.back().name += fmt::format(" ({})", file);
    }
  }
  scenario::Sources texts;
  auto space = read_space(text.space, texts);
  if (auto* wrong = std::get_if<scenario::Diagnostics>(&space)) {
    return unreadable(std::move(*wrong), std::move(texts));
  }
  Sweep sweep(std::move(sides), std::get<Space>(std::move(space)), std::move(texts), text);
  const double points = static_cast<double>(sweep.space().settings()) * static_cast<double>(sweep.sides().size()) *
                        static_cast<double>(text.replications);
  if (points > static_cast<double>(most_points)) {
    auto problem = scenario::error("SP952", fmt::format("the sweep has more than {} points", most_points), {},
                                   fmt::format("{} settings x {} sides x {} replications", sweep.space().settings(),
                                               sweep.sides().size(), text.replications));
    return unreadable(
        {with_help(std::move(problem), "divide ranges into fewer values, or draw: --design sobol --samples 1000")},
        sweep.texts().empty() ? scenario::Sources{{text.scenario, ""}} : sweep.texts());
  }
  if (auto wrong = look(sweep)) {
    return std::move(*wrong);
  }
  return sweep;
}

Played play(const Sweep& sweep, const Definition& definition, Store& store, const PlayOptions& options) {
  Played played;
  constexpr std::size_t most_failures = 10;  // a fault of the program: more of them say no more
  const run::ForkedStream stream{
      .next = [&]() -> std::optional<std::size_t> {
        return played.failures.size() >= most_failures ? std::nullopt : std::optional<std::size_t>(store.claim());
      },
      .work = [&](std::size_t point) { return figures_to_bytes(sweep.play(place_of(definition, point))); },
      .finished =
          [&](std::size_t point, run::ForkedAnswer answer) {
            if (!answer.succeeded) {
              played.failures.push_back(fmt::format("point {}: {}", point, answer.failure));
              return;
            }
            const std::uint64_t setting = place_of(definition, point).setting;
            store.put(point, sweep.space().values_of(setting), sweep.parts_of(setting),
                      figures_from_bytes(answer.bytes));
            ++played.points;
            if (options.played) {
              options.played(played.points);
            }
          }};
  options.hand_out ? options.hand_out(stream) : run::fork_each(options.jobs, stream);
  played.stopped = run::stop_requested();
  store.release();
  return played;
}

}  // namespace spillway::sweep
