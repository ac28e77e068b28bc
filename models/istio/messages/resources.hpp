// The grammars of Kubernetes objects, and of Istio objects that define services and workloads, verbatim.
#pragma once

#include "models/istio/messages/shapes.hpp"
#include "models/istio/resources.hpp"

namespace spillway::messages {

template <>
struct Grammar<istio::KubernetesService::Port> {
  static constexpr const char* definition = "istio.k8s.ServicePort";
  static void describe(Fields& fields, istio::KubernetesService::Port& object);
};
template <>
struct Grammar<istio::KubernetesService> {
  static constexpr const char* definition = "istio.k8s.ServiceSpec";
  static void describe(Fields& fields, istio::KubernetesService& object);
};
template <>
struct Grammar<istio::EndpointSlice::Port> {
  static constexpr const char* definition = "istio.k8s.EndpointPort";
  static void describe(Fields& fields, istio::EndpointSlice::Port& object);
};
template <>
struct Grammar<istio::EndpointSlice::Endpoint> {
  static constexpr const char* definition = "istio.k8s.Endpoint";
  static void describe(Fields& fields, istio::EndpointSlice::Endpoint& object);
};
template <>
struct Grammar<istio::EndpointSlice> {
  static constexpr const char* definition = "istio.k8s.EndpointSlice";
  static void describe(Fields& fields, istio::EndpointSlice& object);
};
template <>
struct Grammar<istio::Pod> {
  static constexpr const char* definition = "istio.k8s.Pod";
  static void describe(Fields& fields, istio::Pod& object);
};
template <>
struct Grammar<istio::WorkloadEntry> {
  static constexpr const char* definition = "istio.WorkloadEntry";
  static void describe(Fields& fields, istio::WorkloadEntry& object);
};
template <>
struct Grammar<istio::ServiceEntry::Port> {
  static constexpr const char* definition = "istio.ServicePort";
  static void describe(Fields& fields, istio::ServiceEntry::Port& object);
};
template <>
struct Grammar<istio::ServiceEntry> {
  static constexpr const char* definition = "istio.ServiceEntry";
  static void describe(Fields& fields, istio::ServiceEntry& object);
};
template <>
struct Grammar<istio::Sidecar::Port> {
  static constexpr const char* definition = "istio.SidecarPort";
  static void describe(Fields& fields, istio::Sidecar::Port& object);
};
template <>
struct Grammar<istio::Sidecar::Listener> {
  static constexpr const char* definition = "istio.IstioEgressListener";
  static void describe(Fields& fields, istio::Sidecar::Listener& object);
};
template <>
struct Grammar<istio::Sidecar> {
  static constexpr const char* definition = "istio.Sidecar";
  static void describe(Fields& fields, istio::Sidecar& object);
};
template <>
struct Grammar<istio::ServiceSetting> {
  static constexpr const char* definition = "istio.ServiceSettings";
  static void describe(Fields& fields, istio::ServiceSetting& object);
};
template <>
struct Grammar<istio::DefaultTrafficPolicy> {
  static constexpr const char* definition = "istio.DefaultTrafficPolicy";
  static void describe(Fields& fields, istio::DefaultTrafficPolicy& object);
};
template <>
struct Grammar<istio::MeshConfig> {
  static constexpr const char* definition = "istio.MeshConfig";
  static void describe(Fields& fields, istio::MeshConfig& object);
};
template <>
struct Grammar<istio::Network::Gateway> {
  static constexpr const char* definition = "istio.IstioNetworkGateway";
  static void describe(Fields& fields, istio::Network::Gateway& object);
};
template <>
struct Grammar<istio::Network> {
  static constexpr const char* definition = "istio.Network";
  static void describe(Fields& fields, istio::Network& object);
};

}  // namespace spillway::messages
