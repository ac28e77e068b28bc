// Who sends, and how much.
#include <catch2/catch.hpp>
#include <string>

#include "tests/metamorphic/relation.hpp"
#include "tests/metamorphic/tree.hpp"
#include "tests/support/sanitizers.hpp"

using namespace spillway::metamorphic;

namespace {

// Requests of one client change what others get where endpoints count what all of them send.
bool counts_all_requests(const Json& base) {
  return mentions(base, "\"every ");
}

// A client entry that may be written as two; nullptr if none.
Json* entry_to_split(Json& base, Dice& dice) {
  if (base.contains("resources") || mentions(base, "shared_object")) {
    return nullptr;  // a client may be one of the dataplanes by its name
  }
  Json& client = base["clients"][dice.below(base["clients"].size())];
  const Json& workload = client["workload"];
  return workload.contains("users") || workload.contains("trace") || client.contains("tags") ? nullptr : &client;
}

constexpr const char* twin = " (twin)";

Variant with_twin(const Json& base, const Json& half, const Json& of) {
  Variant variant{base};
  for (Json& client : variant.scenario["clients"]) {
    if (client["name"] == of["name"]) {
      client = half;
    }
  }
  variant.scenario["clients"].push_back(half);
  variant.scenario["clients"].back()["name"] = of["name"].get<std::string>() + twin;
  variant.translation.names[twin] = "";
  return variant;
}

}  // namespace

TEST_CASE("two clients with half the rate get the shares of one with all of it") {
  check_relation(Promise::shares, [](Json& base, Dice& dice) -> std::optional<Variant> {
    const Json* const client = entry_to_split(base, dice);
    const std::optional<double> rate = client != nullptr ? rate_of((*client)["workload"]) : std::nullopt;
    if (!rate) {
      return std::nullopt;
    }
    Json half = *client;
    half["workload"]["rate"] = text_of_rate(*rate / 2.0);
    return with_twin(base, half, *client);
  });
}

TEST_CASE("two entries of half the clients get the shares of one entry of all of them") {
  check_relation(Promise::shares, [](Json& base, Dice& dice) -> std::optional<Variant> {
    Json* const client = entry_to_split(base, dice);
    if (client == nullptr || mentions(base["zones"], "\"nodes\"")) {
      return std::nullopt;  // clients of an entry take the nodes of their zone in turn
    }
    Json half = *client;
    half["count"] = 2;
    (*client)["count"] = 4;
    return with_twin(base, half, *client);
  });
}

TEST_CASE("a client that sends nothing changes nothing for the others") {
  check_relation(Promise::everything, [](Json& base, Dice&) -> std::optional<Variant> {
    if (counts_all_requests(base) || mentions(base, "shared_object")) {
      return std::nullopt;
    }
    Variant variant{base};
    Json idle = base["clients"][0];
    idle["name"] = "idle";
    for (const char* key : {"phases", "users", "think_time", "trace"}) {
      idle["workload"].erase(key);
    }
    idle["workload"]["rate"] = "0.000001rps";  // a client must have requests: one in eleven days
    variant.scenario["clients"].push_back(std::move(idle));
    variant.translation.keeps = [](const Row& row) { return row.client != "idle"; };
    return variant;
  });
}

TEST_CASE("twice the rate of every client changes no exact share") {
  // Where more requests overload an endpoint a share may have no closed form any more.
  check_relation(Promise::known_shares, [](Json& base, Dice&) -> std::optional<Variant> {
    Variant variant{base};
    for (Json& client : variant.scenario["clients"]) {
      const std::optional<double> rate = rate_of(client["workload"]);
      if (!rate) {
        return std::nullopt;
      }
      client["workload"]["rate"] = text_of_rate(2.0 * *rate);
    }
    return variant;
  });
}

TEST_CASE("more workers of each proxy change no exact share") {
  check_relation(Promise::known_shares, [](Json& base, Dice&) -> std::optional<Variant> {
    Variant variant{base};
    for (Json& client : variant.scenario["clients"]) {
      client["concurrency"] = 3;
    }
    return variant;
  });
}

TEST_CASE("another seed changes counts and no exact share") {
  std::size_t other_counts = 0;
  check_relation(Promise::shares, [&](Json& base, Dice&) -> std::optional<Variant> {
    Variant variant{base};
    variant.scenario["seed"] = base.value("seed", std::uint64_t{1}) + 1;
    const Answers left = answers_of(base);
    other_counts += left.fingerprint.empty() || left.fingerprint == answers_of(variant.scenario).fingerprint ? 0 : 1;
    return variant;
  });
  CHECK(other_counts >= spillway::support::cases_of(5));
}
