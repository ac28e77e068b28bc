// Detects other processes that work on the same file. Each holds a lock on one byte far behind the end of the file,
// which the system releases however the process ends.
//
//   OwnerLock lock("sweep.sqlite");
//   lock.number();         // 1, or 2 beside another
//   lock.is_alive(2);
//
// Forked children also hold the lock for as long as they live.
#pragma once

#include <cstdint>
#include <string>

namespace spillway::sweep {

class OwnerLock {
 public:
  // Creates the file if it does not exist. Throws std::system_error.
  explicit OwnerLock(const std::string& path);
  ~OwnerLock();
  OwnerLock(const OwnerLock&) = delete;
  OwnerLock& operator=(const OwnerLock&) = delete;

  // Returns this process's number: the smallest free one, from 1.
  [[nodiscard]] std::int64_t number() const noexcept { return number_; }
  // True if the path still refers to the opened file.
  [[nodiscard]] bool is_at(const std::string& path) const;
  // True if another process has this number.
  [[nodiscard]] bool is_alive(std::int64_t number) const;

 private:
  int file_ = -1;
  std::int64_t number_ = 0;
};

}  // namespace spillway::sweep
