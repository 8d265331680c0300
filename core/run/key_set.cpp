#include "core/run/key_set.hpp"

#include "core/common/expect.hpp"

namespace pivotscope {

outcome<std::shared_ptr<const key_set>> key_set::load(machine& on, std::shared_ptr<const key_array> keys,
                                                      const job_control& control) {
  PIVOTSCOPE_EXPECT(keys != nullptr);
  outcome<std::shared_ptr<const resident_keys>> resident = on.load(*keys, control);
  if (!resident) return resident.error();
  PIVOTSCOPE_EXPECT(*resident != nullptr && (*resident)->size() == keys->size());
  return std::shared_ptr<const key_set>(new key_set(std::move(keys), std::move(*resident)));
}

outcome<std::shared_ptr<const key_set>> key_set::load(machine& on, key_array keys, const job_control& control) {
  return load(on, std::make_shared<const key_array>(std::move(keys)), control);
}

}  // namespace pivotscope
