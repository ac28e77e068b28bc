#include "sim/sweep/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "sim/diff/paired.hpp"
#include "sim/engine/random_stream.hpp"
#include "sim/run/replications.hpp"
#include "sim/sweep/database.hpp"
#include "sim/sweep/file_check.hpp"
#include "sim/sweep/store.hpp"

namespace spillway::sweep {
namespace {

// The figures and the sampled positions of the keys, by setting.
struct SampledFigures {
  Design design = Design::grid;
  std::size_t samples = 0;
  std::vector<std::string> keys;
  std::vector<std::optional<double>> figures;  // by setting: mean over replications
  std::vector<double> parts;                   // by setting and key
};

SampledFigures read_samples(const std::string& path, const Figure& figure) {
  Database database(path, Database::Use::read);
  SampledFigures read;
  const SweepRow row = checked_sweep(database, path);
  read.design = row.design;
  read.samples = static_cast<std::size_t>(row.samples);
  read.figures.resize(static_cast<std::size_t>(row.settings));
  if (read.design != Design::morris && read.design != Design::saltelli) {
    throw StoreProblem("SP956", fmt::format("`{}` is not a sweep for sensitivity", path),
                       "sweep with --design morris --samples 20, or --design saltelli --samples 512");
  }
  Statement keys(database, "SELECT name FROM keys ORDER BY key");
  while (keys.step()) {
    read.keys.push_back(keys.text(0));
  }
  read.parts.resize(read.figures.size() * read.keys.size());
  Statement parts(database, "SELECT setting, key, part FROM inputs");
  while (parts.step()) {
    read.parts[static_cast<std::size_t>(parts.integer(0)) * read.keys.size() +
               static_cast<std::size_t>(parts.integer(1))] = parts.number(2);
  }
  Statement values(database,
                   fmt::format("SELECT p.setting, avg({}) FROM points AS p WHERE p.side = 0 GROUP BY 1", figure.sql));
  while (values.step()) {
    if (!values.is_null(1)) {
      read.figures[static_cast<std::size_t>(values.integer(0))] = values.number(1);
    }
  }
  return read;
}

double deviation(const std::vector<double>& values) {
  const double middle = diff::mean(values);
  double squares = 0.0;
  for (const double value : values) {
    squares += (value - middle) * (value - middle);
  }
  return values.size() < 2 ? 0.0 : std::sqrt(squares / static_cast<double>(values.size() - 1));
}

void add_morris(const SampledFigures& read, Sensitivity& found) {
  const std::size_t keys = read.keys.size();
  std::vector<std::vector<double>> effects(keys);
  for (std::size_t way = 0; way < read.samples; ++way) {
    bool whole = true;
    for (std::size_t point = way * (keys + 1); whole && point < (way + 1) * (keys + 1); ++point) {
      whole = read.figures[point].has_value();
    }
    found.samples += whole ? 1 : 0;
    for (std::size_t step = 0; whole && step < keys; ++step) {
      const std::size_t from = way * (keys + 1) + step;
      for (std::size_t key = 0; key < keys; ++key) {
        const double moved = read.parts[(from + 1) * keys + key] - read.parts[from * keys + key];
        if (moved != 0.0) {
          effects[key].push_back((*read.figures[from + 1] - *read.figures[from]) / moved);
        }
      }
    }
  }
  for (std::size_t key = 0; key < keys; ++key) {
    std::vector<double> sizes;
    for (const double effect : effects[key]) {
      sizes.push_back(std::abs(effect));
    }
    if (!sizes.empty()) {
      found.keys.push_back(
          {read.keys[key], diff::mean(sizes), run::half_width_95(sizes), deviation(effects[key]), 0.0});
    }
  }
}

// Jansen's estimators over these base points.
struct Indices {
  double first = 0.0;
  double total = 0.0;
};

class JansenEstimator {
 public:
  JansenEstimator(const SampledFigures& read, std::vector<std::size_t> whole) : read_(read), whole_(std::move(whole)) {}

  [[nodiscard]] Indices of(std::size_t key, const std::vector<std::size_t>& chosen) const {
    double sum = 0.0;
    double squares = 0.0;
    double first = 0.0;
    double total = 0.0;
    for (const std::size_t number : chosen) {
      const std::size_t point = whole_[number];
      const double a = at(0, point);
      const double b = at(1, point);
      const double changed = at(2 + key, point);
      sum += a + b;
      squares += a * a + b * b;
      first += (b - changed) * (b - changed);
      total += (a - changed) * (a - changed);
    }
    const auto count = static_cast<double>(chosen.size());
    const double mean = sum / (2.0 * count);
    const double variance = squares / (2.0 * count) - mean * mean;
    if (!(variance > 0.0)) {
      return {};
    }
    return {1.0 - first / (2.0 * count) / variance, total / (2.0 * count) / variance};
  }

  [[nodiscard]] std::size_t size() const noexcept { return whole_.size(); }

 private:
  [[nodiscard]] double at(std::size_t block, std::size_t point) const {
    return *read_.figures[block * read_.samples + point];
  }

  const SampledFigures& read_;
  std::vector<std::size_t> whole_;
};

void add_sobol(const SampledFigures& read, Sensitivity& found) {
  const std::size_t keys = read.keys.size();
  std::vector<std::size_t> whole;
  for (std::size_t point = 0; point < read.samples; ++point) {
    bool known = true;
    for (std::size_t block = 0; known && block < keys + 2; ++block) {
      known = read.figures[block * read.samples + point].has_value();
    }
    if (known) {
      whole.push_back(point);
    }
  }
  const JansenEstimator estimate(read, std::move(whole));
  found.samples = estimate.size();
  if (found.samples == 0) {
    return;
  }
  constexpr std::size_t resamples = 200;
  constexpr double z = 1.959963984540054;
  for (std::size_t key = 0; key < keys; ++key) {
    std::vector<std::size_t> chosen(estimate.size());
    for (std::size_t number = 0; number < chosen.size(); ++number) {
      chosen[number] = number;
    }
    const Indices indices = estimate.of(key, chosen);
    engine::RandomStream stream({.seed = 1, .purpose = engine::Purpose::arrivals, .entity = key});
    std::vector<double> first;
    std::vector<double> total;
    for (std::size_t resample = 0; resample < resamples; ++resample) {
      for (std::size_t& number : chosen) {
        number = static_cast<std::size_t>(stream() % estimate.size());
      }
      const Indices again = estimate.of(key, chosen);
      first.push_back(again.first);
      total.push_back(again.total);
    }
    found.keys.push_back({read.keys[key], indices.total, z * deviation(total), indices.first, z * deviation(first)});
  }
}

}  // namespace

Sensitivity read_sensitivity(const std::string& path, const Question& question) {
  Sensitivity found;
  const auto figure = figure_of(question.y, question.event_names);
  if (!figure) {
    throw StoreProblem("SP956", fmt::format("`{}` is not a figure of a sweep", question.y),
                       fmt::format("there are {}", fmt::join(figure_names(), ", ")));
  }
  found.figure = *figure;
  try {
    const SampledFigures read = read_samples(path, *figure);
    found.design = read.design;
    read.design == Design::morris ? add_morris(read, found) : add_sobol(read, found);
  } catch (const DatabaseError& error) {
    throw StoreProblem("SP953", fmt::format("cannot read `{}`: {}", path, error.what()));
  }
  if (found.keys.empty()) {
    throw StoreProblem("SP956", fmt::format("`{}` has no complete sample with {}", path, question.y),
                       "continue the sweep");
  }
  std::sort(found.keys.begin(), found.keys.end(), [](const KeySensitivity& one, const KeySensitivity& other) {
    return one.effect != other.effect ? one.effect > other.effect : one.name < other.name;
  });
  return found;
}

}  // namespace spillway::sweep
