// Which of the processes that work on one file are there: a lock on one byte for each of them, far behind the end of
// the file, which the system takes away however the process ends.
//
//   OwnerLock lock("sweep.sqlite");
//   lock.number();         // 1, or 2 beside another
//   lock.is_alive(2);
//
// Forked children hold it too, for as long as they live.
#pragma once

#include <cstdint>
#include <string>

namespace spillway::sweep {

class OwnerLock {
 public:
  // Makes the file where it is not there. Throws std::system_error.
  explicit OwnerLock(const std::string& path);
  ~OwnerLock();
  OwnerLock(const OwnerLock&) = delete;
  OwnerLock& operator=(const OwnerLock&) = delete;

  // From 1: the smallest that was free.
  [[nodiscard]] std::int64_t number() const noexcept { return number_; }
  // True if the path still leads to the file that was opened.
  [[nodiscard]] bool is_at(const std::string& path) const;
  // Whether another process has this number.
  [[nodiscard]] bool is_alive(std::int64_t number) const;

 private:
  int file_ = -1;
  std::int64_t number_ = 0;
};

}  // namespace spillway::sweep
