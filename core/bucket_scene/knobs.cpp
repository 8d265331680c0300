#include "core/bucket_scene/knobs.hpp"

namespace pivotscope {

std::string explain_scene_form(std::string_view value) {
  return value == "naive"
             ? "A marker before each row and plane that has representatives: up to five rays a lookup."
             : "The last representative of a row or plane is moved to its end, or one is added there: most "
               "lookups need a ray or two.";
}

std::string explain_bucket_search(std::string_view value) {
  return value == "binary" ? "By halves." : "From the first entry on, until one is large enough.";
}

}  // namespace pivotscope
