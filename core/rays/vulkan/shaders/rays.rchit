// Says which triangle the ray hit first, and by the highest bit that it met its back.
#version 460
#extension GL_EXT_ray_tracing : require

layout(location = 0) rayPayloadInEXT uint hit;

void main() {
  hit = uint(gl_PrimitiveID) | (gl_HitKindEXT == gl_HitKindBackFacingTriangleEXT ? 0x80000000u : 0u);
}
