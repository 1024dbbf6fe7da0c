// Philox 4x32-10 of Random123 (Salmon et al. 2011), as grasp/base/probability/random.cpp.

export type Key = [number, number];
export type Counter = [number, number, number, number];

function highProduct(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const low = aLow * bLow;
  const cross = aLow * bHigh;
  const middle = aHigh * bLow + (low >>> 16) + (cross & 0xffff);
  return (aHigh * bHigh + (cross >>> 16) + Math.floor(middle / 0x10000)) >>> 0;
}

/** The random words of a counter, each of 32 bits. */
export function philox(counter: Counter, key: Key): Counter {
  let [c0, c1, c2, c3] = counter;
  let [k0, k1] = key;
  for (let round = 0; round < 10; ++round) {
    const high0 = highProduct(0xd2511f53, c0);
    const low0 = Math.imul(0xd2511f53, c0) >>> 0;
    const high1 = highProduct(0xcd9e8d57, c2);
    const low1 = Math.imul(0xcd9e8d57, c2) >>> 0;
    c0 = (high1 ^ c1 ^ k0) >>> 0;
    c1 = low1;
    c2 = (high0 ^ c3 ^ k1) >>> 0;
    c3 = low0;
    k0 = (k0 + 0x9e3779b9) >>> 0;
    k1 = (k1 + 0xbb67ae85) >>> 0;
  }
  return [c0, c1, c2, c3];
}

/** The key of a seed, a whole number of up to 64 bits as text. */
export function keyOfSeed(seed: string): Key {
  const whole = BigInt(seed);
  return [Number(whole & 0xffffffffn), Number((whole >> 32n) & 0xffffffffn)];
}

/** Uniform in the open interval (0, 1), 53 bits of which the last is one. */
export function uniformOpen(key: Key, index: number, draw: number): number {
  const [high, low] = philox([index >>> 0, Math.floor(index / 0x100000000) >>> 0, draw >>> 0, 0], key);
  return (high * 0x200000 + ((low >>> 11) | 1)) * 2 ** -53;
}
