// key_set: the keys of a run: in input order on the host, a copy on a machine, and the checker of answers over them.
#pragma once

#include <memory>

#include "core/machine/machine.hpp"
#include "core/reference/answer_checker.hpp"

namespace pivotscope {

class key_set {
 public:
  // Copies the keys to the machine. Problem: that of machine::load(). The keys on the host are shared: they outlive a
  // load that fails, and serve several machines.
  static outcome<std::shared_ptr<const key_set>> load(machine& on, std::shared_ptr<const key_array> keys,
                                                      const job_control& control);
  static outcome<std::shared_ptr<const key_set>> load(machine& on, key_array keys, const job_control& control);

  const key_array& keys() const { return *keys_; }
  const std::shared_ptr<const key_array>& shared_keys() const { return keys_; }
  const std::shared_ptr<const resident_keys>& resident() const { return resident_; }
  const answer_checker& checker() const { return checker_; }
  u64 size() const { return keys_->size(); }
  key_width width() const { return keys_->width(); }

 private:
  key_set(std::shared_ptr<const key_array> keys, std::shared_ptr<const resident_keys> resident)
      : keys_(std::move(keys)), resident_(std::move(resident)), checker_(*keys_) {}

  std::shared_ptr<const key_array> keys_;
  std::shared_ptr<const resident_keys> resident_;
  answer_checker checker_;  // keeps its sorted copy for later runs
};

}  // namespace pivotscope
