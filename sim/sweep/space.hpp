// What a sweep varies: keys with their values, and which combinations of them are its settings.
//
//   std::variant<Space, scenario::Diagnostics> read = read_space({.over = {"clients[shop].workload.rate=100..500/5"}},
//                                                                sources);
//   space.settings();                   // 5
//   space.values_of(3)[0].text;         // "400"
//
// A setting is a number from 0; the same space has the same settings on every machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"
#include "sim/sweep/block.hpp"
#include "sim/sweep/path.hpp"
#include "sim/sweep/values.hpp"

namespace spillway::sweep {

// Every combination of a grid; or points that are spread evenly over many keys: Latin hypercube and Sobol's sequence;
// or those that screenings (Morris) and variance-based indices (Saltelli) ask for.
enum class Design : std::uint8_t { grid, latin, sobol, morris, saltelli };

// "grid", "latin", "sobol", "morris", "saltelli", in this order.
[[nodiscard]] const std::vector<std::string>& design_names();
[[nodiscard]] std::optional<Design> design_of(std::string_view name);

// As a command line says it.
struct SpaceText {
  std::vector<std::string> over = {};        // KEY=VALUES
  std::optional<std::string> csv_name = {};  // a table: its first line are keys, each other one a combination
  std::string csv_text = {};
  std::vector<std::string> set = {};              // KEY=VALUE, one value taken as it is
  std::optional<Block> block = {};                // of a scenario, instead of `over`
  std::optional<SourceFile> file = {};  // in which the block stands
  Design design = Design::grid;
  std::uint64_t samples = 0;  // of a sampled design: points, or of morris and saltelli starts
  std::uint64_t seed = 1;     // of what a sampled design draws
};

struct Key {
  std::string text;  // the path as it was written
  std::string name;  // its last key, or as much of the path as tells it from the others
  Path path;
  std::vector<Value> values;
  std::optional<Range> range = {};
  std::uint32_t source = 0;  // in the sources, where its values stand
  std::size_t begin = 0;     // of its path in that text, in bytes
};

// Keys that move together: one, or the columns of a table.
struct Axis {
  std::vector<std::size_t> keys;
  std::size_t rows = 0;
};

class Space {
 public:
  // A sampled design works out its points at once: 8 bytes for each of a setting's keys.
  Space(std::vector<Key> keys, std::vector<Axis> axes, const SpaceText& text);

  [[nodiscard]] const std::vector<Key>& keys() const noexcept { return keys_; }
  [[nodiscard]] Design design() const noexcept { return design_; }
  // Starts of a screening, base points of indices; else settings.
  [[nodiscard]] std::uint64_t samples() const noexcept { return samples_; }
  [[nodiscard]] std::uint64_t settings() const noexcept { return settings_; }

  // By key. O(keys).
  [[nodiscard]] std::vector<Value> values_of(std::uint64_t setting) const;

  // Of a sampled design: where a setting stands between the ends of a key, 0 to 1.
  [[nodiscard]] double part_of(std::uint64_t setting, std::size_t key) const {
    return parts_[static_cast<std::size_t>(setting) * keys_.size() + key];
  }

  // Settings that together have every value of every key at least once; of a sampled design a few of them with all
  // ends of ranges. For a look at all values before anything is simulated.
  [[nodiscard]] std::vector<std::vector<Value>> look_at_all_values() const;

 private:
  [[nodiscard]] Value sampled(std::size_t key, double part) const;

  std::vector<Key> keys_;
  std::vector<Axis> axes_;
  Design design_;
  std::uint64_t samples_;
  std::uint64_t settings_ = 1;
  std::vector<double> parts_;  // by setting and key
};

// More points than this are refused.
inline constexpr std::uint64_t most_points = 1'000'000;

// Texts of keys and tables are added to the sources, so that problems with them (SP950 to SP952) have their place.
[[nodiscard]] std::variant<Space, Diagnostics> read_space(const SpaceText& text, Sources& sources);

}  // namespace spillway::sweep
