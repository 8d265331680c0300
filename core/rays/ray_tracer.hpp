// ray_tracer: a way to trace rays through the triangles of a scene. Our own boxes are one (own_tracer.hpp); Embree and
// Vulkan are others, which have a hierarchy of their own.
//
// All are given the same rays, and tell the same: which triangle a ray hits first, and on which side. What follows from
// that for a lookup is not theirs (core/index/ray_lookups.hpp). So there is one algorithm, and hits are compared one by
// one (same_hits()).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/common/job_control.hpp"
#include "core/common/outcome.hpp"
#include "core/rays/ray_scene.hpp"

namespace pivotscope {

// What making a tracer took, in milliseconds and bytes.
struct tracer_cost {
  double build_ms = 0;   // the hierarchy, from the corners of the triangles on
  double upload_ms = 0;  // bringing the corners to where they are traced
  u64 bytes = 0;         // that stay: the hierarchy, and corners if rays need them
};

// What tracing rays once took, in milliseconds.
struct trace_times {
  double trace_ms = 0;
  double upload_ms = 0;    // bringing rays there and hits back, apart
  double handover_ms = 0;  // of these: giving memory from CUDA to Vulkan and back, where they share it
};

class ray_tracer {
 public:
  virtual ~ray_tracer() = default;
  virtual std::string name() const = 0;               // "Embree 3.13.5"
  virtual std::string runs_on() const = 0;            // "2 threads", "NVIDIA H200"
  virtual std::string caution() const { return {}; }  // "NVIDIA H200 has no RT cores: ..."
  // Where rays and hits lie, if there are two ways, and why not the other: "rays and hits go through the host: ...".
  virtual std::string sharing() const { return {}; }
  virtual tracer_cost cost() const = 0;
  // Traces all rays, and writes a hit for each. Problem: that of the device, in words.
  virtual outcome<trace_times> trace(std::span<const axis_ray> rays, std::span<ray_hit> hits) = 0;
};

// Makes a tracer of a scene, and keeps as much of it as it needs. Problem: why there is none here, or what it failed at, and
// what to do.
using tracer_maker = outcome<std::unique_ptr<ray_tracer>> (*)(const std::shared_ptr<const ray_scene>& scene);

// A ray that two tracers do not agree on.
struct other_hit {
  u64 ray = 0;
  std::string words;  // "ray 7, along x from (0.5, 3, 0): triangle 4, front; by Embree 3.13.5 nothing"
};
// Compares hits with those of our own boxes. Several triangles of one place are one: which of them is hit is left open
// (equal keys in RX). Returns how many rays hit something else, and the first of them.
struct hits_compared {
  u64 others = 0;
  std::optional<other_hit> first = {};
};
hits_compared compare_hits(const ray_scene& scene, std::span<const axis_ray> rays, std::span<const ray_hit> own,
                           std::span<const ray_hit> others, const std::string& name);

}  // namespace pivotscope
