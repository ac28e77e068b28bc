// conformance [--list] [--filter TEXT] FILE...
//
// Replays the cases of each file, names those that fail and why, and ends with "N passed, N failed, N skipped".
// Exit code 0 if all passed, 1 if any failed, 2 for bad usage or an unreadable file.
#include <algorithm>
#include <cstddef>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/conformance/check.hpp"
#include "tests/conformance/envoy_verdicts.hpp"
#include "tests/conformance/istio.hpp"
#include "tests/conformance/kuma_kinds.hpp"

namespace {

using spillway::conformance::Check;
using spillway::conformance::json;

struct Options {
  bool list = false;
  std::string filter;
  std::vector<std::string> files;
};

struct Tally {
  std::size_t passed = 0;
  std::vector<std::string> failed;
};

std::string name_of(const json& test_case) {
  return test_case.value("name", std::string("without a name"));
}

std::vector<std::string> differences(const json& test_case) {
  try {
    if (spillway::conformance::is_verdict_case(test_case)) {
      return spillway::conformance::replay_verdict(test_case);
    }
    if (spillway::conformance::is_istio_case(test_case)) {
      return spillway::conformance::replay_istio(test_case);
    }
    if (spillway::conformance::is_kuma_proxy_case(test_case)) {
      return spillway::conformance::replay_kuma_proxy(test_case);
    }
    Check check(test_case.at("expect"));
    if (spillway::conformance::is_kuma_case(test_case)) {
      spillway::conformance::replay_kuma(test_case, check);
    } else {
      spillway::conformance::replay(test_case.at("kind").get<std::string>(), test_case.at("input"), check);
    }
    return check.finish();
  } catch (const std::exception& error) {
    return {error.what()};
  }
}

void replay_case(const json& test_case, Tally& tally) {
  const std::vector<std::string> found = differences(test_case);
  if (found.empty()) {
    ++tally.passed;
    return;
  }
  tally.failed.push_back(name_of(test_case));
  std::cout << name_of(test_case) << " FAILED\n";
  for (const std::string& difference : found) {
    std::cout << "  " << difference << '\n';
  }
}

std::size_t count_live_cases(const json& cases) {
  const auto is_live = [](const json& test_case) { return test_case.value("kind", std::string()) == "live.share"; };
  return static_cast<std::size_t>(std::count_if(cases.begin(), cases.end(), is_live));
}

void replay_file(const std::string& path, const Options& options, Tally& tally) {
  std::ifstream file(path);
  if (!file) {
    throw std::runtime_error("cannot open " + path);
  }
  const json document = json::parse(file);
  const json& cases = document.is_array() ? document : document.at("cases");
  spillway::conformance::set_live_cases(std::max<std::size_t>(1, count_live_cases(cases)));
  for (const json& test_case : cases) {
    if (name_of(test_case).find(options.filter) == std::string::npos) {
      continue;
    }
    if (options.list) {
      std::cout << name_of(test_case) << '\n';
    } else {
      replay_case(test_case, tally);
    }
  }
}

bool parse(int argc, char** argv, Options& options) {
  for (int index = 1; index < argc; ++index) {
    const std::string_view argument = argv[index];
    if (argument == "--list") {
      options.list = true;
    } else if (argument == "--filter" && index + 1 < argc) {
      options.filter = argv[++index];
    } else if (argument.starts_with("--")) {
      return false;
    } else {
      options.files.emplace_back(argument);
    }
  }
  return !options.files.empty();
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::cerr << "usage: conformance [--list] [--filter TEXT] FILE...\n";
    return 2;
  }
  Tally tally;
  try {
    for (const std::string& path : options.files) {
      replay_file(path, options, tally);
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
  if (options.list) {
    return 0;
  }
  for (const std::string& name : tally.failed) {
    std::cout << "failed: " << name << '\n';
  }
  std::cout << tally.passed << " passed, " << tally.failed.size() << " failed, 0 skipped\n";
  return tally.failed.empty() ? 0 : 1;
}
