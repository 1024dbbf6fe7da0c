// Scrambled Sobol points, as grasp/base/probability/even_points.cpp has them.

import { type Key, philox } from "./philox";

const LEVELS = 7; // of the binary tree of digits: one block of random bits has those of a subtree
const SUBTREES = 4;
const SCRAMBLE = 0x80000000;

/** The digits of a point in the dimension that has these directions. */
function digitsOf(number: number, directions: number[]): number {
  let digits = 0;
  for (let k = 0; number >>> k; ++k) {
    if ((number >>> k) & 1) digits ^= directions[k];
  }
  return digits >>> 0;
}

/** A coordinate of a point, in the open interval (0, 1). */
export function sobolCoordinate(key: Key, sequence: number, number: number, dimension: number, directions: number[]) {
  const digits = digitsOf(number, directions);
  const blockBelow = (path: number, subtree: number) =>
    philox([sequence, path, dimension, (SCRAMBLE | subtree) >>> 0], key);
  let scrambled = 0;
  for (let subtree = 0; subtree < SUBTREES; ++subtree) {
    const first = subtree * LEVELS;
    const bits = blockBelow(first === 0 ? 0 : digits >>> (32 - first), subtree);
    let node = 1;
    for (let level = first; level < first + LEVELS; ++level) {
      const digit = (digits >>> (31 - level)) & 1;
      scrambled = 2 * scrambled + (digit ^ ((bits[node >>> 5] >>> (node & 31)) & 1));
      node = 2 * node + digit;
    }
  }
  const rest = 53 - SUBTREES * LEVELS;
  return (scrambled * 2 ** rest + ((blockBelow(digits, SUBTREES)[0] >>> (32 - rest)) | 1)) * 2 ** -53;
}
