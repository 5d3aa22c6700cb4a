import { addDays } from '../../../core/domain/dates.js';
import type { Scale } from './requests.js';
import { drawnOf, type RateRow, type RowSource } from './rows.js';
import { alongOf, isWide, stepsAround } from './ticks.js';

export type Figures = ReturnType<typeof figuresOf>;

/** The key of the line of all sources beside that of one. */
export const BLEND = 'Blend';

const [LOWER, UPPER] = [0.1, 0.9];
const BAND_DAYS = 3;
/** About three pixels, as a share of the height of a chart. */
const LEAST_BAND = 0.011;

/** Of a wide logarithmic scale, as a share of the range between the highest and the lowest rate. */
const MARGIN = 0.08;
/** How far the scale extends beyond a line for the lines around it, as a share of the line's range. */
const FARTHEST = 0.4;
/** The same on a logarithmic scale, as a factor. */
const FARTHEST_FACTOR = 1.5;

/** Rates that differ by less, as a share, are the same but for rounding: the line is flat. */
const ROUNDING = 1e-9;

type Line = readonly (number | null)[];

/** For rows with the oldest first; `blend` is that of all where the rows are those of one source. */
export function figuresOf(rows: readonly RateRow[], blend: readonly RateRow[]) {
  const drawn = drawnOf(rows);
  const bands = drawn.map(({ date, stats, providers = [] }) =>
    stats ? [stats.low, stats.high] : bandOf(providers, date),
  );
  const positions = new Map(drawn.map(({ date }, at) => [date, at]));
  // The last week or month is drawn on its last day with a rate.
  const lastRow = rows.findLast(({ stats }) => stats?.first !== null);
  if (lastRow) positions.set(lastRow.date, drawn.length - 1);
  const lines = new Map<string, (number | null)[]>();
  const add = (key: string, at: number, rate: number) => {
    const line = lines.get(key) ?? drawn.map(() => null);
    line[at] = rate;
    lines.set(key, line);
  };
  drawn.forEach(({ providers = [] }, at) => {
    for (const { key, date, rate } of providers) {
      // A rate that is carried from an earlier day is part of the blend, but not a rate of this day.
      if (positions.get(date) === at) add(key, at, rate);
    }
  });
  for (const { date, rate, stats } of blend) {
    const at = positions.get(date);
    // The line that it is compared with begins and ends with the rates of two days.
    const end = at === drawn.length - 1 ? stats?.last : at === 0 ? stats?.first : undefined;
    if (at !== undefined) add(BLEND, at, end ?? rate);
  }
  return {
    dates: drawn.map(({ date }) => date),
    rates: drawn.map(({ rate }) => rate),
    lows: bands.map(([low = null]) => low),
    highs: bands.map(([, high = null]) => high),
    /** Undefined if unknown. */
    inputs: drawn.map(({ providers }) => providers && inputsOf(providers)),
    /** By the key of a source, or `BLEND`. */
    lines,
  };
}

/** As `expand=quality` counts them. */
function inputsOf(providers: readonly RowSource[]) {
  const known = providers.filter(({ suspect }) => !suspect);
  return { sources: known.length, excluded: known.filter(({ excluded }) => excluded).length };
}

function isCounted({ excluded, suspect }: RowSource): boolean {
  return !excluded && !suspect;
}

/** Of the rates of the day and of up to three days before. Older rates are part of the blend, but not of the band. */
function bandOf(providers: readonly RowSource[], date: string): number[] {
  const oldest = addDays(date, -BAND_DAYS);
  const current = providers.filter((source) => isCounted(source) && source.date >= oldest);
  const rates = current.map(({ rate }) => rate);
  return rates.length === 0 ? [] : [quantileOf(rates, LOWER), quantileOf(rates, UPPER)];
}

/** Interpolated between two of the values. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const position = share * (sorted.length - 1);
  const below = Math.floor(position);
  const [low = Number.NaN, high = low] = sorted.slice(below, below + 2);
  return low + (high - low) * (position - below);
}

/** Whether all rates of two days or more are the same. */
export function isFlat({ dates, rates, lows, highs }: Figures): boolean {
  const [low, high] = extentOf(rates, lows, highs);
  return dates.length > 1 && high - low <= high * ROUNDING;
}

/** Whether some of the band is high enough to be seen. */
export function hasBand(figures: Figures, scale: Scale): boolean {
  const along = alongOf(scale);
  const heightOf = (low: number | null, high: number | null = null) => along(high ?? 1) - along(low ?? 1);
  const heights = figures.lows.map((low, at) => heightOf(low, figures.highs[at]));
  return quantileOf(heights, UPPER) > heightOf(...rangeOf(figures, scale)) * LEAST_BAND;
}

/** Between two levels. A wide band is cut off: it would flatten the line. Lines of sources are ignored. */
export function rangeOf({ rates, lows, highs, lines }: Figures, scale: Scale): [low: number, high: number] {
  const [low, high] = extentOf(rates);
  const farthest = (high - low) * FARTHEST;
  const [lowest, highest] = extentOf([low, high], lows, highs, lines.get(BLEND) ?? []);
  const isLog = scale === 'log';
  const from = Math.max(lowest, isLog ? low / FARTHEST_FACTOR : low - farthest);
  const to = Math.min(highest, isLog ? high * FARTHEST_FACTOR : high + farthest);
  if (isWide(from, to, scale)) {
    const factor = (to / from) ** MARGIN;
    return [from / factor, to * factor];
  }
  const room = to - from <= to * ROUNDING ? to * 0.01 : 0;
  const steps = stepsAround(from - room, to + room);
  // A logarithmic scale has no zero.
  return [steps[0] || (isLog ? from : 0), steps.at(-1) ?? to];
}

function extentOf(...lines: readonly Line[]): [low: number, high: number] {
  const known = lines.flat().filter((rate) => rate !== null);
  return [Math.min(...known), Math.max(...known)];
}

export type DeviationOfSource = ReturnType<typeof deviationsOf>[number];

/** Sorted by distance from the blend. */
export function deviationsOf(rows: readonly RateRow[]) {
  const byKey = new Map<string, { shares: number[]; leftOut: number }>();
  for (const { date, rate, providers = [] } of rows) {
    for (const source of providers) {
      if (source.date !== date) continue;
      const known = byKey.get(source.key) ?? { shares: [], leftOut: 0 };
      byKey.set(source.key, known);
      known.shares.push(Math.abs(source.rate / rate - 1));
      if (!isCounted(source)) known.leftOut++;
    }
  }
  return [...byKey]
    .map(([key, { shares, leftOut }]) => ({
      key,
      /** The median distance from the blend, as a share of the blend. */
      deviation: quantileOf(shares, 0.5),
      /** Rows with a rate of that day, not one carried from an earlier day. */
      count: shares.length,
      /** Rows in which the source was left out of the blend, or held back. */
      leftOut,
    }))
    .sort((one, other) => one.deviation - other.deviation);
}
