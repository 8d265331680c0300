#include "core/rays/rt_cores.hpp"

#include <gtest/gtest.h>

namespace pivotscope {
namespace {

TEST(RtCores, AreToldFromTheNamesOfDevices) {
  for (const char* name :
       {"NVIDIA H200", "NVIDIA H100 80GB HBM3", "NVIDIA H100 NVL", "NVIDIA A100-SXM4-80GB", "NVIDIA A30",
        "NVIDIA GH200 480GB", "NVIDIA B200", "Tesla V100-PCIE-16GB", "llvmpipe (LLVM 15.0.6, 256 bits)", "NVIDIA A100X",
        "NVIDIA A30X", "Quadro GV100", "NVIDIA TITAN V", "TITAN V CEO Edition", "NVIDIA TITAN X (Pascal)",
        "NVIDIA TITAN Xp COLLECTORS EDITION", "NVIDIA GeForce GTX 1080 Ti", "NVIDIA GeForce GTX 1660 SUPER",
        "GeForce GTX TITAN X"}) {
    EXPECT_TRUE(lacks_rt_cores(name)) << name;
  }
  for (const char* name : {"NVIDIA GeForce RTX 4090",
                           "NVIDIA L40S",
                           "NVIDIA A10",
                           "NVIDIA RTX A1000",
                           "NVIDIA A40",
                           "Tesla T4",
                           "AMD Radeon RX 7900 XTX (RADV NAVI31)",
                           "H1000",
                           "",
                           "NVIDIA TITAN RTX",
                           "NVIDIA RTX A2000",
                           "NVIDIA RTX 6000 Ada Generation",
                           "Quadro RTX 8000",
                           "NVIDIA A2",
                           "NVIDIA A16",
                           "NVIDIA L4",
                           "NVIDIA L40",
                           "NVIDIA RTX A4000",
                           "Vendor XGTX 1",
                           "GTX1080",
                           "TITANV",
                           "TITAN",
                           "Radeon V"}) {
    EXPECT_FALSE(lacks_rt_cores(name)) << name;
  }
}

TEST(RtCores, AreSaidWhereThereAreNone) {
  EXPECT_EQ(rt_core_words("NVIDIA H200"),
            "NVIDIA H200 has no RT cores: rays are traced by programs, which its driver brings");
  EXPECT_EQ(rt_core_words("NVIDIA GeForce RTX 4090"), "");
}

}  // namespace
}  // namespace pivotscope
