// Loaded before a program, a machine whose arithmetic gives other bits: it rounds up.
#include <cfenv>

namespace {

[[gnu::constructor]] void round_up() { std::fesetround(FE_UPWARD); }

}  // namespace
