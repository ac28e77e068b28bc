#include "sim/sweep/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "models/documents/json_writer.hpp"
#include "models/documents/problem.hpp"
#include "sim/run/fork_pool.hpp"
#include "sim/run/replications.hpp"
#include "sim/run/run.hpp"
#include "sim/run/stopping.hpp"
#include "sim/sweep/figures.hpp"
#include "sim/sweep/store.hpp"

namespace spillway::sweep {
namespace {

using scenario::Reading;

// Returns the first error with its location: "SP012: expected a rate, found text (--over, line 1, column 28)".
std::string refusal_of(const Reading& reading) {
  const auto error = std::find_if(reading.diagnostics.begin(), reading.diagnostics.end(),
                                  [](const auto& diagnostic) { return diagnostic.severity == Severity::error; });
  if (error == reading.diagnostics.end()) {
    return "the scenario cannot be read";
  }
  return fmt::format("{}: {} ({}, {})", error->code, error->message, reading.sources[error->where.file].name,
                     place(error->where));
}

Reading unreadable(Diagnostics problems, Sources sources) {
  return {std::nullopt, std::move(problems), std::move(sources)};
}

// Returns the diagnostics of the first values that a side rejects.
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

Sweep::Sweep(std::vector<Side> sides, Space space, Sources texts, const SweepText& text)
    : sides_(std::move(sides)),
      space_(std::move(space)),
      texts_(std::move(texts)),
      replications_(text.replications.value_or(1)),
      seed_(text.seed),
      design_seed_(text.space.seed),
      mode_(text.mode) {
  const bool all_exact = std::all_of(sides_.begin(), sides_.end(), [&](const Side& side) {
    return mode_.value_or(side.mode) == scenario::Mode::exact;
  });
  replications_ = all_exact ? 1 : replications_;  // nothing is random
}

Definition Sweep::definition(const std::string& version) const {
  Definition definition;
  definition.version = version;
  documents::JsonText json;
  json.add("version", version);
  documents::JsonText sides = documents::JsonText::array();
  for (const Side& side : sides_) {
    const std::string fingerprint = fmt::format("{:016x}", side.fingerprint);
    definition.sides.push_back({side.name, side.file, fingerprint});
    sides.push_back({{"name", side.name}, {"fingerprint", fingerprint}});
  }
  json.add("sides", sides);
  documents::JsonText keys = documents::JsonText::array();
  for (const Key& key : space_.keys()) {
    documents::JsonText values = documents::JsonText::array();
    for (const Value& value : key.values) {
      values.push_back(value.text);
    }
    keys.push_back({{"path", key.text}, {"values", std::move(values)}});
  }
  json.add("keys", keys);
  json.add("design", design_names()[static_cast<std::size_t>(space_.design())]);
  json.add("samples", space_.samples());
  json.add("design_seed", design_seed_);
  json.add("replications", replications_);
  json.add("seed", seed_);
  json.add("mode", mode_ ? documents::JsonText(static_cast<int>(*mode_)) : documents::JsonText());
  definition.text = json.text();
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

Figures Sweep::simulate(const PointPlace& place) const {
  const Reading read = reading(place.side, space_.values_of(place.setting));
  Figures figures;
  if (!read.scenario) {
    figures.refusal = refusal_of(read);
    figures.seed = run::seed_of_replication(seed_.value_or(sides_[place.side].seed), place.replication);
    return figures;
  }
  run::Options options = options_of_figures(*read.scenario);
  options.mode = mode_;
  options.seed = run::seed_of_replication(seed_.value_or(read.scenario->seed), place.replication);
  return figures_of(*read.scenario, run::run(*read.scenario, options));
}

namespace {

// Adds the scenario's own block unless the command line has keys or a table.
SweepText with_block(SweepText text, const Side& side) {
  auto block = text.space.over.empty() && !text.space.csv_name ? read_block(side.root) : std::nullopt;
  if (!block) {
    return text;
  }
  if (text.space.samples == 0) {
    text.space.design = static_cast<Design>(block->design);
    text.space.samples = block->samples.value_or(0);
  } else {
    block->samples_at.reset();
  }
  if (!text.replications) {
    text.replications = block->replications;
  }
  text.space.file = side.sources.front();
  text.space.block = std::move(block);
  return text;
}

std::variant<Sweep, Reading> sweep_of(std::vector<Side> sides, const SweepText& given);

}  // namespace

std::variant<Sweep, Reading> read_sweep(const SweepText& given) {
  std::vector<Side> sides;
  std::vector<std::string> files{given.scenario};
  files.insert(files.end(), given.variants.begin(), given.variants.end());
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
  return sweep_of(std::move(sides), given);
}

Reading check_block(const Reading& scenario) {
  const bool may_have_one = scenario.scenario && scenario.sources.front().text.find("sweep") != std::string::npos;
  if (!may_have_one) {
    return {};
  }
  std::vector<Side> sides;
  sides.push_back(side_of(scenario, scenario.sources.front().name));
  if (sides.front().root.find("sweep") == nullptr) {
    return {};
  }
  auto sweep = sweep_of(std::move(sides), {.scenario = scenario.sources.front().name});
  auto* wrong = std::get_if<Reading>(&sweep);
  return wrong == nullptr ? Reading{} : std::move(*wrong);
}

namespace {

std::variant<Sweep, Reading> sweep_of(std::vector<Side> sides, const SweepText& given) {
  const SweepText text = with_block(given, sides.front());
  Sources texts;
  auto space = read_space(text.space, texts);
  if (auto* wrong = std::get_if<Diagnostics>(&space)) {
    return unreadable(std::move(*wrong), std::move(texts));
  }
  Sweep sweep(std::move(sides), std::get<Space>(std::move(space)), std::move(texts), text);
  const double points = static_cast<double>(sweep.space().settings()) * static_cast<double>(sweep.sides().size()) *
                        static_cast<double>(text.replications.value_or(1));
  if (points > static_cast<double>(most_points)) {
    Diagnostics problems;
    problems
        .error("SP952", text.space.block ? text.space.block->at : Span{}, "the sweep has more than {} points",
               "{} settings x {} sides x {} replications",
               {most_points, sweep.space().settings(), sweep.sides().size(), text.replications.value_or(1)})
        .help("divide ranges into fewer values, or draw: --design sobol --samples 1000");
    return unreadable(std::move(problems), sweep.texts().empty() ? Sources{{text.scenario, ""}} : sweep.texts());
  }
  if (auto wrong = look(sweep)) {
    return std::move(*wrong);
  }
  return sweep;
}

// Batches of points that one process simulates. A batch has several points if each takes less time than starting a
// process.
class PointBatches {
 public:
  using Clock = std::chrono::steady_clock;

  explicit PointBatches(bool single) : single_(single) {}

  // Returns the number of the next batch, with its points claimed.
  [[nodiscard]] std::optional<std::size_t> claim(Store& store) {
    std::vector<std::uint64_t> points;
    while (points.size() < size_) {
      const auto point = store.claim();
      if (!point) {
        break;
      }
      points.push_back(*point);
    }
    if (points.empty()) {
      return std::nullopt;
    }
    begun_[next_] = {std::move(points), Clock::now()};
    return next_++;
  }

  [[nodiscard]] const std::vector<std::uint64_t>& points(std::size_t batch) const { return begun_.at(batch).points; }

  // Returns the batch's points. Adapts the size of later batches to its duration.
  [[nodiscard]] std::vector<std::uint64_t> finish(std::size_t batch) {
    const auto place = begun_.find(batch);
    const Batch done = std::move(place->second);
    begun_.erase(place);
    const double seconds = std::chrono::duration<double>(Clock::now() - done.began).count();
    const double each = std::max(seconds / static_cast<double>(done.points.size()), 1e-6);
    constexpr double long_enough = 0.05;
    constexpr double most = 32.0;
    size_ = single_ ? 1 : static_cast<std::size_t>(std::clamp(long_enough / each, 1.0, most));
    return done.points;
  }

 private:
  struct Batch {
    std::vector<std::uint64_t> points;
    Clock::time_point began;
  };
  bool single_;
  std::size_t size_ = 1;
  std::size_t next_ = 0;
  std::map<std::size_t, Batch> begun_;
};

// True if some runs may use SimGrid activities (platform mode). SimGrid's clock continues from run to run of a process.
// This affects activities, but not clocks read in whole nanoseconds.
bool may_use_activities(const Sweep& sweep) {
  const auto& sides = sweep.sides();
  const auto& keys = sweep.space().keys();
  return sweep.mode() == scenario::Mode::platform ||
         std::any_of(sides.begin(), sides.end(),
                     [](const Side& side) { return side.mode == scenario::Mode::platform; }) ||
         std::any_of(keys.begin(), keys.end(), [](const Key& key) { return last_key(key.path) == "mode"; });
}

// Writes points into the file as they finish.
class PointKeeper {
 public:
  PointKeeper(const Sweep& sweep, const Definition& definition, Store& store, const SimulationOptions& options)
      : sweep_(sweep), definition_(definition), store_(store), options_(options) {}

  void keep(std::uint64_t point, const Figures& figures) {
    const std::uint64_t setting = place_of(definition_, point).setting;
    store_.put(point, sweep_.space().values_of(setting), sweep_.parts_of(setting), figures);
    ++simulated.points;
    if (options_.simulated) {
      options_.simulated(simulated.points);
    }
  }

  void fail(std::uint64_t point, const std::string& failure) {
    simulated.failures.push_back(fmt::format("point {}: {}", point, failure));
  }

  // True if the program is evidently faulty; more failures add no information.
  [[nodiscard]] bool has_failed_often() const { return simulated.failures.size() >= 10; }

  Simulated simulated;

 private:
  const Sweep& sweep_;
  const Definition& definition_;
  Store& store_;
  const SimulationOptions& options_;
};

}  // namespace

Simulated simulate(const Sweep& sweep, const Definition& definition, Store& store, const SimulationOptions& options) {
  PointKeeper keeper(sweep, definition, store, options);
  const auto bytes_of = [&](const std::vector<std::uint64_t>& points) {
    std::vector<Figures> all;
    for (const std::uint64_t point : points) {
      all.push_back(sweep.simulate(place_of(definition, point)));
    }
    return figures_to_bytes(all);
  };
  if (options.hand_out) {
    options.hand_out({.next = [&]() -> std::optional<std::size_t> {
                        return keeper.has_failed_often() ? std::nullopt : std::optional<std::size_t>(store.claim());
                      },
                      .work = [&](std::size_t point) { return bytes_of({point}); },
                      .finished =
                          [&](std::size_t point, const run::ForkedAnswer& answer) {
                            answer.succeeded ? keeper.keep(point, figures_from_bytes(answer.bytes).front())
                                             : keeper.fail(point, answer.failure);
                          }});
  } else {
    PointBatches batches(may_use_activities(sweep));
    run::fork_each(options.jobs,
                   {.next = [&] { return keeper.has_failed_often() ? std::nullopt : batches.claim(store); },
                    .work = [&](std::size_t batch) { return bytes_of(batches.points(batch)); },
                    .finished =
                        [&](std::size_t batch, const run::ForkedAnswer& answer) {
                          const std::vector<std::uint64_t> points = batches.finish(batch);
                          if (!answer.succeeded) {
                            keeper.fail(points.front(), answer.failure);
                            return;
                          }
                          const std::vector<Figures> all = figures_from_bytes(answer.bytes);
                          for (std::size_t i = 0; i < points.size(); ++i) {
                            keeper.keep(points[i], all[i]);
                          }
                        }});
  }
  keeper.simulated.stopped = run::stop_requested();
  store.release();
  return std::move(keeper.simulated);
}

}  // namespace spillway::sweep
