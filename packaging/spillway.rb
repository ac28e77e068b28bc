# A recipe for Homebrew on Linux: brew install --build-from-source ./packaging/spillway.rb
# Homebrew has no SimGrid; it is built as a resource. Not tried on macOS.
class Spillway < Formula
  desc "Discrete-event traffic simulator for service meshes"
  homepage "https://example.com/your/spillway"
  head "https://example.com/your/spillway.git", branch: "main"
  license "Apache-2.0"

  depends_on "boost" => :build
  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "fmt"
  depends_on "openssl@3"
  depends_on "re2"
  depends_on "sqlite"
  depends_on "xxhash"
  depends_on "yaml-cpp"
  depends_on "zlib"

  resource "simgrid" do
    url "https://framagit.org/simgrid/simgrid.git", tag: "v3.32"
  end

  def install
    resource("simgrid").stage do
      system "cmake", "-S", ".", "-B", "build", "-Denable_documentation=OFF", "-Denable_python=OFF",
             *std_cmake_args(install_prefix: libexec/"simgrid")
      system "cmake", "--build", "build"
      system "cmake", "--install", "build"
    end
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DSPILLWAY_BUILD_TESTS=OFF",
           "-DCMAKE_PREFIX_PATH=#{libexec}/simgrid", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match "spillway", shell_output("#{bin}/spillway version")
    system bin/"spillway", "check", share/"spillway/scenarios/documented/priority-two-levels.yaml"
  end
end
