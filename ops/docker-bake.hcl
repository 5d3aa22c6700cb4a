# Both images for both architectures: docker buildx bake --file ops/docker-bake.hcl [--push]. A release is also the latest.
# REGISTRY ends with a slash.
variable "REGISTRY" { default = "ghcr.io/almanac-rates/" }
variable "VERSION" { default = "latest" }

# What is released is built on exactly these. A plain `docker build` takes the newest of the same names.
variable "BASES" {
  default = {
    NODE_IMAGE   = "node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d"
    DEBIAN_IMAGE = "debian:bookworm-slim@sha256:88200866dfff7ea7f5cbcb6ec7c8a701889efe6fe859fe64d6990e4b07ea4171"
  }
}

group "default" { targets = ["programs", "solo"] }

target "programs" {
  target    = "programs"
  args      = BASES
  platforms = ["linux/amd64", "linux/arm64"]
  tags      = ["${REGISTRY}almanac:${VERSION}", "${REGISTRY}almanac:latest"]
}

target "solo" {
  target    = "solo"
  args      = BASES
  platforms = ["linux/amd64", "linux/arm64"]
  tags      = ["${REGISTRY}almanac:${VERSION}-solo", "${REGISTRY}almanac:solo"]
}
