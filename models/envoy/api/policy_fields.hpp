// Converts pick policies' descriptions (models/envoy/policies/message.hpp) to the descriptions of objects used here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config/common_lb_config.hpp"
#include "models/config/slow_start.hpp"
#include "models/envoy/api/common_messages.hpp"
#include "models/envoy/api/metadata.hpp"
#include "models/envoy/api/policies.hpp"
#include "models/envoy/policies/child_policy.hpp"
#include "models/envoy/policies/consistent_hashing_config.hpp"
#include "models/envoy/policies/message.hpp"

namespace spillway::messages {

template <>
struct Grammar<config::SlowStartConfig> {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.SlowStartConfig";
  static void describe(Fields& fields, config::SlowStartConfig& config);
};

template <>
struct Grammar<envoy::policies::ConsistentHashingLbConfig> {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.CommonLbConfig.ConsistentHashingLbConfig";
  static void describe(Fields& fields, envoy::policies::ConsistentHashingLbConfig& config);
};

// The settings in typed policies: those of the cluster, and the hash policy.
struct TypedHashing : envoy::policies::ConsistentHashingLbConfig {};
template <>
struct Grammar<TypedHashing> {
  static constexpr const char* definition =
      "envoy.extensions.load_balancing_policies.common.v3.ConsistentHashingLbConfig";
  static void describe(Fields& fields, TypedHashing& config);
};

// The shapes for the kinds of values that policies name.
namespace shapes {
namespace message = envoy::policies::message;

inline grammar::Flag of(const message::Flag& kind) {
  return {kind.wrapper};
}
inline grammar::Whole of(const message::Uint32& /*kind*/) {
  return {0, largest_uint32};
}
inline Uint64 of(const message::Uint64& /*kind*/) {
  return {};
}
inline const grammar::Number& of(const message::Double& /*kind*/) {
  return any_double;
}
inline RuntimeDouble of(const message::RuntimeDouble& /*kind*/) {
  return {};
}
inline grammar::ProtoDuration of(const message::Duration& /*kind*/) {
  return {};
}
inline StructShape of(const message::Struct& /*kind*/) {
  return {};
}
inline MetadataKeyShape of(const message::MetadataKey& /*kind*/) {
  return {};
}
inline grammar::Text of(const message::Text& /*kind*/) {
  return any_length;
}
inline Items<grammar::Text> of(const message::Names& /*kind*/) {
  return {not_empty};
}
inline Items<grammar::Text> of(const message::Texts& /*kind*/) {
  return {any_length};
}
inline grammar::Choice of(const message::Choice& kind) {
  const std::vector<std::string> words(kind.words.begin(), kind.words.end());
  return {words, {}, {kind.formerly.begin(), kind.formerly.end()}, {}, kind.otherwise, kind.unnamed};
}
inline Message<TypedHashing> of(const message::Of<envoy::policies::ConsistentHashingLbConfig>& /*kind*/) {
  return {};
}
template <class T>
Message<T> of(const message::Of<T>& /*kind*/) {
  return {};
}
template <class T>
Items<Message<T>> of(const message::ListOf<T>& /*kind*/) {
  return {};
}

}  // namespace shapes

class PolicyFields {
 public:
  // The parts of a typed policy outside its Config: how localities are chosen, and the unparsed policy inside it. While
  // writing, `locality` is passed on to that policy.
  struct Around {
    std::optional<config::LocalityConfigSpecifier>* locality = nullptr;
    Field<LoadBalancingPolicy>* child = nullptr;
  };
  PolicyFields(Fields& fields, const Around& around) : fields_(&fields), around_(around) { fields.message(); }

  [[nodiscard]] bool writing() const noexcept { return fields_->writing(); }

  template <class Member, class Kind>
  void optional(const char* name, Member& member, const Kind& kind, const char* words) {
    messages::optional(*fields_, name, member, shapes::of(kind), words);
  }
  template <class Member, class Kind>
  void unless_default(const char* name, Member& member, const Kind& kind, const char* words) {
    if (!writing() || !(member == Member{})) {
      optional(name, member, kind, words);
    }
  }
  template <class Kind>
  void idle(const char* name, const Kind& kind) {
    fields_->idle(name, shapes::of(kind));
  }
  void not_simulated(const char* name, const char* words) { fields_->not_simulated(name, words); }
  void formerly(const char* old, const char* today) { fields_->formerly(old, today); }
  void locality();
  void locality_weights();
  void child(const char* name, const envoy::policies::ChildPolicy& member, envoy::policies::message::Needed needed,
             const char* words);

 private:
  Fields* fields_;
  Around around_;
};

// Describes messages that have their own description.
template <envoy::policies::message::DescribesItself T>
struct Grammar<T> {
  static constexpr const char* definition = T::definition;
  static void describe(Fields& fields, T& object) {
    PolicyFields own(fields, {});
    T::describe(own, object);
    if constexpr (requires { T::refused; }) {
      refuse(refusal(object), T::refused, fields);
    }
  }
};

}  // namespace spillway::messages
