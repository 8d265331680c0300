// ray_lookups: the lookups of an index as rays, in rounds, for whatever traces rays (core/rays/ray_tracer.hpp).
//
//   round 1      the first ray of each lookup that casts one
//   round k      the next ray of each that goes on
//
// Which rays those are is what the family's own search says, so hardware and libraries get no algorithm of their own.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <memory>
#include <span>
#include <vector>

#include "core/index/built_index.hpp"
#include "core/rays/ray_scene.hpp"
#include "core/workload/generate/fill.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

class ray_lookups {
 public:
  virtual ~ray_lookups() = default;

  const std::shared_ptr<const ray_scene>& scene() const { return scene_; }
  // The rays of this round, in the order of their lookups. None: all lookups have come to their end.
  std::span<const axis_ray> rays() const { return rays_; }
  // Returns which lookup a ray of this round is of.
  std::span<const u32> lookups() const { return lookups_; }
  // Takes what the rays hit first, and makes the next round.
  virtual void go_on(std::span<const ray_hit> hits) = 0;

 protected:
  explicit ray_lookups(std::shared_ptr<const ray_scene> scene) : scene_(std::move(scene)) {}

  std::shared_ptr<const ray_scene> scene_;
  std::vector<axis_ray> rays_;
  std::vector<u32> lookups_;
};

// A family's rays: begin(key, state) is false where a lookup casts none, next(key, state, end) where no other follows;
// state.ray is the one to trace.
template <class Caster>
concept casts_for_lookups = requires(const Caster& caster, typename Caster::state& state, const ray_step& end) {
  { caster.begin(u64{}, state) } -> std::same_as<bool>;
  { caster.next(u64{}, state, end) } -> std::same_as<bool>;
  { state.ray } -> std::convertible_to<axis_ray>;
};

template <casts_for_lookups Caster>
class ray_lookups_of final : public ray_lookups {
 public:
  // Problem: so many lookups need more memory than is free.
  static outcome<std::unique_ptr<ray_lookups>> make(std::shared_ptr<const ray_scene> scene, Caster caster,
                                                    const key_array& asked) {
    constexpr u64 bytes_a_lookup = sizeof(axis_ray) + sizeof(u32) + sizeof(under_way);
    return with_memory(asked.size() * bytes_a_lookup, fmt::format("the rays of {} lookups", asked.size()),
                       [&]() -> outcome<std::unique_ptr<ray_lookups>> {
                         return std::unique_ptr<ray_lookups>(
                             std::make_unique<ray_lookups_of>(std::move(scene), std::move(caster), asked));
                       });
  }

  ray_lookups_of(std::shared_ptr<const ray_scene> scene, Caster caster, const key_array& asked)
      : ray_lookups(std::move(scene)), caster_(std::move(caster)) {
    rays_.reserve(asked.size()), lookups_.reserve(asked.size()), under_way_.reserve(asked.size());
    for (u64 i = 0; i < asked.size(); ++i) {
      under_way one{asked[i], {}};
      if (caster_.begin(one.key, one.state)) add(static_cast<u32>(i), one);
    }
  }

  void go_on(std::span<const ray_hit> hits) override {
    PIVOTSCOPE_EXPECT(hits.size() == rays_.size());
    u64 left = 0;
    for (u64 i = 0; i < hits.size(); ++i) {
      under_way& one = under_way_[i];
      if (!caster_.next(one.key, one.state, ended_with(hits[i], *scene_))) continue;
      rays_[left] = one.state.ray, lookups_[left] = lookups_[i], under_way_[left] = one;
      ++left;
    }
    rays_.resize(left), lookups_.resize(left), under_way_.resize(left);
  }

 private:
  struct under_way {
    u64 key;
    typename Caster::state state;
  };
  void add(u32 lookup, const under_way& one) {
    rays_.push_back(one.state.ray), lookups_.push_back(lookup), under_way_.push_back(one);
  }

  Caster caster_;
  std::vector<under_way> under_way_;
};

// Reads the triangles and boxes of an index to the host. Problem: memory, or that of the index.
outcome<std::shared_ptr<const ray_scene>> read_scene(const stored_index& index, scene_regions in,
                                                     const bounding_tree& tree, u32 wide, const key_grid& grid);

}  // namespace pivotscope
