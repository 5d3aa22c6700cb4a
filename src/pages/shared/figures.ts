import type { RateRow, RowSource } from './rows.js';

/** What a chart shows: a line, the band around it, and lines to compare it with. */
export interface Figures {
  dates: string[];
  rates: number[];
  lows: (number | null)[];
  highs: (number | null)[];
  /** What the blend was made from, if known. */
  inputs: (Inputs | undefined)[];
  /** By the key of a source, or `BLEND` for the blend beside a source. */
  lines: Map<string, (number | null)[]>;
}

/** The sources behind a rate, as `expand=quality` counts them. */
interface Inputs {
  sources: number;
  /** How many of them were left out as outliers. */
  excluded: number;
}

/** The key of the line of all sources beside that of one. */
export const BLEND = 'Blend';

/** The band of a day is between these quantiles of its sources. */
const [LOWER, UPPER] = [0.1, 0.9];

/** The margin above the highest and below the lowest rate, as a share of the range between them. */
const MARGIN = 0.08;
/** How far the scale extends beyond a line for the lines around it, as a share of the line's range. */
const FARTHEST = 0.4;

type Line = readonly (number | null)[];

/** The figures of rows, oldest first, and of the blend of all where the rows are those of one source. */
export function figuresOf(rows: readonly RateRow[], blend: readonly RateRow[]): Figures {
  const figures: Figures = {
    dates: rows.map(({ date }) => date),
    rates: rows.map(({ rate }) => rate),
    lows: [],
    highs: [],
    inputs: rows.map(({ providers }) => providers && inputsOf(providers)),
    lines: new Map(),
  };
  rows.forEach(({ date, stats, providers = [] }, at) => {
    const [low, high] = stats ? [stats.low, stats.high] : bandOf(providers);
    figures.lows.push(low);
    figures.highs.push(high);
    for (const source of providers) {
      // A rate that is carried from an earlier day is part of the blend, but not a rate of this day.
      if (source.date === date) lineOf(figures, source.key)[at] = source.rate;
    }
  });
  const positions = new Map(figures.dates.map((date, at) => [date, at]));
  for (const { date, rate } of blend) {
    const at = positions.get(date);
    if (at !== undefined) lineOf(figures, BLEND)[at] = rate;
  }
  return figures;
}

function inputsOf(providers: readonly RowSource[]): Inputs {
  const known = providers.filter(({ suspect }) => !suspect);
  return { sources: known.length, excluded: known.filter(({ excluded }) => excluded).length };
}

/** Whether a source is part of the blend of its row. */
export function isCounted({ excluded, suspect }: RowSource): boolean {
  return !excluded && !suspect;
}

function bandOf(providers: readonly RowSource[]): [low: number | null, high: number | null] {
  const rates = providers.filter(isCounted).map(({ rate }) => rate);
  if (rates.length === 0) return [null, null];
  rates.sort((one, other) => one - other);
  return [quantileOf(rates, LOWER), quantileOf(rates, UPPER)];
}

/** A quantile of sorted values, interpolated between two of them. */
export function quantileOf(sorted: readonly number[], share: number): number {
  const position = share * (sorted.length - 1);
  const below = Math.floor(position);
  const [low = Number.NaN, high = low] = sorted.slice(below, below + 2);
  return low + (high - low) * (position - below);
}

function lineOf({ lines, dates }: Figures, key: string): (number | null)[] {
  let line = lines.get(key);
  if (!line) {
    line = dates.map(() => null);
    lines.set(key, line);
  }
  return line;
}

/** Whether there is a visible band. */
export function hasBand({ lows, highs }: Figures): boolean {
  return lows.some((low, at) => low !== highs[at]);
}

/**
 * The lowest and highest rate of the scale, with some margin but not below zero. It fits the line: a wide band around it is
 * cut off, as it would flatten the line. The line of a source does not change it: it comes and goes.
 */
export function rangeOf({ rates, lows, highs, lines }: Figures): [low: number, high: number] {
  const [low, high] = extentOf([rates]);
  const farthest = (high - low) * FARTHEST;
  const [lowest, highest] = extentOf([[low, high], lows, highs, lines.get(BLEND) ?? []]);
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
