// stored_index: an index in the memory of some machine, as models and traces read it.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/common/expect.hpp"
#include "core/common/outcome.hpp"
#include "core/config/index_config.hpp"
#include "core/simt/region.hpp"

namespace pivotscope {

// One region of an index, with the names that its family gives it.
struct index_region {
  std::string id;    // name in JSON: "rows"
  std::string name;  // "row ids"
  u32 cell_bytes = 0;
  u64 cells = 0;  // 0: this config has no such region

  u64 bytes() const { return cells * cell_bytes; }
};

// Does not change, and keeps alive what it needs.
class stored_index {
 public:
  virtual ~stored_index() = default;
  virtual const index_config& config() const = 0;
  virtual u64 keys() const = 0;  // n of the input that it was built from, whatever was inserted or erased since
  virtual u64 rows() const { return keys(); }                 // row ids given so far; the next insert gets this one
  virtual std::span<const index_region> regions() const = 0;  // by region_id
  virtual std::span<const std::byte> state() const = 0;       // of the family
  virtual std::pair<u64, u64> key_range() const = 0;          // the least and the greatest key; zeros without keys
  // Copies bytes of a region to the host. Any thread may call it at any time.
  virtual status read(region_id region, u64 byte_offset, std::span<std::byte> out) const = 0;

  // Returns the key bits [first, second) by which tiles are sorted (O3).
  std::pair<u32, u32> sort_bits() const;
  u64 bytes(region_id region) const {
    return number_of(region) < regions().size() ? regions()[number_of(region)].bytes() : 0;
  }
  u64 bytes() const {
    u64 sum = 0;
    for (const index_region& r : regions()) sum += r.bytes();
    return sum;
  }
  template <class State>
  const State& state_as() const {
    PIVOTSCOPE_EXPECT(state().size() == sizeof(State));  // the family's own
    return *reinterpret_cast<const State*>(state().data());
  }
};

// Returns the key bits [first, second) by which a tile of lookups is sorted (O3), for keys from `least` to `greatest`.
// They leave out the bits that all keys share, and have as many of the others as tell the lookups of a tile apart. None
// if the launch does not reorder.
std::pair<u32, u32> sort_bits_for(const launch_config& launch, u64 least, u64 greatest);

// The state of a family, as an index keeps it: aligned bytes.
class state_bytes {
 public:
  state_bytes() = default;
  template <class State>
  explicit state_bytes(const State& state) : size_(sizeof(State)) {
    static_assert(sizeof(State) <= index_view::state_bytes && std::is_trivially_copyable_v<State>);
    std::memcpy(bytes_, &state, sizeof(State));
  }
  static state_bytes of(std::span<const std::byte> bytes) {
    PIVOTSCOPE_EXPECT(bytes.size() <= index_view::state_bytes);
    state_bytes state;
    std::memcpy(state.bytes_, bytes.data(), bytes.size());
    state.size_ = bytes.size();
    return state;
  }
  std::span<const std::byte> span() const { return {bytes_, size_}; }
  template <class State>
  const State& as() const {
    PIVOTSCOPE_EXPECT(size_ == sizeof(State));  // the family's own
    return *reinterpret_cast<const State*>(bytes_);
  }
  bool operator==(const state_bytes& other) const {
    return size_ == other.size_ && std::memcmp(bytes_, other.bytes_, size_) == 0;
  }
  void copy_to(u8 (&to)[index_view::state_bytes]) const { std::memcpy(to, bytes_, size_); }

 private:
  alignas(16) std::byte bytes_[index_view::state_bytes] = {};
  std::size_t size_ = 0;
};

}  // namespace pivotscope
