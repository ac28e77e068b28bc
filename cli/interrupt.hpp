// An interrupt (Ctrl-C) or an end of the job (SIGTERM) as something to ask about, for work that keeps what is done.
//
//   InterruptWatch watch;
//   while (!watch.interrupted()) { ... }
#pragma once

namespace spillway::cli {

class InterruptWatch {
 public:
  InterruptWatch();
  // What such signals did before they do again.
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  [[nodiscard]] bool interrupted() const noexcept;
};

}  // namespace spillway::cli
