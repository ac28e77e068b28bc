// The options for pasted documents: caller and host, rates, and the location of pods.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace spillway::cli {

struct Arguments;     // arguments.hpp
class OptionReader;   // option_reader.hpp
struct RawArguments;  // argument_values.hpp

struct PastedArguments {
  std::optional<std::string> from = {};                         // a pod, a Deployment, a Service or a zone
  std::optional<std::string> to = {};                           // a host
  std::map<std::string, double> rates = {};                     // requests per second to single services
  std::map<std::string, double> capacities = {};                // requests per second that a pod can serve
  std::vector<std::pair<std::string, std::size_t>> zones = {};  // with the pods there; 0 if not given
  std::optional<std::string> profile = {};                      // a release of Istio or Kuma: istio=release-1.30
  bool replicas = false;                                        // only which services may lose a pod in each zone
  bool short_diagnostics = false;                               // one line for each

  // True if an option that only pasted documents have is given.
  [[nodiscard]] bool given() const {
    return from || to || !rates.empty() || !capacities.empty() || !zones.empty() || profile || replicas;
  }
};

// Reads --from, --to, --rate, --capacity and --zones. A problem is kept in `reader`.
void check_pasted(const RawArguments& raw, Arguments& into, OptionReader& reader);

}  // namespace spillway::cli
