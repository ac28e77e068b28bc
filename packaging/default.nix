# A recipe for Nix: nix-build packaging/default.nix
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "spillway";
  version = "0.2.0";
  src = pkgs.lib.cleanSource ../.;

  nativeBuildInputs = [ pkgs.cmake pkgs.ninja ];
  buildInputs = [
    pkgs.boost pkgs.cli11 pkgs.fmt_9 pkgs.nlohmann_json pkgs.openssl pkgs.re2 pkgs.simgrid pkgs.sqlite pkgs.xxHash pkgs.yaml-cpp pkgs.zlib
  ];
  cmakeFlags = [ "-DSPILLWAY_BUILD_TESTS=OFF" ];

  doInstallCheck = true;
  installCheckPhase = ''
    $out/bin/spillway check $out/share/spillway/scenarios/documented/priority-two-levels.yaml
  '';

  meta = {
    description = "Discrete-event traffic simulator for service meshes";
    mainProgram = "spillway";
    platforms = pkgs.lib.platforms.linux;
  };
}
