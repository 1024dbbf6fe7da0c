// The elements of a part, with their names, as lines in its frame: what a success may ask the fingers to touch.

export type Point = [number, number];

export interface Element {
  name: string; // "" where it has none
  line: Point[];
  normal: Point; // out of the part, in the middle
}

const PER_TURN = 72; // pieces of a whole circle

/** The points of an element from a to b: a straight one, or an arc of a bulge (tan of a quarter of its angle). */
function arc(a: Point, b: Point, bulge: number): Point[] {
  if (bulge === 0) return [a, b];
  const angle = 4 * Math.atan(bulge);
  const pieces = Math.max(2, Math.ceil((Math.abs(angle) / (2 * Math.PI)) * PER_TURN));
  // From the middle of the chord to the centre, along the normal on its left.
  const along = (1 - bulge * bulge) / (4 * bulge);
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const centre: Point = [(a[0] + b[0]) / 2 - along * dy, (a[1] + b[1]) / 2 + along * dx];
  const [rx, ry] = [a[0] - centre[0], a[1] - centre[1]];
  return Array.from({ length: pieces + 1 }, (_, k): Point => {
    const turn = (angle * k) / pieces;
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    return [centre[0] + c * rx - s * ry, centre[1] + s * rx + c * ry];
  });
}

function superellipse(a: number, b: number, exponent: number): Point[] {
  const power = (x: number): number => Math.sign(x) * Math.abs(x) ** (2 / exponent);
  return Array.from({ length: PER_TURN + 1 }, (_, k): Point => {
    const turn = (2 * Math.PI * k) / PER_TURN;
    return [a * power(Math.cos(turn)), b * power(Math.sin(turn))];
  });
}

const areaOf = (line: Point[]): number =>
  line.reduce((sum, [x, y], k) => {
    const [nx, ny] = line[(k + 1) % line.length];
    return sum + (x * ny - nx * y) / 2;
  }, 0);

/** The normal on the right of the middle of a line, or on its left. */
function normalOf(line: Point[], sign: number): Point {
  const k = Math.max(1, Math.floor(line.length / 2));
  const [dx, dy] = [line[k][0] - line[k - 1][0], line[k][1] - line[k - 1][1]];
  const length = Math.hypot(dx, dy) || 1;
  return [(sign * dy) / length, (-sign * dx) / length];
}

function elementsOf(piece: Record<string, any>): Element[] {
  if (!piece.outline_mm) {
    const line = superellipse(piece.semi_axes_mm[0], piece.semi_axes_mm[1], piece.exponent ?? 2);
    return [{ name: piece.name, line, normal: [1, 0] }];
  }
  const starts: number[][] = piece.outline_mm;
  const lines = starts.map(([x, y, bulge = 0], k) => {
    const [nx, ny] = starts[(k + 1) % starts.length];
    return arc([x, y], [nx, ny], bulge);
  });
  const sign = areaOf(lines.flat()) > 0 ? 1 : -1;
  return lines.map((line, k) => ({ name: piece.names?.[k] ?? "", line, normal: normalOf(line, sign) }));
}

/** All elements of the part of a resolved configuration. */
export function partElements(document: Record<string, any>): Element[] {
  return (document.part?.piece ?? []).flatMap((piece: Record<string, any>) => {
    const [c, s] = [Math.cos(piece.angle_rad ?? 0), Math.sin(piece.angle_rad ?? 0)];
    const [x0, y0] = piece.center_mm ?? [0, 0];
    const turn = ([x, y]: Point): Point => [c * x - s * y, s * x + c * y];
    const move = (point: Point): Point => {
      const [x, y] = turn(point);
      return [x + x0, y + y0];
    };
    return elementsOf(piece).map(({ name, line, normal }) => ({ name, line: line.map(move), normal: turn(normal) }));
  });
}

/** The names that a success may ask for: of pieces and elements, each once. */
export function partNames(document: Record<string, any>): string[] {
  const pieces: Record<string, any>[] = document.part?.piece ?? [];
  const names = pieces.flatMap((piece) => (piece.names ?? []).filter(Boolean));
  const own = pieces.filter((piece) => !piece.outline_mm || pieces.length > 1).map((piece) => piece.name);
  return [...new Set<string>([...own, ...names])];
}
