// Forward declarations of the world's types, for headers that only refer to them. Comments name the defining header.
#pragma once

#include <cstdint>

namespace spillway::world {

class Activities;                  // activities.hpp
enum class Ending : std::uint8_t;  // activities.hpp
class World;                       // world.hpp

}  // namespace spillway::world
