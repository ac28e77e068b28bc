// A table that is stored in blocks and read row by row; each row is made on access.
//
//   class Shares : public BlockRows<ShareBlock> { ... };
//   for (const Share& row : shares) { row.exact; }
//
// A block has a type Cursor for the position of a row in it, and done(cursor), step(cursor) and at(cursor), which
// returns the row.
#pragma once

#include <cstddef>
#include <iterator>
#include <vector>

namespace spillway::run {

template <class Block>
class BlockRows {
 public:
  using Row = decltype(Block{}.at({}));

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Row;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Row;

    Iterator(const Block* block, const Block* end) : block_(block), end_(end) { skip_ended(); }
    [[nodiscard]] Row operator*() const { return block_->at(at_); }
    Iterator& operator++() {
      block_->step(at_);
      skip_ended();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    void skip_ended() {
      while (block_ != end_ && block_->done(at_)) {
        ++block_;
        at_ = {};
      }
    }
    const Block* block_;
    const Block* end_;
    typename Block::Cursor at_{};
  };

  [[nodiscard]] const std::vector<Block>& blocks() const noexcept { return blocks_; }
  [[nodiscard]] std::vector<Block>& blocks() noexcept { return blocks_; }

  [[nodiscard]] Iterator begin() const { return {blocks_.data(), blocks_.data() + blocks_.size()}; }
  [[nodiscard]] Iterator end() const { return {blocks_.data() + blocks_.size(), blocks_.data() + blocks_.size()}; }
  [[nodiscard]] bool empty() const { return begin() == end(); }
  // O(blocks + rows): for manual inspection of results.
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(std::distance(begin(), end())); }
  [[nodiscard]] Row operator[](std::size_t row) const { return *std::next(begin(), static_cast<std::ptrdiff_t>(row)); }
  [[nodiscard]] Row front() const { return *begin(); }
  [[nodiscard]] Row back() const { return (*this)[size() - 1]; }

 private:
  std::vector<Block> blocks_;
};

}  // namespace spillway::run
