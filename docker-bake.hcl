# Both images for both architectures: docker buildx bake [--push]. REGISTRY ends with a slash.
variable "REGISTRY" { default = "" }
variable "VERSION" { default = "latest" }

group "default" { targets = ["programs", "solo"] }

target "programs" {
  target    = "programs"
  platforms = ["linux/amd64", "linux/arm64"]
  tags      = ["${REGISTRY}almanac:${VERSION}"]
}

target "solo" {
  target    = "solo"
  platforms = ["linux/amd64", "linux/arm64"]
  tags      = ["${REGISTRY}almanac:${VERSION == "latest" ? "solo" : "${VERSION}-solo"}"]
}
