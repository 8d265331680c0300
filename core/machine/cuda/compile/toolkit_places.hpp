// Where a CUDA toolkit, or the part of one that a Python wheel brings, may stand on this machine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pivotscope {

struct toolkit_place {
  std::filesystem::path root;
  std::string why;  // what made us look: "$CUDA_PATH"; empty when the path says enough
};

// In the order of search, each once: $PIVOTSCOPE_CUDA, $CUDA_PATH, $CUDA_HOME, the toolkit of the build,
// /usr/local/cuda, that of the nvcc on $PATH, $CONDA_PREFIX, then nvidia/cu* in the site-packages of $CONDA_PREFIX, of
// $VIRTUAL_ENV, of the python3 on $PATH, of ~/.local, /usr/local and /usr. Wheels and the nvcc are listed when they are
// there; the other places always, so that words about the search are complete.
std::vector<toolkit_place> toolkit_places();

// The folder of the toolkit that this program was built with.
const char* build_toolkit();

// Where a folder of toolkit_places() can keep libraries: lib64, lib, targets/x86_64-linux/lib. Those that are there.
std::vector<std::filesystem::path> library_folders(const std::filesystem::path& root);

// libnvrtc.so.N of a folder, the newest first.
std::vector<std::filesystem::path> nvrtc_files(const std::filesystem::path& folder);

// CUDA's and CCCL's include folders of the first place that has both; empty: none. For kernels that use CUB.
std::vector<std::filesystem::path> cuda_include_folders();

// "/usr/local/cuda ($CUDA_PATH)"
std::string place_text(const toolkit_place& place);

}  // namespace pivotscope
