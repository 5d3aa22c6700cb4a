/** The margin above the highest and below the lowest figure, as a share of the range between them. */
const MARGIN = 0.08;
/** How far the scale extends beyond a line for the lines around it, as a share of the line's range. */
const FARTHEST = 0.4;

type Line = readonly (number | null)[];

/**
 * Returns the lowest and highest figure of a chart, with some margin but not below zero. The scale fits the line: a wide
 * band around it is cut off, as it would flatten the line.
 */
export function scaleOf(line: Line, around: readonly Line[]): [low: number, high: number] {
  const [low, high] = extentOf([line]);
  const farthest = (high - low) * FARTHEST;
  const [lowest, highest] = extentOf([[low, high], ...around]);
  const from = Math.max(lowest, low - farthest);
  const to = Math.min(highest, high + farthest);
  const room = (to - from || to * 0.01) * MARGIN;
  return [Math.max(0, from - room), to + room];
}

function extentOf(lines: readonly Line[]): [low: number, high: number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const line of lines) {
    for (const rate of line) {
      if (rate === null) continue;
      low = Math.min(low, rate);
      high = Math.max(high, rate);
    }
  }
  return [low, high];
}
