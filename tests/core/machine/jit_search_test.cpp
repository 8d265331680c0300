// Where NVRTC is looked for, over folders made up for the test.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/common/plain_words.hpp"
#include "core/machine/cuda/compile/nvrtc.hpp"
#include "core/machine/cuda/compile/toolkit_places.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

class NvrtcSearch : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "pivotscope-search-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = fs::canonical(name);
    for (const char* variable : variables) {
      const char* value = std::getenv(variable);
      kept_.push_back(value == nullptr ? "" : value);
    }
  }
  void TearDown() override {
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      kept_[i].empty() ? unsetenv(variables[i]) : setenv(variables[i], kept_[i].c_str(), 1);
    }
    fs::remove_all(folder_);
  }
  fs::path make(const fs::path& file) const {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file) << "no library\n";
    return folder_ / file;
  }

  static constexpr const char* variables[] = {"PIVOTSCOPE_CUDA", "CUDA_PATH", "CUDA_HOME", "CONDA_PREFIX",
                                              "VIRTUAL_ENV",     "HOME",      "PATH"};
  fs::path folder_;
  std::vector<std::string> kept_;
};

TEST_F(NvrtcSearch, TheOrderIsTheOneInTheManual) {
  setenv("PIVOTSCOPE_CUDA", "/named", 1);
  setenv("CUDA_PATH", "/path", 1);
  setenv("CUDA_HOME", "/home-of-cuda", 1);
  setenv("CONDA_PREFIX", (folder_ / "conda").c_str(), 1);
  setenv("VIRTUAL_ENV", (folder_ / "venv").c_str(), 1);
  setenv("HOME", folder_.c_str(), 1);
  setenv("PATH", ("relative::" + (folder_ / "tool/bin").string() + ":" + (folder_ / "py/bin").string()).c_str(), 1);
  make("tool/bin/nvcc");
  make("py/bin/python3");
  make("py/lib/python3.13/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
  make("conda/lib/libnvrtc.so.13");
  make("conda/lib/python3.10/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
  make("venv/lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
  make("venv/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
  make("venv/lib/python3.12/site-packages/nvidia/cudnn/lib/libcudnn.so.9");
  make(".local/lib/python3.11/site-packages/nvidia/cu14/lib/libnvrtc.so.14");
  std::vector<std::string> roots;
  for (const toolkit_place& place : toolkit_places()) roots.push_back(place.root);
  const std::string here = folder_;
  const std::vector<std::string> expected = {"/named",
                                             "/path",
                                             "/home-of-cuda",
                                             build_toolkit(),
                                             "/usr/local/cuda",
                                             here + "/tool",
                                             here + "/conda",
                                             here + "/conda/lib/python3.10/site-packages/nvidia/cu13",
                                             here + "/venv/lib/python3.12/site-packages/nvidia/cu13",
                                             here + "/venv/lib/python3.12/site-packages/nvidia/cuda_nvrtc",
                                             here + "/py/lib/python3.13/site-packages/nvidia/cu13",
                                             here + "/.local/lib/python3.11/site-packages/nvidia/cu14"};
  // Where the build's is /usr/local/cuda it comes once, and this machine's own Pythons may follow.
  std::vector<std::string> distinct;
  for (const std::string& root : expected) {
    if (std::find(distinct.begin(), distinct.end(), root) == distinct.end()) distinct.push_back(root);
  }
  ASSERT_GE(roots.size(), distinct.size());
  roots.resize(distinct.size());
  EXPECT_EQ(roots, distinct);
  EXPECT_EQ(toolkit_places()[0].why, "$PIVOTSCOPE_CUDA");
}

TEST_F(NvrtcSearch, TakesTheNewestOfAFolderAndOnlyTheLibraryItself) {
  make("lib/libnvrtc.so.12");
  make("lib/libnvrtc.so.13");
  make("lib/libnvrtc.so");
  make("lib/libnvrtc.alt.so.13");
  make("lib/libnvrtc-builtins.so.13.0");
  make("lib/libnvrtc.so.12.8.93");
  EXPECT_EQ(nvrtc_files(folder_ / "lib"),
            (std::vector<fs::path>{folder_ / "lib/libnvrtc.so.13", folder_ / "lib/libnvrtc.so.12"}));
}

TEST_F(NvrtcSearch, LooksIntoAFolderOnceThatHasTwoNames) {
  make("lib/libnvrtc.so.13");
  fs::create_directory_symlink("lib", folder_ / "lib64");
  make("targets/x86_64-linux/lib/libnvrtc.so.13");
  EXPECT_EQ(library_folders(folder_), (std::vector<fs::path>{folder_ / "lib64", folder_ / "targets/x86_64-linux/lib"}));
}

TEST_F(NvrtcSearch, WordsNameEveryPlaceAndWhatIsWrongWithIt) {
  make("broken/lib64/libnvrtc.so.13");
  fs::create_directories(folder_ / "empty");
  const toolkit_place places[] = {
      {folder_ / "absent", "$PIVOTSCOPE_CUDA"}, {folder_ / "empty", ""}, {folder_ / "broken", ""}};
  const auto found = search_nvrtc(places, false);
  ASSERT_FALSE(found);
  const std::string& words = found.error().words;
  EXPECT_NE(words.find((folder_ / "absent").string() + " ($PIVOTSCOPE_CUDA): not there"), std::string::npos) << words;
  EXPECT_NE(words.find((folder_ / "empty").string() + ": holds no libnvrtc.so.N"), std::string::npos) << words;
  EXPECT_NE(words.find((folder_ / "broken/lib64/libnvrtc.so.13").string()), std::string::npos) << words;
  EXPECT_NE(words.find("name a toolkit's folder in PIVOTSCOPE_CUDA"), std::string::npos) << words;
  EXPECT_EQ(plain_lines(words), words) << "a place is a line";
}

TEST_F(NvrtcSearch, GoesOnPastABrokenPlace) {
  make("broken/lib64/libnvrtc.so.13");
  std::vector<toolkit_place> places = {{folder_ / "broken", "$PIVOTSCOPE_CUDA"}};
  const std::vector<toolkit_place> real = toolkit_places();
  places.insert(places.end(), real.begin(), real.end());
  const auto found = search_nvrtc(places);
  ASSERT_TRUE(found) << found.error().words;
  EXPECT_GE((*found)->major_version(), 12);
  EXPECT_EQ((*found)->file().string().find(folder_.string()), std::string::npos);
}

TEST_F(NvrtcSearch, FindsTheHeadersOfTheBuild) {
  const std::vector<fs::path> folders = cuda_include_folders();
  ASSERT_FALSE(folders.empty());
  EXPECT_TRUE(fs::exists(folders.front() / "cuda_runtime_api.h"));
  EXPECT_TRUE(fs::exists(folders.back() / "cub" / "cub.cuh"));
}

}  // namespace
}  // namespace pivotscope
