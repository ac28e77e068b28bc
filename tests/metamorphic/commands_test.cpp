// What the commands of the finished program say of one scenario.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/metamorphic/relation.hpp"
#include "tests/metamorphic/tree.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sanitizers.hpp"

using namespace spillway;
using namespace spillway::metamorphic;
using support::Finished;
using support::run_program;
using support::TemporaryFolder;

namespace {

// Returns true for one of three worlds, since a process takes as long as ten runs; for all of the few worlds that are
// tried under the sanitizers.
bool is_next(std::size_t& number) {
  return support::under_sanitizers || std::getenv("SPILLWAY_METAMORPHIC") != nullptr || number++ % 3 == 0;
}

Json json_of(const std::vector<std::string>& arguments, int code = 0) {
  const Finished finished = run_program(arguments);
  INFO(arguments.front() << ": " << finished.error);
  REQUIRE(finished.code == code);
  return Json::parse(finished.output);
}

// Of the rows of `shares` in JSON that are of this client and service and begin then: their exact part by endpoint and
// priority; NaN where it is not exact.
using Parts = std::map<std::string, double>;

Parts parts_of(const Json& document, const std::string& client, const Json& service, double at) {
  Parts parts;
  for (const Json& share : document["shares"]) {
    if (share["client"] != client || share["service"] != service) {
      continue;
    }
    bool then = false;
    for (const Json& epoch : document["epochs"]) {
      then = then || (epoch["index"] == share["epoch"] && epoch["client"] == client && epoch["service"] == service &&
                      epoch["start_s"].get<double>() <= at && at < epoch["end_s"].get<double>());
    }
    if (then) {
      parts[share["cluster"].get<std::string>() + " P" + share["priority"].dump() + " " +
            share["endpoint"].get<std::string>()] +=
          share["exact"].is_null() ? std::nan("") : share["exact"].get<double>();
    }
  }
  return parts;
}

// True if a part that both know differs.
bool unlike(const Parts& left, const Parts& right) {
  return std::any_of(left.begin(), left.end(), [&](const auto& of) {
    const auto found = right.find(of.first);
    const double other = found == right.end() ? 0.0 : found->second;
    return !std::isnan(of.second) && !std::isnan(other) && !(of.second == Approx(other).margin(1e-9));
  });
}

// The shares of the same scenario with other weights or health; null if it is refused.
Json spoilt_shares(const TemporaryFolder& folder, const Json& scenario) {
  const std::string file = folder.write("spoilt.json", with_other_shares(scenario).dump());
  const Finished finished = run_program({"share", file, "-o", "json"});
  return finished.code == 0 ? Json::parse(finished.output) : Json();
}

// Equal where both are known; how many are.
std::size_t check_alike(const Parts& left, const Parts& right) {
  std::size_t known = 0;
  for (const auto& [place, part] : left) {
    const auto found = right.find(place);
    const double other = found == right.end() ? 0.0 : found->second;
    if (!std::isnan(part) && !std::isnan(other)) {
      INFO(place);
      CHECK(part == Approx(other).margin(1e-9));
      ++known;
    }
  }
  return known;
}

// The part of the zone in the first epoch; NaN where it is not exact.
double share_of_zone(const Json& document, const Json& zone) {
  double share = 0.0;
  for (const Json& row : document["shares"]) {
    share += row["epoch"] == 0 && row["zone"] == zone
                 ? (row["exact"].is_null() ? std::nan("") : row["exact"].get<double>())
                 : 0.0;
  }
  return share;
}

double start_of(const Json& epoch) {
  return epoch["start_s"].get<double>();
}

}  // namespace

TEST_CASE("share has the shares of a run in mode exact") {
  std::size_t number = 0;
  std::size_t known = 0;
  bool spoilt_found = false;
  for_each_world([&](const std::string& world, const Json& scenario, Dice) {
    if (!is_next(number)) {
      return true;
    }
    INFO(world << ": " << scenario.dump());
    const TemporaryFolder folder;
    const std::string file = folder.write("scenario.json", scenario.dump());
    const Json shares = json_of({"share", file, "-o", "json"});
    const Json spoilt = spoilt_found ? Json() : spoilt_shares(folder, scenario);
    const Json run = json_of({"run", file, "-o", "json", "--jobs", "1", "--mode", "exact"});
    REQUIRE(shares["epochs"].size() == run["epochs"].size());
    for (const Json& epoch : run["epochs"]) {
      const auto client = epoch["client"].get<std::string>();
      const Parts left = parts_of(shares, client, epoch["service"], start_of(epoch));
      const Parts right = parts_of(run, client, epoch["service"], start_of(epoch));
      known += check_alike(left, right);
      check_alike(right, left);
      spoilt_found = spoilt_found ||
                     (!spoilt.is_null() && unlike(parts_of(spoilt, client, epoch["service"], start_of(epoch)), right));
    }
    return true;
  });
  CHECK(known >= support::cases_of(20));
  CHECK(spoilt_found);
}

TEST_CASE("explain has the shares of share") {
  bool spoilt_found = false;
  std::size_t number = 0;
  std::size_t known = 0;
  for_each_world([&](const std::string& world, const Json& scenario, Dice) {
    if (!is_next(number)) {
      return true;
    }
    INFO(world << ": " << scenario.dump());
    const TemporaryFolder folder;
    const std::string file = folder.write("scenario.json", scenario.dump());
    const Json shares = json_of({"share", file, "-o", "json"});
    const Json epoch = shares["epochs"].back();
    const auto client = epoch["client"].get<std::string>();
    const double at = start_of(epoch);
    const Json reported = json_of({"explain", file, "-o", "json", "--client", client, "--service",
                                   epoch["service"].get<std::string>(), "--at", std::to_string(at) + "s"});
    Parts parts;
    for (const Json& share : reported["shares"]) {
      if (!share.contains("exact") || !share["exact"].is_number()) {
        return true;
      }
      parts[share["cluster"].get<std::string>() + " P" + share["priority"].dump() + " " +
            share["endpoint"].get<std::string>()] += share["exact"].get<double>();
    }
    known += check_alike(parts_of(shares, client, epoch["service"], at), parts);
    const Json spoilt = spoilt_found ? Json() : spoilt_shares(folder, scenario);
    spoilt_found = spoilt_found || (!spoilt.is_null() && unlike(parts_of(spoilt, client, epoch["service"], at), parts));
    return true;
  });
  CHECK(known >= support::cases_of(10));
  CHECK(spoilt_found);
}

TEST_CASE("diff of a file with itself, or with a copy of another name, finds nothing") {
  bool spoilt_found = false;
  std::size_t number = 0;
  for_each_world([&](const std::string& world, const Json& scenario, Dice) {
    if (!is_next(number)) {
      return true;
    }
    INFO(world << ": " << scenario.dump());
    const TemporaryFolder folder;
    const std::string file = folder.write("scenario.json", scenario.dump());
    const std::string copy = folder.write("copy.json", scenario.dump(2));
    CHECK_FALSE(json_of({"diff", file, file, "-o", "json", "--replications", "2"})["changed"].get<bool>());
    CHECK_FALSE(json_of({"diff", file, copy, "-o", "json", "--replications", "2"})["changed"].get<bool>());
    if (!spoilt_found) {
      const std::string other = folder.write("spoilt.json", with_other_shares(scenario).dump());
      const Finished found = run_program({"diff", file, other, "-o", "json", "--replications", "2"});
      spoilt_found = found.code == 1 && Json::parse(found.output)["changed"].get<bool>();
    }
    return true;
  });
  CHECK(spoilt_found);
}

TEST_CASE("a plan's failure of a zone has the shares of a run in which it is unhealthy") {
  bool spoilt_found = false;
  std::size_t number = 0;
  std::size_t known = 0;
  for_each_world(
      [&](const std::string& world, const Json& drawn, Dice) {
        if (!is_next(number) || drawn["zones"].size() < 2 || mentions(drawn, "nodes") || !drawn.contains("clusters")) {
          return true;
        }
        Json scenario = drawn;
        scenario.erase("timeline");
        scenario["clients"] = only(drawn["clients"][0]);
        for (const char* key : {"outlier_detection", "health_checks", "circuit_breakers"}) {
          scenario["clusters"][0].erase(key);
        }
        for_each_group(scenario, [](const Json&, Json& group) { group["service_time"] = "1ms"; });
        const auto zone = drawn["zones"][0]["name"].get<std::string>();
        scenario["failures"] = only({{"together", only({{"zone", zone}})}});
        INFO(world << ": " << scenario.dump());
        const TemporaryFolder folder;
        const Finished planned = run_program({"plan", folder.write("plan.json", scenario.dump()), "-o", "json"});
        REQUIRE(planned.code < 2);
        scenario.erase("failures");
        timeline_of(scenario).push_back({{"at", "0s"}, {"service", "cart"}, {"zone", zone}, {"healthy", "0%"}});
        const Json shares = json_of({"share", folder.write("share.json", scenario.dump()), "-o", "json"});
        const Json spoilt = spoilt_found ? Json() : spoilt_shares(folder, scenario);
        const Json plan = Json::parse(planned.output);
        for (const Json& failure : plan["failures"]) {
          if (failure["failure"] == "nothing" || !failure["exact"].get<bool>()) {
            continue;
          }
          for (const Json& part : failure["zones"]) {
            if (part["zone"] == zone) {
              continue;  // what panic sends there fails, and is no share of the zone
            }
            const double share = share_of_zone(shares, part["zone"]);
            if (!std::isnan(share) && part["share"].is_number()) {
              CHECK(part["share"].get<double>() == Approx(share).margin(1e-9));
              ++known;
              const double other = spoilt.is_null() ? share : share_of_zone(spoilt, part["zone"]);
              spoilt_found =
                  spoilt_found || (!std::isnan(other) && !(part["share"].get<double>() == Approx(other).margin(1e-9)));
            }
          }
        }
        return true;
      },
      [](std::uint64_t drawn) { return native_world(Dice(drawn)); });
  CHECK(known >= support::cases_of(4));
  // Under the sanitizers a sixth of the worlds is drawn.
  CHECK((spoilt_found || support::under_sanitizers));
}

TEST_CASE("a proxy that is exported has the shares that the scenario has") {
  bool spoilt_found = false;
  std::size_t number = 0;
  std::size_t known = 0;
  for_each_world(
      [&](const std::string& world, const Json& drawn, Dice) {
        if (!is_next(number) || mentions_any(drawn, {"\"routes\"", "\"resources\"", "\"policies\""}) ||
            mentions(drawn, "\"seed\"")) {
          return true;
        }
        INFO(world << ": " << drawn.dump());
        const TemporaryFolder folder;
        const std::string file = folder.write("scenario.json", drawn.dump());
        const auto client = drawn["clients"][0]["name"].get<std::string>();
        const Finished exported =
            run_program({"export", "envoy", file, "--client", client, "-o", folder.path("proxy")});
        INFO(exported.error);
        REQUIRE(exported.code == 0);
        const Json shares = json_of({"share", file, "-o", "json"});
        const auto service = drawn["clients"][0]["workload"]["service"].get<std::string>();
        std::vector<std::string> arguments = {"share", folder.path("proxy/bootstrap.json"), "--cluster", service, "-o",
                                              "json"};
        if (std::filesystem::exists(folder.path("proxy/eds"))) {
          for (const auto& entry : std::filesystem::directory_iterator(folder.path("proxy/eds"))) {
            arguments.push_back(entry.path().string());
          }
        }
        const Json endpoints = Json::parse(support::contents(folder.path("proxy/endpoints.json")));
        Parts read;
        const Json of_proxy = json_of(arguments);
        for (const Json& share : of_proxy["shares"]) {
          read[share["cluster"].get<std::string>() + " P" + share["priority"].dump() + " " +
               endpoints.at(share["endpoint"].get<std::string>()).at("endpoint").get<std::string>()] +=
              share["exact"].is_null() ? std::nan("") : share["exact"].get<double>();
        }
        known += check_alike(parts_of(shares, client, service, 0.0), read);
        const Json spoilt = spoilt_found ? Json() : spoilt_shares(folder, drawn);
        spoilt_found = spoilt_found || (!spoilt.is_null() && unlike(parts_of(spoilt, client, service, 0.0), read));
        return true;
      },
      [](std::uint64_t drawn) { return native_world(Dice(drawn)); });
  CHECK(known >= support::cases_of(10));
  // Under the sanitizers a sixth of the worlds is drawn.
  CHECK((spoilt_found || support::under_sanitizers));
}

TEST_CASE("a key that is set on the command line is the key in the file") {
  bool spoilt_found = false;
  std::size_t number = 0;
  for_each_world([&](const std::string& world, const Json& drawn, Dice) {
    if (!is_next(number)) {
      return true;
    }
    INFO(world << ": " << drawn.dump());
    const TemporaryFolder folder;
    const std::string file = folder.write("scenario.json", drawn.dump());
    Json changed = drawn;
    changed["clients"][0]["workload"]["rate"] = "250rps";
    changed["clients"][0]["workload"].erase("phases");
    const auto client = drawn["clients"][0]["name"].get<std::string>();
    if (client.find(' ') != std::string::npos || mentions_any(drawn["clients"][0], {"\"phases\"", "\"users\""})) {
      return true;
    }
    const std::string other = folder.write("scenario/scenario.json", changed.dump());
    const Json set = json_of({"run", file, "--set", "clients[" + client + "].workload.rate=250rps", "-o", "json"});
    const Json written = json_of({"run", other, "-o", "json"});
    CHECK(set["unseed"] == written["unseed"]);
    CHECK(set["shares"] == written["shares"]);
    CHECK(set["outcomes"] == written["outcomes"]);
    if (!spoilt_found) {
      const Json spoilt = json_of({"run", file, "--set", "clients[" + client + "].workload.rate=251rps", "-o", "json"});
      spoilt_found = spoilt["unseed"] != written["unseed"] && spoilt["outcomes"] != written["outcomes"];
    }
    return true;
  });
  CHECK(spoilt_found);
}
