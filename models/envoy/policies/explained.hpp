// The sources for a policy's behaviour: a section of docs/behaviour/envoy-host-pick.md, and Envoy's source file.
#pragma once

namespace spillway::envoy::policies {

struct Explained {
  const char* section = nullptr;
  const char* code = nullptr;
};

}  // namespace spillway::envoy::policies
