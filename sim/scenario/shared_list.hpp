// A list whose copies share its elements until one of them changes.
//
//   SharedList<Service> services;
//   services.push_back(service);
//   SharedList<Service> copy = services;   // no Service is copied
//   copy[0].name = "other";                // this one is, for `copy` alone
//
// Otherwise like std::vector, except that growing moves no element, and that begin() and end() only read. Reading an
// element by [] from a list that is not const copies it too if it is shared: use std::as_const if that matters. Do not
// keep a T& while the list is copied. Lists that share elements may be used from several threads, each list from one
// thread at a time.
#pragma once

#include <algorithm>
#include <atomic>
#include <compare>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace spillway::scenario {

template <class T>
class SharedList {
 public:
  using value_type = T;

  class const_iterator {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T*;
    using reference = const T&;

    const_iterator() = default;
    explicit const_iterator(const std::shared_ptr<T>* at) : at_(at) {}

    reference operator*() const { return **at_; }
    pointer operator->() const { return at_->get(); }
    reference operator[](difference_type by) const { return *at_[by]; }
    const_iterator& operator++() {
      ++at_;
      return *this;
    }
    const_iterator operator++(int) { return const_iterator(at_++); }
    const_iterator& operator--() {
      --at_;
      return *this;
    }
    const_iterator operator--(int) { return const_iterator(at_--); }
    const_iterator& operator+=(difference_type by) {
      at_ += by;
      return *this;
    }
    const_iterator& operator-=(difference_type by) {
      at_ -= by;
      return *this;
    }
    friend const_iterator operator+(const_iterator from, difference_type by) { return from += by; }
    friend const_iterator operator+(difference_type by, const_iterator from) { return from += by; }
    friend const_iterator operator-(const_iterator from, difference_type by) { return from -= by; }
    friend difference_type operator-(const_iterator left, const_iterator right) { return left.at_ - right.at_; }
    friend auto operator<=>(const const_iterator&, const const_iterator&) = default;

   private:
    const std::shared_ptr<T>* at_ = nullptr;
  };

  SharedList() = default;
  SharedList(std::initializer_list<T> values) {
    reserve(values.size());
    for (const T& value : values) {
      push_back(value);
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return elements_.size(); }
  [[nodiscard]] bool empty() const noexcept { return elements_.empty(); }
  void reserve(std::size_t count) { elements_.reserve(count); }
  void clear() noexcept { elements_.clear(); }

  [[nodiscard]] const T& operator[](std::size_t index) const noexcept { return *elements_[index]; }
  [[nodiscard]] const T& at(std::size_t index) const { return *elements_.at(index); }
  [[nodiscard]] const T& front() const noexcept { return *elements_.front(); }
  [[nodiscard]] const T& back() const noexcept { return *elements_.back(); }
  [[nodiscard]] const_iterator begin() const noexcept { return const_iterator(elements_.data()); }
  [[nodiscard]] const_iterator end() const noexcept { return const_iterator(elements_.data() + elements_.size()); }

  // Returns an element for writing: an element shared with other lists is copied for this list first.
  [[nodiscard]] T& operator[](std::size_t index) { return own(elements_[index]); }
  [[nodiscard]] T& front() { return own(elements_.front()); }
  [[nodiscard]] T& back() { return own(elements_.back()); }

  void push_back(T value) { elements_.push_back(std::make_shared<T>(std::move(value))); }
  template <class... Arguments>
  T& emplace_back(Arguments&&... arguments) {
    elements_.push_back(std::make_shared<T>(std::forward<Arguments>(arguments)...));
    return *elements_.back();
  }
  void insert(const_iterator before, T value) {
    elements_.insert(elements_.begin() + (before - begin()), std::make_shared<T>(std::move(value)));
  }
  void resize(std::size_t count) {
    elements_.resize(std::min(count, size()));
    while (size() < count) {
      elements_.push_back(std::make_shared<T>());
    }
  }

  // An element that other lists can store without a copy.
  class Shared {
   public:
    Shared() = default;
    [[nodiscard]] const T& operator*() const noexcept { return *element_; }
    [[nodiscard]] const T* operator->() const noexcept { return element_.get(); }

   private:
    friend class SharedList;
    explicit Shared(std::shared_ptr<T> element) : element_(std::move(element)) {}
    std::shared_ptr<T> element_ = {};
  };
  [[nodiscard]] Shared share(std::size_t index) const { return Shared(elements_[index]); }
  void add(Shared element) { elements_.push_back(std::move(element.element_)); }
  void put(std::size_t index, Shared element) { elements_[index] = std::move(element.element_); }

 private:
  static T& own(std::shared_ptr<T>& element) {
    if (element.use_count() > 1) {
      element = std::make_shared<T>(std::as_const(*element));
    } else {
      // The last other owner may have read it on another thread before its release.
      std::atomic_thread_fence(std::memory_order_acquire);
    }
    return *element;
  }

  std::vector<std::shared_ptr<T>> elements_ = {};
};

}  // namespace spillway::scenario
