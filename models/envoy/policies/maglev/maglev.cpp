#include "models/envoy/policies/maglev/maglev.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <string>

#include "models/envoy/hash_balancer.hpp"
#include "models/envoy/policies/maglev/policy.hpp"
#include "models/envoy/policies/pick_input.hpp"
#include "models/numeric/hash.hpp"

namespace spillway::envoy::policies::maglev {

namespace {

constexpr std::uint32_t bits_per_word = 64;

// The state of a host while the table is filled.
struct Filler {
  const std::string* key = nullptr;
  config::HostIndex host;
  double weight = 0.0;
  double target = 0.0;
  std::uint64_t next_slot = 0;  // in its permutation: the offset at first, then plus `skip` at each step
  std::uint64_t skip = 0;
  std::uint64_t entries = 0;
};

// Returns the hosts sorted by key; before Envoy 1.27, in the order of the hosts.
std::vector<Filler> sorted_fillers(const Config& config, const HashTableInput& input) {
  const bool use_hostname = config.consistent_hashing_lb_config.use_hostname_for_hashing;
  std::vector<Filler> fillers;
  fillers.reserve(input.hosts.size());
  for (const NormalizedHost& host : input.hosts) {
    fillers.push_back({&hash_key(input.endpoints[host.host.value], use_hostname), host.host, host.weight});
  }
  if (!config::before(input.profile, 27)) {
    std::sort(fillers.begin(), fillers.end(), [](const Filler& left, const Filler& right) {
      return *left.key != *right.key ? *left.key < *right.key : left.host < right.host;
    });
  }
  for (Filler& filler : fillers) {
    filler.next_slot = numeric::xxhash64(*filler.key, 0) % config.table_size;
    filler.skip = numeric::xxhash64(*filler.key, 1) % (config.table_size - 1) + 1;
  }
  return fillers;
}

// A bit set of the taken slots. It is small enough for the first-level cache, although probes access it at random.
class TakenSlots {
 public:
  explicit TakenSlots(std::uint64_t slots) : words_(slots / bits_per_word + 1, 0) {}

  [[nodiscard]] bool has(std::uint64_t slot) const noexcept {
    return ((words_[slot / bits_per_word] >> (slot % bits_per_word)) & 1U) != 0;
  }
  void take(std::uint64_t slot) noexcept { words_[slot / bits_per_word] |= std::uint64_t{1} << (slot % bits_per_word); }

 private:
  std::vector<std::uint64_t> words_;
};

// Fills the table. Returns, by slot, the position in `fillers`.
std::vector<std::uint32_t> fill(std::vector<Filler>& fillers, std::uint64_t slots) {
  double heaviest = 0.0;
  for (const Filler& filler : fillers) {
    heaviest = std::max(heaviest, filler.weight);
  }
  std::vector<std::uint32_t> table(slots, 0);
  TakenSlots taken(slots);
  std::uint64_t filled = 0;
  for (std::uint32_t iteration = 1; filled < slots; ++iteration) {
    for (std::uint32_t position = 0; position < fillers.size() && filled < slots; ++position) {
      Filler& filler = fillers[position];
      if (iteration * filler.weight < filler.target) {
        continue;
      }
      filler.target += heaviest;
      std::uint64_t slot = filler.next_slot;
      const auto advance = [&] { slot = slot + filler.skip < slots ? slot + filler.skip : slot + filler.skip - slots; };
      while (taken.has(slot)) {
        advance();
      }
      taken.take(slot);
      table[slot] = position;
      advance();
      filler.next_slot = slot;
      ++filler.entries;
      ++filled;
    }
  }
  return table;
}

}  // namespace

bool is_prime(std::uint64_t number) noexcept {
  if (number < 4) {
    return true;  // 1 passes, as in Envoy
  }
  if (number % 2 == 0 || number % 3 == 0) {
    return false;
  }
  for (std::uint64_t divisor = 5; divisor * divisor <= number; divisor += 6) {
    if (number % divisor == 0 || number % (divisor + 2) == 0) {
      return false;
    }
  }
  return true;
}

Layout cheaper_layout(std::uint64_t hosts, std::uint64_t slots) noexcept {
  constexpr std::uint64_t bytes_per_pointer = 16;
  constexpr std::uint64_t bits_per_byte = 8;
  const auto bits_per_slot = static_cast<std::uint64_t>(std::bit_width(hosts));
  const std::uint64_t compact = bytes_per_pointer * hosts + bits_per_slot * slots / bits_per_byte;
  return compact < bytes_per_pointer * slots ? Layout::compact : Layout::original;
}

Table::Table(const Config& config, const HashTableInput& input, Layout layout) : slots_(config.table_size) {
  if (input.hosts.empty()) {
    return;
  }
  std::vector<Filler> fillers = sorted_fillers(config, input);
  const std::vector<std::uint32_t> positions = fill(fillers, slots_);
  min_entries_per_host_ = slots_;
  for (const Filler& filler : fillers) {
    hosts_.push_back(filler.host);
    min_entries_per_host_ = std::min(min_entries_per_host_, filler.entries);
    max_entries_per_host_ = std::max(max_entries_per_host_, filler.entries);
  }
  store(positions, layout);
}

void Table::store(std::span<const std::uint32_t> positions, Layout layout) {
  if (layout == Layout::original) {
    original_.assign(positions.begin(), positions.end());
    return;
  }
  bits_ = static_cast<std::uint32_t>(std::bit_width(hosts_.size()));
  // One word more than needed, so that reads across a word's end stay inside.
  compact_.assign(slots_ * bits_ / bits_per_word + 2, 0);
  for (std::uint64_t slot = 0; slot < slots_; ++slot) {
    const std::uint64_t first_bit = slot * bits_;
    const std::uint64_t shift = first_bit % bits_per_word;
    std::uint64_t* const word = &compact_[first_bit / bits_per_word];
    word[0] |= std::uint64_t{positions[slot]} << shift;
    if (shift + bits_ > bits_per_word) {
      word[1] |= std::uint64_t{positions[slot]} >> (bits_per_word - shift);
    }
  }
}

config::HostIndex Table::at(std::uint64_t slot) const noexcept {
  if (!original_.empty()) {
    return hosts_[original_[slot]];
  }
  const std::uint64_t first_bit = slot * bits_;
  const std::uint64_t shift = first_bit % bits_per_word;
  const std::uint64_t* const word = &compact_[first_bit / bits_per_word];
  std::uint64_t position = word[0] >> shift;
  if (shift + bits_ > bits_per_word) {
    position |= word[1] << (bits_per_word - shift);
  }
  return hosts_[position & ((std::uint64_t{1} << bits_) - 1)];
}

void Table::add_shares(ResidueRange residues, double probability, std::span<double> shares) const {
  // hash % 100 and hash % slots are equal modulo their greatest common divisor, and otherwise independent.
  const std::uint64_t period = std::gcd(std::uint64_t{100}, slots_);
  std::array<std::uint32_t, 100> residues_by_class{};
  for (std::uint32_t residue = residues.begin; residue < residues.end; ++residue) {
    ++residues_by_class[residue % period];
  }
  const double all = static_cast<double>(slots_) * (residues.end - residues.begin);
  for (std::uint64_t slot = 0; slot < slots(); ++slot) {
    const auto favourable = static_cast<double>(residues_by_class[slot % period] * period);
    shares[at(slot).value] += probability * favourable / all;
  }
}

std::optional<HashPlace> Table::place_of(std::uint64_t hash) const {
  if (slots() == 0) {
    return std::nullopt;
  }
  const std::uint64_t slot = hash % slots();
  return HashPlace{at(slot), std::to_string(hash) + " % " + std::to_string(slots()), slot};
}

std::optional<double> Table::moved_part(const Table& before, const Table& after, const SameHost& same) {
  if (before.slots() != after.slots()) {
    return std::nullopt;
  }
  std::uint64_t moved = 0;
  for (std::uint64_t slot = 0; slot < after.slots(); ++slot) {
    moved += same(before.at(slot), after.at(slot)) ? 0 : 1;
  }
  return static_cast<double>(moved) / static_cast<double>(after.slots());
}

Refusal refusal(const Config& config, Form form) {
  if (form == Form::legacy && config.table_size > largest_table) {
    return at_most("table_size", largest_table);
  }
  // Envoy's primality test passes every number below 4, but Envoy refuses a table of 0 with this same message.
  if (config.table_size == 0 || !is_prime(config.table_size)) {
    return Reason{"The table size of maglev must be prime number", {"table_size"}};
  }
  // Envoy accepts a table size of 1, and crashes when it fills the table.
  if (config.table_size == 1) {
    return Reason{"a table of one slot ends Envoy: it divides by the size less one", {"table_size"}};
  }
  return refusal(config.consistent_hashing_lb_config, form);
}

}  // namespace spillway::envoy::policies::maglev
