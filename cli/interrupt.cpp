#include "cli/interrupt.hpp"

#include <csignal>

namespace spillway::cli {
namespace {

volatile std::sig_atomic_t signal_came = 0;
struct sigaction interrupt_before;
struct sigaction end_before;

void note_signal(int) {
  signal_came = 1;
}

}  // namespace

InterruptWatch::InterruptWatch() {
  signal_came = 0;
  struct sigaction action{};
  action.sa_handler = note_signal;
  sigaction(SIGINT, &action, &interrupt_before);
  sigaction(SIGTERM, &action, &end_before);
}

InterruptWatch::~InterruptWatch() {
  sigaction(SIGINT, &interrupt_before, nullptr);
  sigaction(SIGTERM, &end_before, nullptr);
}

bool InterruptWatch::interrupted() const noexcept {
  return signal_came != 0;
}

}  // namespace spillway::cli
