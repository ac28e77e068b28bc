// Proxies with a load assignment that another client has edited so that it is wrong for them, and for how long.
//
//   WrongAssignments book(proxies);
//   book.take(proxy, kind, objects, now);    // the proxy's new configuration has these
//   book.turn(*object, before, now);         // the object was edited: its verdicts were `before`
//   book.finish(end);
//
// A proxy is wrong while at least one of its assignments is. O(holders whose verdict changes).
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/control_plane/results.hpp"

namespace spillway::control_plane {

struct SharedObject;  // assignments.hpp

class WrongAssignments {
 public:
  using Nanoseconds = std::chrono::nanoseconds;
  using Objects = std::vector<std::shared_ptr<SharedObject>>;

  explicit WrongAssignments(std::size_t proxies) : proxies_(proxies) {}

  void take(std::uint32_t proxy, std::uint32_t kind, Objects objects, Nanoseconds now);
  void turn(const SharedObject& object, const std::vector<std::uint8_t>& before, Nanoseconds now);
  void finish(Nanoseconds end);

  [[nodiscard]] const Hazard& hazard() const noexcept { return hazard_; }

 private:
  struct Proxy {
    Objects objects = {};
    std::uint32_t kind = 0;
    std::uint32_t wrong = 0;  // of its assignments
    bool ever = false;
    Nanoseconds since{0};
  };
  void add(Proxy& proxy, int change, Nanoseconds now);

  std::vector<Proxy> proxies_;
  std::uint64_t wrong_now_ = 0;
  Hazard hazard_;
};

}  // namespace spillway::control_plane
