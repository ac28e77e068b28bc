// Names mean nothing: what is called otherwise gets the same shares. Streams of random numbers hang on names, so counts
// agree by a G-test.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "tests/metamorphic/relation.hpp"
#include "tests/metamorphic/tree.hpp"

using namespace spillway::metamorphic;

namespace {

// The variant in which these names are others, which are put back in its answers.
Variant renamed(const Json& base, const Replacements& replacements, bool whole) {
  Variant variant{whole ? with_whole_texts(base, replacements) : with_parts_of_texts(base, replacements)};
  for (const auto& [from, to] : replacements) {
    variant.translation.names[to] = from;
  }
  return variant;
}

// What hashes or matches names of endpoints where they have no address.
bool hashes_names(const Json& base) {
  const std::string text = base.dump();
  const bool by_hash = mentions_any(base, {"RING_HASH", "MAGLEV", "ring_hash", "maglev", "ORIGINAL_DST", "RingHash",
                                           "Maglev", "stateful_session", "override_host"});
  return by_hash && text.find("\"address\"") == std::string::npos;
}

bool is_native(const Json& base) {
  return !base.contains("policies") && !base.contains("resources");
}

std::optional<Variant> with_other_zones(const Json& base) {
  if (base.contains("zones") && mentions(base["zones"], "\"amber\"")) {
    return renamed(base, {{"amber", "a-1"}, {"birch", "b-2"}, {"cobalt", "c-3"}}, false);
  }
  return base.contains("zones") && mentions(base["zones"], "\"zone-1\"")
             ? std::optional(renamed(base, {{"zone-", "part-"}}, false))
             : std::nullopt;
}

}  // namespace

TEST_CASE("endpoints of other names get the same shares") {
  check_relation(Promise::shares, [](Json& base, Dice&) -> std::optional<Variant> {
    if (hashes_names(base) || !write_one_by_one(base)) {
      return std::nullopt;
    }
    Replacements replacements;
    for_each_group(base, [&](const Json&, Json& single) {
      const auto id = single["id"].get<std::string>();
      replacements.emplace_back(id, "pod(" + id + ")");
    });
    return renamed(base, replacements, true);
  });
}

TEST_CASE("zones of other names in the same order have the same answers") {
  check_relation(Promise::everything,
                 [](Json& base, Dice&) { return is_native(base) ? with_other_zones(base) : std::nullopt; });
}

TEST_CASE("zones of a mesh get the same shares under other names in the same order") {
  // Zone proxies draw by their names, which are their zones'.
  check_relation(
      Promise::shares, [](Json& base, Dice&) { return is_native(base) ? std::nullopt : with_other_zones(base); },
      [](std::uint64_t number) { return kuma_world(Dice(number)); });
}

TEST_CASE("clients of other names get the same shares") {
  check_relation(Promise::shares, [](Json& base, Dice&) -> std::optional<Variant> {
    Replacements replacements;
    for (const std::string& name : names_of(base, "clients")) {
      const auto services = names_of(base, "services");
      if (std::ranges::find(services, name) != services.end() || mentions(base["clients"], "\"tags\"")) {
        return std::nullopt;
      }
      replacements.emplace_back(name, "client(" + name + ")");
    }
    // A client is what policies name by its service.
    return mentions(base, "kuma.io/service") ? std::nullopt : std::optional(renamed(base, replacements, true));
  });
}

TEST_CASE("services of other names get the same shares") {
  check_relation(Promise::shares, [](Json& base, Dice&) -> std::optional<Variant> {
    if (!is_native(base) || hashes_names(base) || !write_one_by_one(base)) {
      return std::nullopt;
    }
    Replacements replacements;
    for (const std::string& name : names_of(base, "services")) {
      const auto others = names_of(base, "clients");
      if (std::ranges::find(others, name) != others.end()) {
        return std::nullopt;
      }
      replacements.emplace_back(name, "service(" + name + ")");
    }
    return renamed(base, replacements, true);
  });
}
