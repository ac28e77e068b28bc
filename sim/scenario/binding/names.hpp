// The names of one kind of object, and the resolution of references to them.
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
  // Creates an empty set. `kind` is a word such as "zone"; `unknown_code` is the code of errors about references to
  // missing names.
  Names(const char* kind, const char* unknown_code) : kind_(kind), unknown_code_(unknown_code) {}

  // Adds a name; positions count up from 0 with each call. A duplicate is reported (SP101) and keeps its first
  // position; a name with unprintable characters is reported (SP102). False for a duplicate. An empty name means one
  // that could not be read.
  bool add(const std::string& name, Span where, Diagnostics& problems);

  // Reserves room for this many more names: for large groups.
  void expect(std::size_t names) {
    known_.reserve(known_.size() + names);
    all_.reserve(all_.size() + names);
  }

  // Adds another spelling of an existing name. If several names share an alias, `resolve` reports them (SP170).
  void add_alias(const std::string& alias, std::uint32_t position);

  // Notes that some names could not be read: from now on a missing name may be one of these.
  void mark_incomplete() noexcept { incomplete_ = true; }
  void mark_complete() noexcept { incomplete_ = false; }
  [[nodiscard]] bool incomplete() const noexcept { return incomplete_; }

  // Returns the position of a name. Returns nullopt if the field could not be read, or if no name or several match,
  // which is then reported.
  [[nodiscard]] std::optional<std::uint32_t> resolve(const grammar::Field<std::string>& reference,
                                                     Diagnostics& problems) const;
  [[nodiscard]] std::optional<std::uint32_t> find(const std::string& name) const;
  [[nodiscard]] bool is_ambiguous(const std::string& name) const;
  // Returns the name that a reference means; the reference as written if no name or several match.
  [[nodiscard]] std::string name_of(const grammar::Field<std::string>& reference) const;

  // Returns the longest name or alias that `text` starts with, up to its end or a space; empty if there is none.
  [[nodiscard]] std::string_view longest_at_start(std::string_view text) const;

  [[nodiscard]] const std::vector<std::string>& all() const noexcept { return all_; }
  [[nodiscard]] std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(all_.size()); }
  // Returns a note such as "the zones are zone-1, zone-2 (line 7)".
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
