// Embree's functions, found in its library when a tracer is first made. The program is not linked with it: an installed
// pivotscope starts on computers that have none.
#pragma once

#include <embree3/rtcore.h>

#include "core/common/outcome.hpp"

namespace pivotscope {

// Each function that is called, once: X(rtcNewDevice) is the member rtcNewDevice.
#define PIVOTSCOPE_EMBREE_FUNCTIONS(X) \
  X(rtcNewDevice)                      \
  X(rtcReleaseDevice)                  \
  X(rtcGetDeviceError)                 \
  X(rtcGetDeviceProperty)              \
  X(rtcSetDeviceMemoryMonitorFunction) \
  X(rtcNewScene)                       \
  X(rtcReleaseScene)                   \
  X(rtcSetSceneFlags)                  \
  X(rtcCommitScene)                    \
  X(rtcNewGeometry)                    \
  X(rtcReleaseGeometry)                \
  X(rtcSetNewGeometryBuffer)           \
  X(rtcCommitGeometry)                 \
  X(rtcAttachGeometry)                 \
  X(rtcIntersect1)

struct embree_library {
#define PIVOTSCOPE_EMBREE_MEMBER(name) decltype(&::name) name = nullptr;
  PIVOTSCOPE_EMBREE_FUNCTIONS(PIVOTSCOPE_EMBREE_MEMBER)
#undef PIVOTSCOPE_EMBREE_MEMBER
};

// Loads the library at the first call. Problem: it is not here.
outcome<const embree_library*> find_embree();

namespace detail {
// The same of a file by that name, each time anew.
outcome<embree_library> load_embree(const char* file);
}  // namespace detail

}  // namespace pivotscope
