import type { RateRow } from '../shared/rows.js';

/** What a chart shows: a line, the area between the lowest and the highest around it, and thin lines to compare it with. */
export interface Figures {
  dates: string[];
  /** Seconds since 1970, as uPlot takes them. */
  times: number[];
  rates: number[];
  lows: (number | null)[];
  highs: (number | null)[];
  /** How many sources stand behind each rate, where that is known. */
  counts: (number | undefined)[];
  /** By the key of a source, or by the name that the blend has beside one. */
  lines: Map<string, (number | null)[]>;
}

/** What the line of all sources is called beside that of one. */
export const BLEND = 'Blend';

/** Room above the highest and below the lowest figure, as a share of what lies between. */
const MARGIN = 0.08;
/** How far beyond the rates a source's line is followed, as a share of what lies between their lowest and highest. */
const FARTHEST_LINE = 0.4;

/** The figures of rows, oldest first, and of the blend of all where the rows are those of one source. */
export function figuresOf(rows: readonly RateRow[], blend: readonly RateRow[]): Figures {
  const figures: Figures = {
    dates: rows.map(({ date }) => date),
    times: rows.map(({ date }) => Date.parse(date) / 1000),
    rates: rows.map(({ rate }) => rate),
    lows: [],
    highs: [],
    counts: [],
    lines: new Map(),
  };
  rows.forEach(({ date, stats, providers }, at) => {
    // A rate that is carried forward from an earlier day says nothing about this one.
    const counted = providers?.filter((one) => one.date === date && !one.excluded && !one.suspect);
    const rates = counted?.map(({ rate }) => rate) ?? [];
    figures.counts.push(counted?.length);
    figures.lows.push(stats?.low ?? (rates.length > 0 ? Math.min(...rates) : null));
    figures.highs.push(stats?.high ?? (rates.length > 0 ? Math.max(...rates) : null));
    for (const { key, rate } of counted ?? []) lineOf(figures, key)[at] = rate;
  });
  const positions = new Map(figures.dates.map((date, at) => [date, at]));
  for (const { date, rate } of blend) {
    const at = positions.get(date);
    if (at !== undefined) lineOf(figures, BLEND)[at] = rate;
  }
  return figures;
}

function lineOf({ lines, dates }: Figures, key: string): (number | null)[] {
  let line = lines.get(key);
  if (!line) {
    line = dates.map(() => null);
    lines.set(key, line);
  }
  return line;
}

/** Whether there is an area between the lowest and the highest to be seen. */
export function hasBand({ lows, highs }: Figures): boolean {
  return lows.some((low, at) => low !== highs[at]);
}

/** From the lowest to the highest figure, with some room. A source that is far from all others does not flatten them. */
export function rangeOf({ rates, lows, highs, lines }: Figures): [low: number, high: number] {
  const [low, high] = extentOf([rates, lows, highs]);
  const farthest = (high - low) * FARTHEST_LINE;
  const [lowest, highest] = extentOf([[low, high], ...lines.values()]);
  const from = Math.max(lowest, low - farthest);
  const to = Math.min(highest, high + farthest);
  const room = (to - from || to * 0.01) * MARGIN;
  return [from - room, to + room];
}

function extentOf(lists: Iterable<readonly (number | null)[]>): [low: number, high: number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const list of lists) {
    for (const rate of list) {
      if (rate === null) continue;
      low = Math.min(low, rate);
      high = Math.max(high, rate);
    }
  }
  return [low, high];
}

/** The source whose line is nearest to a rate at one point, no farther than `reach`. */
export function nearestLine({ lines }: Figures, at: number, rate: number, reach: number): string | undefined {
  let nearest: string | undefined;
  let distance = reach;
  for (const [key, line] of lines) {
    const own = line[at] ?? Number.POSITIVE_INFINITY;
    if (Math.abs(own - rate) > distance) continue;
    distance = Math.abs(own - rate);
    nearest = key;
  }
  return nearest;
}
