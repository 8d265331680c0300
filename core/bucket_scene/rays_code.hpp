// The pseudo code of the rays to a key's bucket, and of the search of a bucket.
#pragma once

#include <string>
#include <vector>

#include "core/bucket_scene/form.hpp"
#include "core/index/linked_code.hpp"

namespace pivotscope {

// `head`: the first line.
pseudo_code rays_code(scene_form form, std::string head);
// The source lines of a search that looks at a bucket's entries, beside those that load them.
std::vector<source_mark> bucket_search_marks(bucket_search search);

}  // namespace pivotscope
