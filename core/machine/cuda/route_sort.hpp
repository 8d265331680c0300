// Sorting a batch's lookups to the parts of an index, with CUB. All of it only queues work on the stream.
#pragma once

#include "core/machine/cuda/sort.hpp"
#include "core/simt/routed_key.hpp"

namespace pivotscope {

// Bytes of work space that sorting n lookups to so many parts needs.
template <class Key>
cudaError_t route_space(u64 n, u32 parts, std::size_t& bytes);

// Stable, by the numbers of the parts: up to 256 parts take one pass. Then begins[p] is where part p's lookups begin, and
// begins[parts] is n.
template <class Key>
cudaError_t sort_to_parts(ping_pong<u16>& numbers, ping_pong<routed_key<Key>>& lookups, u64 n, u32 parts, u32* begins,
                          void* space, std::size_t space_bytes, cudaStream_t stream);

}  // namespace pivotscope
