// outcome<T>: a value, or a problem in words that a user can act on. For everything the caller can get wrong.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace pivotscope {

struct problem {
  std::string words;          // what, where, and what to do
  bool cancelled = false;     // the user cancelled; not a fault
  bool wrong = false;         // the program gave a wrong answer; the input is not at fault
  bool ends_machine = false;  // the machine can do no more work in this process
};

template <class T>
class [[nodiscard]] outcome {
 public:
  outcome(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  outcome(problem p) : state_(std::in_place_index<1>, std::move(p)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const problem& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, problem> state_;
};

// For operations with nothing to return.
struct nothing {};
using status = outcome<nothing>;
inline status fine() { return nothing{}; }

}  // namespace pivotscope
