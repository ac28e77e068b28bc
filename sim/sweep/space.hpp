// The variations of a sweep: keys with their values, and the combinations that are its settings.
//
//   std::variant<Space, scenario::Diagnostics> read = read_space({.over = {"clients[shop].workload.rate=100..500/5"}},
//                                                                sources);
//   space.settings();                   // 5
//   space.values_of(3)[0].text;         // "400"
//
// Settings are numbered from 0; equal spaces have equal settings on every machine.
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

// The design of a sweep: every combination of a grid; points spread evenly over many keys (Latin hypercube, Sobol's
// sequence); or the points for screenings (Morris) and variance-based indices (Saltelli).
enum class Design : std::uint8_t { grid, latin, sobol, morris, saltelli };

// Returns "grid", "latin", "sobol", "morris", "saltelli", in this order.
[[nodiscard]] const std::vector<std::string>& design_names();
[[nodiscard]] std::optional<Design> design_of(std::string_view name);

// The command-line form of a space.
struct SpaceText {
  std::vector<std::string> over = {};        // KEY=VALUES
  std::string over_option = "--over";        // the option that gave them, for diagnostics
  std::optional<std::string> csv_name = {};  // a table: keys in the first line, one combination per line after it
  std::string csv_text = {};
  std::vector<std::string> set = {};    // KEY=VALUE with a single value, used unchanged
  std::optional<Block> block = {};      // from a scenario, instead of `over`
  std::optional<SourceFile> file = {};  // contains the block
  Design design = Design::grid;
  std::uint64_t samples = 0;  // for a sampled design: points; for morris and saltelli: starts
  std::uint64_t seed = 1;     // for the random numbers of a sampled design
};

struct Key {
  std::string text;  // the path as written
  std::string name;  // its last key, or as much of the path as makes it unique
  Path path;
  std::vector<Value> values;
  std::optional<Range> range = {};
  std::uint32_t source = 0;  // index in the sources of the text with its values
  std::size_t begin = 0;     // offset of its path in that text [bytes]
};

// Keys that vary together: one, or the columns of a table.
struct Axis {
  std::vector<std::size_t> keys;
  std::size_t rows = 0;
};

class Space {
 public:
  // Computes all points of a sampled design at once: 8 bytes per setting and key.
  Space(std::vector<Key> keys, std::vector<Axis> axes, const SpaceText& text);

  [[nodiscard]] const std::vector<Key>& keys() const noexcept { return keys_; }
  [[nodiscard]] Design design() const noexcept { return design_; }
  // Returns the starts of a screening or the base points of indices; for other designs, the settings.
  [[nodiscard]] std::uint64_t samples() const noexcept { return samples_; }
  [[nodiscard]] std::uint64_t settings() const noexcept { return settings_; }

  // Returns the values by key. O(keys).
  [[nodiscard]] std::vector<Value> values_of(std::uint64_t setting) const;

  // Returns the position of a setting within a key's range, from 0 to 1. Precondition: the design is sampled.
  [[nodiscard]] double part_of(std::uint64_t setting, std::size_t key) const {
    return parts_[static_cast<std::size_t>(setting) * keys_.size() + key];
  }

  // Returns settings that together have every value of every key at least once; for a sampled design, a few settings
  // with all ends of ranges. Used to check all values before anything is simulated.
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

// Larger sweeps are rejected.
inline constexpr std::uint64_t most_points = 1'000'000;

// Adds texts of keys and tables to the sources, so that their diagnostics (SP950 to SP952) have locations.
[[nodiscard]] std::variant<Space, Diagnostics> read_space(const SpaceText& text, Sources& sources);

}  // namespace spillway::sweep
