// Written by scripts/elementary_coefficients.
// clang-format off
#pragma once

#include <array>
#include <cstdint>

namespace graspmap::elementary {

/// A number as the sum of two doubles.
struct Pair {
  double high;
  double low;
};

struct LogarithmRow {
  double inverse;
  double high;
  double low;
};

/// (sin(x) / x - 1) / x^2 in x^2, |x| <= pi / 4.
inline constexpr std::array<double, 6> kSine{
    -0x1.5555555555548p-3,
    0x1.111111110f760p-7,
    -0x1.a01a019bf2b7ep-13,
    0x1.71de355fa4e3dp-19,
    -0x1.ae5e55005a3c8p-26,
    0x1.5d8e625bc8fcep-33};

/// (cos(x) - 1 + x^2 / 2) / x^4 in x^2, |x| <= pi / 4.
inline constexpr std::array<double, 6> kCosine{
    0x1.555555555554bp-5,
    -0x1.6c16c16c15018p-10,
    0x1.a01a019c8f944p-16,
    -0x1.27e4f7f1ee766p-22,
    0x1.1ee9dc12a9880p-29,
    -0x1.8fa6a89160bb8p-37};

/// pi / 2 as a sum: 43 bits,
inline constexpr double kQuarterTurn1 = 0x1.921fb54442c00p+0;

/// 43 bits more,
inline constexpr double kQuarterTurn2 = 0x1.18469898cc400p-44;

/// and the rest.
inline constexpr double kQuarterTurn3 = 0x1.1701b839a2520p-88;

/// 64 zeros, then the bits of 2 / pi after the point.
inline constexpr std::array<std::uint64_t, 21> kTwoOverPi{
    0x0000000000000000U,
    0xa2f9836e4e441529U,
    0xfc2757d1f534ddc0U,
    0xdb6295993c439041U,
    0xfe5163abdebbc561U,
    0xb7246e3a424dd2e0U,
    0x06492eea09d1921cU,
    0xfe1deb1cb129a73eU,
    0xe88235f52ebb4484U,
    0xe99c7026b45f7e41U,
    0x3991d639835339f4U,
    0x9c845f8bbdf9283bU,
    0x1ff897ffde05980fU,
    0xef2f118b5a0a6d1fU,
    0x6d367ecf27cb09b7U,
    0x4f463f669e5fea2dU,
    0x7527bac7ebe5f17bU,
    0x3d0739f78a5292eaU,
    0x6bfb5fb11f8d5d08U,
    0x56033046fc7b6babU,
    0xf0cfbc209af4361dU};

/// (atan(x) / x - 1) / x^2 in x^2, |x| <= 7 / 16.
inline constexpr std::array<double, 11> kArctangent{
    -0x1.555555555550bp-2,
    0x1.999999998e7b4p-3,
    -0x1.2492491ff177fp-3,
    0x1.c71c6fda4d8e3p-4,
    -0x1.745cdb8c1587ep-4,
    0x1.3b0f1ea612468p-4,
    -0x1.10d5ee70d7f16p-4,
    0x1.dddca1412df37p-5,
    -0x1.979c05505f90cp-5,
    0x1.2b0ce47dbe9eap-5,
    -0x1.0a68895ff1972p-6};

/// atan(0), atan(1/2), atan(1); pi/2 minus these; pi minus these; pi/2 plus these.
inline constexpr std::array<Pair, 12> kAngles{{
    {0x0.0p+0, 0x0.0p+0},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
    {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},
    {0x1.1b6e192ebbe44p+0, 0x1.b1b466a88828ep-54},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
    {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53},
    {0x1.56c6e7397f5aep+1, 0x1.660b64ece6f4bp-53},
    {0x1.2d97c7f3321d2p+1, 0x1.a79394c9e8a0ap-54},
    {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},
    {0x1.0468a8ace4df6p+1, 0x1.0620bf7406affp-55},
    {0x1.2d97c7f3321d2p+1, 0x1.a79394c9e8a0ap-54}}};

/// (log(1 + r) - r + r^2 / 2) / r^3 in r, |r| <= 0.00392.
inline constexpr std::array<double, 6> kLogarithm{
    0x1.5555555555556p-2,
    -0x1p-2,
    0x1.9999999919990p-3,
    -0x1.55555554e2219p-3,
    0x1.24939e7b21ce1p-3,
    -0x1.0001333453343p-3};

/// log(2): 42 bits,
inline constexpr double kLog2High = 0x1.62e42fefa3800p-1;

/// and the rest.
inline constexpr double kLog2Low = 0x1.ef35793c76730p-45;

/// For the 128 parts of [0.705, 1.41): 1 / c in 20 bits, log(c) to a multiple of 2^-42, and the rest.
inline constexpr std::array<LogarithmRow, 128> kLogarithms{{
    {0x1.6a13c00000000p+0, -0x1.63000bb3aa000p-2, -0x1.973b412573212p-46},
    {0x1.6816800000000p+0, -0x1.5d5bd9f596000p-2, 0x1.e0b2a0b4f1089p-47},
    {0x1.661ec00000000p+0, -0x1.57bf623c8d000p-2, 0x1.ae42541102cc8p-47},
    {0x1.642c800000000p+0, -0x1.522ad0738a000p-2, -0x1.d7ce0ad74385dp-46},
    {0x1.623fa00000000p+0, -0x1.4c9df46173000p-2, 0x1.d8244c14897cdp-44},
    {0x1.6058200000000p+0, -0x1.4718f9271c000p-2, 0x1.3b7cd0b5a8685p-45},
    {0x1.5e75c00000000p+0, -0x1.419b4f3d5e000p-2, -0x1.dd486e903714dp-44},
    {0x1.5c98800000000p+0, -0x1.3c251f7333000p-2, -0x1.03b54ab5c12a2p-46},
    {0x1.5ac0600000000p+0, -0x1.36b692ebe1000p-2, 0x1.3464c27727992p-44},
    {0x1.58ed200000000p+0, -0x1.314f151d36000p-2, 0x1.df27adab93cc5p-45},
    {0x1.571ee00000000p+0, -0x1.2bef2c4dc9000p-2, 0x1.c5381dd93d9a1p-44},
    {0x1.5555600000000p+0, -0x1.269641134d000p-2, -0x1.c93c334b1010bp-45},
    {0x1.5390a00000000p+0, -0x1.21447950eb000p-2, 0x1.e10352d7ae0a5p-48},
    {0x1.51d0800000000p+0, -0x1.1bf99a35a7000p-2, 0x1.22c895706cbcfp-44},
    {0x1.5015000000000p+0, -0x1.16b5c8bad0000p-2, 0x1.2b2990482ca15p-44},
    {0x1.4e5e000000000p+0, -0x1.1178c8227e000p-2, 0x1.c210fb8fb4d72p-45},
    {0x1.4cab800000000p+0, -0x1.0c42bc7616000p-2, 0x1.32775a0d86de9p-45},
    {0x1.4afd600000000p+0, -0x1.07136704d5000p-2, -0x1.c0e68b22be06fp-47},
    {0x1.4953a00000000p+0, -0x1.01eaeae26c000p-2, -0x1.951dcfbbc5b02p-44},
    {0x1.47ae200000000p+0, -0x1.f9920ecb3a000p-3, 0x1.8d03da7cce9c4p-48},
    {0x1.460cc00000000p+0, -0x1.ef5af44dd0000p-3, 0x1.fe2111ee663fep-47},
    {0x1.446f800000000p+0, -0x1.e530c7fe70000p-3, -0x1.3a4242515d8a1p-44},
    {0x1.42d6600000000p+0, -0x1.db13cc0d48000p-3, -0x1.0be6a8242a7e3p-44},
    {0x1.4141400000000p+0, -0x1.d103772656000p-3, 0x1.c4a7e7861a190p-47},
    {0x1.3fb0200000000p+0, -0x1.c700096f00000p-3, 0x1.ee18c06412b93p-45},
    {0x1.3e22c00000000p+0, -0x1.bd082783bc000p-3, -0x1.0e872d62d1019p-46},
    {0x1.3c99600000000p+0, -0x1.b31daa75bc000p-3, -0x1.1c74e77248e03p-44},
    {0x1.3b13c00000000p+0, -0x1.a93f33c8ac000p-3, 0x1.4391f682b24f4p-44},
    {0x1.3991c00000000p+0, -0x1.9f6c2e708a000p-3, 0x1.5bfd94f993f4ap-44},
    {0x1.3813800000000p+0, -0x1.95a5a5cf70000p-3, -0x1.3f22855f654c3p-47},
    {0x1.3698e00000000p+0, -0x1.8beb03b390000p-3, 0x1.8cd54aa428226p-47},
    {0x1.3521c00000000p+0, -0x1.823bae5518000p-3, 0x1.9f917eb795332p-45},
    {0x1.33ae400000000p+0, -0x1.7898b25444000p-3, -0x1.b3cf78044b2d4p-45},
    {0x1.323e400000000p+0, -0x1.6f0174b756000p-3, 0x1.7a8c5d5036e3ap-44},
    {0x1.30d1a00000000p+0, -0x1.657556e8be000p-3, -0x1.a03cbd1398366p-45},
    {0x1.2f68400000000p+0, -0x1.5bf3b6b542000p-3, -0x1.2c7eb6fa0f5bfp-45},
    {0x1.2e02600000000p+0, -0x1.527e794a1c000p-3, 0x1.a980b807ac13dp-44},
    {0x1.2c9fc00000000p+0, -0x1.491424333a000p-3, 0x1.2f211bdb4106bp-47},
    {0x1.2b40400000000p+0, -0x1.3fb4105992000p-3, 0x1.930ed47067722p-44},
    {0x1.29e4200000000p+0, -0x1.3660270156000p-3, -0x1.e0c614b3bdb26p-44},
    {0x1.288b000000000p+0, -0x1.2d1608c868000p-3, -0x1.f3ad991ae13e8p-48},
    {0x1.2735000000000p+0, -0x1.23d6c2a49a000p-3, -0x1.20347969f98bep-44},
    {0x1.25e2200000000p+0, -0x1.1aa286e23e000p-3, -0x1.b91c6d5842090p-44},
    {0x1.2492400000000p+0, -0x1.1178a8227e000p-3, 0x1.7084443942ab2p-44},
    {0x1.2345600000000p+0, -0x1.08595659e2000p-3, -0x1.e1b10e70e60b3p-44},
    {0x1.21fb800000000p+0, -0x1.fe89839dbc000p-4, 0x1.8d355abd9940ap-47},
    {0x1.20b4800000000p+0, -0x1.ec7470309c000p-4, 0x1.4006247a686c0p-45},
    {0x1.1f70400000000p+0, -0x1.da72063844000p-4, 0x1.1ddb06a6b91e1p-44},
    {0x1.1e2f000000000p+0, -0x1.c886301bc0000p-4, -0x1.d46d53dafe590p-45},
    {0x1.1cf0600000000p+0, -0x1.b6abecdad4000p-4, 0x1.46c213ff1e30dp-44},
    {0x1.1bb4a00000000p+0, -0x1.a4e72a0b1c000p-4, 0x1.4b4adce12acf3p-45},
    {0x1.1a7ba00000000p+0, -0x1.933675d594000p-4, 0x1.ef750efa1627bp-44},
    {0x1.1945400000000p+0, -0x1.819856f40c000p-4, -0x1.350383c694f6ep-45},
    {0x1.1811800000000p+0, -0x1.700d20aeac000p-4, -0x1.83d1b3de684ffp-50},
    {0x1.16e0600000000p+0, -0x1.5e9526d978000p-4, 0x1.a6d0781f224a1p-45},
    {0x1.15b1e00000000p+0, -0x1.4d30bdd208000p-4, 0x1.073a28fa4a459p-44},
    {0x1.1486000000000p+0, -0x1.3be03a7d18000p-4, -0x1.8c865cb305924p-45},
    {0x1.135c800000000p+0, -0x1.2aa03a4470000p-4, -0x1.7248ba85c75ecp-44},
    {0x1.1235800000000p+0, -0x1.1972e51460000p-4, 0x1.6e4c77c9bbef4p-46},
    {0x1.1111200000000p+0, -0x1.085a6b59dc000p-4, -0x1.8068c36a8211cp-44},
    {0x1.0fef000000000p+0, -0x1.eea2fc0068000p-5, -0x1.bbdd835b1833bp-44},
    {0x1.0ecf600000000p+0, -0x1.ccb854ddd8000p-5, 0x1.9c477654eca21p-45},
    {0x1.0db2000000000p+0, -0x1.aaeded0fa8000p-5, -0x1.67e0bcd487afep-44},
    {0x1.0c97200000000p+0, -0x1.894bf149f8000p-5, 0x1.d7e63f236957ep-44},
    {0x1.0b7e600000000p+0, -0x1.67c78b2d40000p-5, 0x1.8578ca398c8a5p-46},
    {0x1.0a68200000000p+0, -0x1.466cc542d0000p-5, -0x1.4b329cb3df775p-46},
    {0x1.0954000000000p+0, -0x1.2530b2f8c8000p-5, -0x1.07d3ec0431bf5p-46},
    {0x1.0842200000000p+0, -0x1.0417b89e68000p-5, 0x1.cbb871ec3ed0cp-45},
    {0x1.0732600000000p+0, -0x1.c63d06c150000p-6, 0x1.5759ce0457bdcp-44},
    {0x1.0624e00000000p+0, -0x1.8493028c90000p-6, 0x1.1185d123e5b7ep-44},
    {0x1.0519800000000p+0, -0x1.432ab25980000p-6, -0x1.8813992db8d53p-47},
    {0x1.0410400000000p+0, -0x1.0205258930000p-6, -0x1.591d27c392ec1p-44},
    {0x1.0309200000000p+0, -0x1.8246da3880000p-7, -0x1.34688677f5e30p-45},
    {0x1.0204000000000p+0, -0x1.00fd575880000p-7, 0x1.0c76e4447e693p-46},
    {0x1.0101000000000p+0, -0x1.007f559580000p-8, -0x1.066afca871bd0p-45},
    {0x1p+0, 0x0.0p+0, 0x0.0p+0},
    {0x1.fc08000000000p-1, 0x1.fdfaa6b140000p-8, -0x1.98770e7341672p-44},
    {0x1.f81f800000000p-1, 0x1.fc0b0b0fc0000p-7, 0x1.f8f3e86147e01p-49},
    {0x1.f446600000000p-1, 0x1.7b90e87d60000p-6, -0x1.daeab805daeedp-45},
    {0x1.f07c200000000p-1, 0x1.f82990e780000p-6, 0x1.9c0267c68b48fp-45},
    {0x1.ecc0800000000p-1, 0x1.39e82b9ff0000p-5, -0x1.e302b8487c536p-44},
    {0x1.e913200000000p-1, 0x1.7745376330000p-5, -0x1.b73b9d8eab34ap-45},
    {0x1.e573a00000000p-1, 0x1.b42eab1198000p-5, 0x1.da2c34eee7648p-45},
    {0x1.e1e1e00000000p-1, 0x1.f0a32c0118000p-5, -0x1.c599e828be3e6p-45},
    {0x1.de5d600000000p-1, 0x1.1653e8ea38000p-4, 0x1.7f2e8f6224536p-44},
    {0x1.dae6000000000p-1, 0x1.341db961bc000p-4, 0x1.9d092aed8cba6p-44},
    {0x1.d77b600000000p-1, 0x1.51b0a1f060000p-4, 0x1.c61692f7a3dd1p-44},
    {0x1.d41d400000000p-1, 0x1.6f0d38ae58000p-4, -0x1.434641b10f0bdp-44},
    {0x1.d0cb600000000p-1, 0x1.8c341f631c000p-4, -0x1.d5d0a66b1000cp-44},
    {0x1.cd85600000000p-1, 0x1.a9271fa4b0000p-4, -0x1.f549ad0747f8fp-44},
    {0x1.ca4b400000000p-1, 0x1.c5e4bcf5c0000p-4, -0x1.274eb0936b570p-44},
    {0x1.c71c800000000p-1, 0x1.e26ff6e2b0000p-4, 0x1.2e5e93fdd5937p-44},
    {0x1.c3f9000000000p-1, 0x1.fec8831dc0000p-4, 0x1.33aa93b51a061p-44},
    {0x1.c0e0800000000p-1, 0x1.0d779fcd0a000p-3, 0x1.4cb30ef8beba7p-46},
    {0x1.bdd2c00000000p-1, 0x1.1b728b52f6000p-3, 0x1.84851f2722772p-44},
    {0x1.bacfa00000000p-1, 0x1.2954eb8200000p-3, 0x1.ccd2e7e07238fp-45},
    {0x1.b7d6c00000000p-1, 0x1.371fd401ea000p-3, -0x1.e8f886106753dp-44},
    {0x1.b4e8200000000p-1, 0x1.44d2a0ccb8000p-3, -0x1.fb305f3c08ab6p-48},
    {0x1.b203600000000p-1, 0x1.526e713a1c000p-3, -0x1.4beba33852786p-44},
    {0x1.af28600000000p-1, 0x1.5ff33f0a7a000p-3, 0x1.3c8ad0cb5ddecp-51},
    {0x1.ac57000000000p-1, 0x1.6d6106719e000p-3, -0x1.b46e556bdf211p-44},
    {0x1.a98f000000000p-1, 0x1.7ab860210e000p-3, 0x1.048ddfb597060p-46},
    {0x1.a6d0200000000p-1, 0x1.87f9eb520c000p-3, 0x1.7d3203341831cp-44},
    {0x1.a41a400000000p-1, 0x1.9525b1cf46000p-3, -0x1.217137d49c039p-44},
    {0x1.a16d400000000p-1, 0x1.a23bbffe2c000p-3, -0x1.531cd91ddf460p-44},
    {0x1.9ec8e00000000p-1, 0x1.af3cc2e80c000p-3, 0x1.06db1dc1ede2cp-44},
    {0x1.9c2d200000000p-1, 0x1.bc283042da000p-3, -0x1.d6358f1682cc0p-45},
    {0x1.9999a00000000p-1, 0x1.c8ff5c79aa000p-3, -0x1.de53e4d28b97bp-47},
    {0x1.970e400000000p-1, 0x1.d5c264b4fe000p-3, -0x1.95547a8f12b3ap-44},
    {0x1.948b000000000p-1, 0x1.e270c6e2b0000p-3, 0x1.7cbd522655eddp-44},
    {0x1.920fc00000000p-1, 0x1.ef0aa2bdc6000p-3, 0x1.96947656c00ecp-45},
    {0x1.8f9c200000000p-1, 0x1.fb9162d5e4000p-3, 0x1.9d46a30b36357p-46},
    {0x1.8d30200000000p-1, 0x1.040246cb4d000p-2, 0x1.76ad6d1ea313fp-45},
    {0x1.8acba00000000p-1, 0x1.0a3227273a000p-2, -0x1.9d506ca2aed96p-45},
    {0x1.886e600000000p-1, 0x1.1058bd1ae5000p-2, -0x1.4799d81922822p-44},
    {0x1.8618600000000p-1, 0x1.1675cebaba000p-2, 0x1.8b80e7374ab1ap-44},
    {0x1.83c9800000000p-1, 0x1.1c8976169a000p-2, -0x1.1e8223a76fedfp-45},
    {0x1.8181800000000p-1, 0x1.229423bcf8000p-2, -0x1.9e976f595b40dp-44},
    {0x1.7f40600000000p-1, 0x1.2895a0bde8000p-2, 0x1.a8f7ad24be946p-44},
    {0x1.7d06000000000p-1, 0x1.2e8e0bae12000p-2, 0x1.4c2700879c369p-44},
    {0x1.7ad2200000000p-1, 0x1.347ddb2988000p-2, -0x1.5354dd4bc8092p-45},
    {0x1.78a4c00000000p-1, 0x1.3a64db5695000p-2, -0x1.938e30bb373f6p-44},
    {0x1.767dc00000000p-1, 0x1.40432f686b000p-2, 0x1.e2deaca7c014dp-45},
    {0x1.745d200000000p-1, 0x1.4618a421c6000p-2, 0x1.a13e7cbd9c022p-45},
    {0x1.7242800000000p-1, 0x1.4be60f5778000p-2, -0x1.cb9252c4b03d4p-45},
    {0x1.702e000000000p-1, 0x1.51aae872e0000p-2, -0x1.74bd8c5b5272cp-44},
    {0x1.6e1f800000000p-1, 0x1.5767577456000p-2, -0x1.2eadf0af80b60p-48},
    {0x1.6c16c00000000p-1, 0x1.5d1bdff581000p-2, -0x1.856bdc9726ce2p-44}}};

/// (exp(r) - 1 - r) / r^2 in r, |r| <= log(2) / 256.
inline constexpr std::array<double, 4> kExponential{
    0x1.fffffffffff57p-2,
    0x1.5555555555525p-3,
    0x1.55555acf8df82p-5,
    0x1.1111143255ff1p-7};

/// (exp(x) - 1 - x - x^2 / 2) / x^3 in x, |x| <= 0.35.
inline constexpr std::array<double, 12> kExpMinusOne{
    0x1.5555555555555p-3,
    0x1.5555555555555p-5,
    0x1.1111111111111p-7,
    0x1.6c16c16c16c17p-10,
    0x1.a01a01a0195e9p-13,
    0x1.a01a01a019b02p-16,
    0x1.71de3a5af8595p-19,
    0x1.27e4fb7a4fcfbp-22,
    0x1.ae642ad7b698cp-26,
    0x1.1eed792c704edp-29,
    0x1.61c2b89c2d16dp-33,
    0x1.94359e1fe8dbfp-37};

/// log(2) / 128: 35 bits,
inline constexpr double kStepHigh = 0x1.62e42fefc0000p-8;

/// and the rest.
inline constexpr double kStepLow = -0x1.c610ca86c3899p-44;

/// 128 / log(2).
inline constexpr double kStepsPerUnit = 0x1.71547652b82fep+7;

/// 2^(i / 128), and the rest relative to it.
inline constexpr std::array<Pair, 128> kPowersOfTwo{{
    {0x1p+0, 0x0.0p+0},
    {0x1.0163da9fb3335p+0, 0x1.b3b4f1a88bf6dp-54},
    {0x1.02c9a3e778061p+0, -0x1.160139cd8dc5dp-56},
    {0x1.04315e86e7f85p+0, -0x1.05e7a108766d1p-54},
    {0x1.059b0d3158574p+0, 0x1.cd2523567f613p-55},
    {0x1.0706b29ddf6dep+0, -0x1.bce8023f98efap-55},
    {0x1.0874518759bc8p+0, 0x1.0f74e61e6c861p-57},
    {0x1.09e3ecac6f383p+0, 0x1.0a3e45b33d398p-54},
    {0x1.0b5586cf9890fp+0, 0x1.79aa65d837b6cp-54},
    {0x1.0cc922b7247f7p+0, 0x1.eb51a92fdeffbp-55},
    {0x1.0e3ec32d3d1a2p+0, 0x1.ebe3d702f9cd1p-60},
    {0x1.0fb66affed31bp+0, -0x1.a033489906e0bp-57},
    {0x1.11301d0125b51p+0, -0x1.556522a2fbd0ep-54},
    {0x1.12abdc06c31ccp+0, -0x1.080ef8c4eea55p-58},
    {0x1.1429aaea92de0p+0, -0x1.1c923b9d5f416p-54},
    {0x1.15a98c8a58e51p+0, 0x1.0d3e3e95c55afp-55},
    {0x1.172b83c7d517bp+0, -0x1.01b15eaa59348p-55},
    {0x1.18af9388c8deap+0, -0x1.f1ff055de323dp-55},
    {0x1.1a35beb6fcb75p+0, 0x1.b898c3f1353bfp-55},
    {0x1.1bbe084045cd4p+0, -0x1.6d99c7611eb27p-54},
    {0x1.1d4873168b9aap+0, 0x1.aecf73e3a2f5fp-54},
    {0x1.1ed5022fcd91dp+0, -0x1.fe782cb86389ep-55},
    {0x1.2063b88628cd6p+0, 0x1.a6f4144a6c38cp-55},
    {0x1.21f49917ddc96p+0, 0x1.07a05b0e4047dp-55},
    {0x1.2387a6e756238p+0, 0x1.68efde3a8a893p-54},
    {0x1.251ce4fb2a63fp+0, 0x1.75e18f274487dp-55},
    {0x1.26b4565e27cddp+0, 0x1.0472b981fe7f2p-55},
    {0x1.284dfe1f56381p+0, -0x1.6b87b3f71085ep-54},
    {0x1.29e9df51fdee1p+0, 0x1.2f7e16d09ab31p-55},
    {0x1.2b87fd0dad990p+0, -0x1.d219b1a6fbffbp-60},
    {0x1.2d285a6e4030bp+0, 0x1.b3782720c0ab3p-55},
    {0x1.2ecafa93e2f56p+0, 0x1.e149289cecb8fp-57},
    {0x1.306fe0a31b715p+0, 0x1.34d754db0abb6p-55},
    {0x1.32170fc4cd831p+0, 0x1.64201e2ac744cp-55},
    {0x1.33c08b26416ffp+0, 0x1.fdd395dd3f84ap-55},
    {0x1.356c55f929ff1p+0, -0x1.6a3803b8e5b04p-55},
    {0x1.371a7373aa9cbp+0, -0x1.24aedcc4b5069p-54},
    {0x1.38cae6d05d866p+0, -0x1.907f81b512d8fp-54},
    {0x1.3a7db34e59ff7p+0, -0x1.1d1e83e9436d2p-56},
    {0x1.3c32dc313a8e5p+0, -0x1.91919b3ce1b15p-54},
    {0x1.3dea64c123422p+0, 0x1.59f48a72a4c6cp-55},
    {0x1.3fa4504ac801cp+0, -0x1.312607a28698ap-54},
    {0x1.4160a21f72e2ap+0, -0x1.8a78f4817895bp-58},
    {0x1.431f5d950a897p+0, -0x1.c2c9b67499a1bp-56},
    {0x1.44e086061892dp+0, 0x1.363ed60c2ac11p-59},
    {0x1.46a41ed1d0057p+0, 0x1.666093b0664efp-54},
    {0x1.486a2b5c13cd0p+0, 0x1.ecce1daa10379p-57},
    {0x1.4a32af0d7d3dep+0, 0x1.3ff8e3f0f1230p-54},
    {0x1.4bfdad5362a27p+0, 0x1.690cebb7aafb0p-56},
    {0x1.4dcb299fddd0dp+0, 0x1.31dbdeb54e077p-54},
    {0x1.4f9b2769d2ca7p+0, -0x1.f94340071a38fp-55},
    {0x1.516daa2cf6642p+0, -0x1.7deccdc93a34ap-55},
    {0x1.5342b569d4f82p+0, -0x1.8dec6bd0f3860p-56},
    {0x1.551a4ca5d920fp+0, -0x1.61246ec7b5cf6p-55},
    {0x1.56f4736b527dap+0, 0x1.3350518fdd78dp-54},
    {0x1.58d12d497c7fdp+0, 0x1.b98b72f8a9b05p-56},
    {0x1.5ab07dd485429p+0, 0x1.063e1e21c5409p-54},
    {0x1.5c9268a5946b7p+0, 0x1.4c7855019c6eap-60},
    {0x1.5e76f15ad2148p+0, 0x1.432e62b64c035p-54},
    {0x1.605e1b976dc09p+0, -0x1.ce44a6199769fp-55},
    {0x1.6247eb03a5585p+0, -0x1.c33c53bef4da8p-55},
    {0x1.6434634ccc320p+0, -0x1.45378892be9aep-55},
    {0x1.6623882552225p+0, -0x1.3cedd78565858p-54},
    {0x1.68155d44ca973p+0, 0x1.710aa807e1964p-58},
    {0x1.6a09e667f3bcdp+0, -0x1.3b3efbf5e2229p-54},
    {0x1.6c012750bdabfp+0, -0x1.a12ad8734b982p-57},
    {0x1.6dfb23c651a2fp+0, -0x1.367efb86da9eep-57},
    {0x1.6ff7df9519484p+0, -0x1.0dc3d54e08851p-55},
    {0x1.71f75e8ec5f74p+0, -0x1.81f647e5a3ecfp-56},
    {0x1.73f9a48a58174p+0, -0x1.6ee4ac08b7db0p-55},
    {0x1.75feb564267c9p+0, -0x1.619321e55e68ap-55},
    {0x1.780694fde5d3fp+0, 0x1.09ccb5e09d4d2p-54},
    {0x1.7a11473eb0187p+0, -0x1.b32dcb94da51dp-56},
    {0x1.7c1ed0130c132p+0, 0x1.4ecfd5467c06bp-54},
    {0x1.7e2f336cf4e62p+0, 0x1.5ebe1abd66c55p-57},
    {0x1.80427543e1a12p+0, -0x1.8a1c52fb3cf42p-55},
    {0x1.82589994cce13p+0, -0x1.369b6f13b3734p-54},
    {0x1.8471a4623c7adp+0, -0x1.05e843a19ff1ep-55},
    {0x1.868d99b4492edp+0, -0x1.4d450d872576ep-54},
    {0x1.88ac7d98a6699p+0, 0x1.0ad675b0e8a00p-54},
    {0x1.8ace5422aa0dbp+0, 0x1.db72fc1f0eab4p-55},
    {0x1.8cf3216b5448cp+0, -0x1.5b6609cc5e7ffp-57},
    {0x1.8f1ae99157736p+0, 0x1.bf68359f35f44p-56},
    {0x1.9145b0b91ffc6p+0, -0x1.3091fa71e3d83p-54},
    {0x1.93737b0cdc5e5p+0, -0x1.da9b88b6c1e29p-58},
    {0x1.95a44cbc8520fp+0, -0x1.c23f97c90b959p-57},
    {0x1.97d829fde4e50p+0, -0x1.2434322f4f9aap-54},
    {0x1.9a0f170ca07bap+0, -0x1.5ca6cd7668e4bp-55},
    {0x1.9c49182a3f090p+0, 0x1.1affc2b91ce27p-56},
    {0x1.9e86319e32323p+0, 0x1.dd235e10a73bbp-57},
    {0x1.a0c667b5de565p+0, -0x1.7c50422622263p-55},
    {0x1.a309bec4a2d33p+0, 0x1.b1c86e3e231d5p-55},
    {0x1.a5503b23e255dp+0, -0x1.1bbd1d3bcbb15p-54},
    {0x1.a799e1330b358p+0, 0x1.0cc319cee31d2p-54},
    {0x1.a9e6b5579fdbfp+0, 0x1.469846e735ab3p-55},
    {0x1.ac36bbfd3f37ap+0, -0x1.2dfcd978e9db4p-55},
    {0x1.ae89f995ad3adp+0, 0x1.c1a7792cb3386p-55},
    {0x1.b0e07298db666p+0, -0x1.07b8f4ad1d9fap-54},
    {0x1.b33a2b84f15fbp+0, -0x1.5c3d956dcaebap-58},
    {0x1.b59728de5593ap+0, -0x1.0a40e3da6f640p-54},
    {0x1.b7f76f2fb5e47p+0, -0x1.8d6f438ad9334p-57},
    {0x1.ba5b030a1064ap+0, -0x1.1eee26b588a36p-54},
    {0x1.bcc1e904bc1d2p+0, 0x1.4ffd70a5fddcdp-56},
    {0x1.bf2c25bd71e09p+0, -0x1.1bdfbfa9298adp-54},
    {0x1.c199bdd85529cp+0, 0x1.36eae30af0cb3p-56},
    {0x1.c40ab5fffd07ap+0, 0x1.ee3325c9ffd93p-55},
    {0x1.c67f12e57d14bp+0, 0x1.4e08fd10959acp-55},
    {0x1.c8f6d9406e7b5p+0, 0x1.3cdaf384e1a67p-57},
    {0x1.cb720dcef9069p+0, 0x1.76b2c6c921968p-57},
    {0x1.cdf0b555dc3fap+0, -0x1.08a1883ccb5d2p-55},
    {0x1.d072d4a07897cp+0, -0x1.fad5d3ffffa6fp-55},
    {0x1.d2f87080d89f2p+0, -0x1.00dae3875a949p-54},
    {0x1.d5818dcfba487p+0, 0x1.4a385a63d07a7p-56},
    {0x1.d80e316c98398p+0, -0x1.2919e2040220fp-55},
    {0x1.da9e603db3285p+0, 0x1.e5a50d5c192acp-55},
    {0x1.dd321f301b460p+0, 0x1.43a59ac016b4bp-55},
    {0x1.dfc97337b9b5fp+0, -0x1.2d52107b43e1fp-55},
    {0x1.e264614f5a129p+0, -0x1.92ab93b470dc9p-55},
    {0x1.e502ee78b3ff6p+0, 0x1.4b604603a88d3p-56},
    {0x1.e7a51fbc74c83p+0, 0x1.3c5ec519d7271p-55},
    {0x1.ea4afa2a490dap+0, -0x1.ff7128fd391f1p-55},
    {0x1.ecf482d8e67f1p+0, -0x1.dae98e223747dp-55},
    {0x1.efa1bee615a27p+0, 0x1.ec3bc41aa2008p-55},
    {0x1.f252b376bba97p+0, 0x1.42b94c3a9eb32p-55},
    {0x1.f50765b6e4540p+0, 0x1.a64a931d185edp-55},
    {0x1.f7bfdad9cbe14p+0, -0x1.e37bae43be3edp-55},
    {0x1.fa7c1819e90d8p+0, 0x1.7893b4d91cd9cp-56},
    {0x1.fd3c22b8f71f1p+0, 0x1.305c14160cc89p-58}}};

/// (1 - h)^(-1/3) in h, |h| <= 0.1021.
inline constexpr std::array<double, 5> kInverseCubeRoot{
    0x1p+0,
    0x1.555435d94b942p-2,
    0x1.c71a7286b4420p-3,
    0x1.6555af428ddb9p-3,
    0x1.29f76218de5e9p-3};

/// erf(x) / x in x^2, |x| <= 1/2.
inline constexpr std::array<double, 10> kError{
    0x1.20dd750429b6dp+0,
    -0x1.812746b0379e5p-2,
    0x1.ce2f21a042a12p-4,
    -0x1.b82ce31276be5p-6,
    0x1.565bcd084ac4ep-8,
    -0x1.c02db17d57068p-11,
    0x1.f9a2817f0ba3cp-14,
    -0x1.f4b768790bd47p-17,
    0x1.b732d9dad3055p-20,
    -0x1.3835476827a0dp-23};

/// (1 + 2 x) exp(x^2) erfc(x) in (x - 4) / (x + 4), 0.47 <= x <= 28.
inline constexpr std::array<double, 25> kScaledComplement{
    0x1.3ba5916e9fd7fp+0,
    -0x1.1df1ad154a28ep-3,
    0x1.f7f5df66fd7bbp-7,
    0x1.16ecefcfa538fp-4,
    -0x1.9ddb23c3e90f1p-4,
    0x1.7fee004e126aep-4,
    -0x1.0fb06dfe48db1p-4,
    0x1.3079edf67e7c6p-5,
    -0x1.096238853c485p-6,
    0x1.49c67287dced4p-8,
    -0x1.8d4a99a3217b8p-11,
    -0x1.a1df270c8f3e0p-13,
    0x1.3be034fe126b7p-13,
    -0x1.995907499ca24p-16,
    -0x1.78822d94bc7c5p-17,
    0x1.7f25ed6488e68p-18,
    0x1.389cfd58f897fp-22,
    -0x1.baeb3b8ca7dfcp-21,
    0x1.50dec492b260cp-24,
    0x1.d7fe520d56dc8p-24,
    -0x1.6cce038b476e2p-26,
    -0x1.e9017b7d1095fp-27,
    0x1.d4dfa4b339618p-29,
    0x1.7a2e3eeb2772fp-30,
    -0x1.42e848439aa04p-32};

/// The normal score's size over w in w^2, w = |1/2 - p| <= 1/4.
inline constexpr std::array<double, 17> kScoreMiddle{
    0x1.40d931ff62706p+1,
    0x1.4ffddeaa22dc8p+1,
    0x1.71713082d9ad0p+2,
    0x1.f55d0d78f142cp+3,
    0x1.78494af499ae4p+5,
    0x1.2ba8dac7f92cep+7,
    0x1.f0461e88d9bb2p+8,
    0x1.a675c816eda3ep+10,
    0x1.6f377b576a819p+12,
    0x1.432ceba049974p+14,
    0x1.29cac21bda1cep+16,
    0x1.ad4e47905b875p+17,
    0x1.c018f0d48a3bbp+20,
    -0x1.c373f96db1ee5p+22,
    0x1.a6a05a06fe532p+26,
    -0x1.dd70a4a4ecd0ap+28,
    0x1.a8343754dcf05p+30};

/// The score's size minus s in 1 / s, s = sqrt(-2 log(p)), p < 1/4, s <= 6: a guess.
inline constexpr std::array<double, 11> kScoreNear{
    -0x1.09e22b65e346ep-5,
    -0x1.ede0a97949c0ep+1,
    0x1.a9ee22211faf7p+3,
    -0x1.b5d41d5fbbdb4p+5,
    0x1.75a0d72faed9dp+7,
    -0x1.e084af043be33p+8,
    0x1.c0719415aab87p+9,
    -0x1.253e47c541d96p+10,
    0x1.fc6b3c1697093p+9,
    -0x1.0610f60d59786p+9,
    0x1.e5ff6d531a948p+6};

/// The score's size minus s in 1 / s, s = sqrt(-2 log(p)), p < 1/4, 6 <= s <= 38.7: a guess.
inline constexpr std::array<double, 11> kScoreFar{
    -0x1.bf0a3caaf5279p-8,
    -0x1.5a2ce2b0ce0ddp+2,
    0x1.f6cebf8565da9p+5,
    -0x1.19c06d6ab1488p+10,
    0x1.06d3f428811e0p+14,
    -0x1.6b560c413c0b4p+17,
    0x1.664c99ea4e9bdp+20,
    -0x1.e760a56b8d19bp+22,
    0x1.b1388b29dd69fp+24,
    -0x1.c42c0be3f99e8p+25,
    0x1.a3c3b97d3097bp+25};

}  // namespace graspmap::elementary
