#include "models/envoy/proxy/runtime.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "models/documents/grammar/fields.hpp"
#include "models/documents/number.hpp"
#include "models/documents/problem.hpp"

namespace spillway::proxy {
namespace {

// Converts a value like Envoy's getInteger: whole numbers, truncated fractions, and texts of such numbers. Returns
// nullopt for other values, which Envoy treats as missing (verified on Envoy 1.40).
std::optional<std::uint64_t> runtime_integer(const documents::Node& node) {
  constexpr double beyond = 18446744073709551616.0;  // 2^64
  documents::Node number = node;
  if (node.kind == documents::Kind::string) {
    const std::size_t first = node.text.find_first_not_of(' ');
    const std::size_t last = node.text.find_last_not_of(' ');
    const std::string text = first == std::string::npos ? "" : node.text.substr(first, last + 1 - first);
    if (documents::read_number(text, number) != documents::NumberVerdict::fine) {
      return std::nullopt;
    }
  }
  if (number.kind == documents::Kind::integer) {
    return number.negative ? std::nullopt : std::optional(number.magnitude);
  }
  if (number.kind != documents::Kind::number || number.number < 0.0 || number.number >= beyond) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(number.number);
}

// True for a value that Envoy reads as a FractionalPercent, and does not look into.
bool is_fractional(const documents::Node& value) {
  return value.find("numerator") != nullptr || value.find("denominator") != nullptr;
}

class Layer {
 public:
  Layer(OtherKeys others, Diagnostics& problems) : others_(others), problems_(problems) {}

  void read(const documents::Node& node, const std::string& prefix) {
    for (const documents::Member& member : node.members) {
      read_value(prefix + member.key, member);
    }
  }

  [[nodiscard]] config::RuntimeChange take() { return std::move(change_); }

 private:
  void read_value(const std::string& name, const documents::Member& member) {
    const documents::Node& value = member.value;
    if (value.kind == documents::Kind::null || value.kind == documents::Kind::array) {
      problems_.error("SP139", value.span, "Envoy refuses this runtime layer", "Invalid runtime entry value for {}",
                      {name});
      return;
    }
    const auto* const key = std::find_if(config::runtime_keys.begin(), config::runtime_keys.end(),
                                         [&](const config::RuntimeKey& of) { return of.name == name; });
    if (key != config::runtime_keys.end()) {
      const auto integer = runtime_integer(value);
      if (!integer) {
        problems_
            .warning("SP213", value.span, "a runtime value without effect", "`{}` takes a whole number from 0", {name})
            .note("Envoy accepts it, and ignores the key");
      }
      change_.values.emplace_back(key->value, integer);
    } else if (value.kind == documents::Kind::object && !is_fractional(value)) {
      read(value, name + ".");
    } else if (others_ == OtherKeys::refused) {
      std::vector<std::string> names;
      for (const config::RuntimeKey& of : config::runtime_keys) {
        names.emplace_back(of.name);
      }
      problems_.error("SP302", member.key_span, "a runtime key that is not supported", "no effect of `{}`", {name})
          .note("the keys are {}", {grammar::listed(names, "and")});
    }
  }

  OtherKeys others_;
  Diagnostics& problems_;
  config::RuntimeChange change_;
};

}  // namespace

config::RuntimeChange read_runtime(const documents::Node& layer, OtherKeys others, Diagnostics& problems) {
  Layer reader(others, problems);
  reader.read(layer, "");
  return reader.take();
}

}  // namespace spillway::proxy
