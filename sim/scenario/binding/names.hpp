// The names of one kind of thing: what there is, and what somebody means.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/grammar/field.hpp"

namespace spillway::scenario::binding {

class Names {
 public:
  // `kind`: "zone"; `unknown_code`: of an error that refers to one which is not there.
  Names(const char* kind, const char* unknown_code) : kind_(kind), unknown_code_(unknown_code) {}

  // Positions count up from 0 with each call. A name that was there already is reported (SP101) and keeps its first
  // position; so is one that no terminal should print (SP102). False for a name that was there already. An empty name
  // is one that could not be read.
  bool add(const std::string& name, Span where, Diagnostics& problems);

  // So many more come: many at a time.
  void expect(std::size_t names) {
    known_.reserve(known_.size() + names);
    all_.reserve(all_.size() + names);
  }

  // Another way to write a name that was added. Where several are written so, `resolve` says so and lists their names
  // (SP170).
  void add_alias(const std::string& alias, std::uint32_t position);

  // Some could not be read: from now on a name that is missing may be one of these.
  void mark_incomplete() noexcept { incomplete_ = true; }
  void mark_complete() noexcept { incomplete_ = false; }
  [[nodiscard]] bool incomplete() const noexcept { return incomplete_; }

  // The position of a name; nothing if the field could not be read, or if there is none or several, which is then
  // reported.
  [[nodiscard]] std::optional<std::uint32_t> resolve(const grammar::Field<std::string>& reference,
                                                     Diagnostics& problems) const;
  [[nodiscard]] std::optional<std::uint32_t> find(const std::string& name) const;
  [[nodiscard]] bool is_ambiguous(const std::string& name) const;
  // The name that a reference means; as it is written if there is none or several.
  [[nodiscard]] std::string name_of(const grammar::Field<std::string>& reference) const;

  // The longest name or alias that `text` starts with, up to its end or a space; empty if there is none.
  [[nodiscard]] std::string_view longest_at_start(std::string_view text) const;

  [[nodiscard]] const std::vector<std::string>& all() const noexcept { return all_; }
  [[nodiscard]] std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(all_.size()); }
  // "the zones are zone-1, zone-2 (line 7)".
  [[nodiscard]] std::string note() const;

 private:
  [[nodiscard]] Diagnostic ambiguous(const std::string& alias, Span where) const;

  struct Known {
    std::uint32_t position;
    Span where;
  };
  const char* kind_;
  const char* unknown_code_;
  std::vector<std::string> all_;
  std::unordered_map<std::string, Known> known_;
  std::unordered_map<std::string, std::vector<std::uint32_t>> aliases_;
  std::optional<Span> first_;
  bool incomplete_ = false;
  mutable int suggested_ = 0;
};

}  // namespace spillway::scenario::binding
