// The table of families. A new family is a folder beside this file and one line here (docs/families.md shows it step by
// step). The folder `name/` holds
//
//   name.hpp     `struct name`: the code that runs on all machines
//   family.cpp   `const family& name_family()`: what the program knows about the family
#pragma once

// Calls X(name) for every family.
#define PIVOTSCOPE_EACH_FAMILY(X) \
  X(ordered)                      \
  X(plain)                        \
  X(open_addressing)              \
  X(packed)                       \
  X(merged)                       \
  X(buckets)                      \
  X(lsm)                          \
  X(btree)                        \
  X(cuckoo)                       \
  X(gph)                          \
  X(rx)                           \
  X(cgrx)                         \
  X(cgrx_nodes)
