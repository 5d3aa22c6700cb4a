import { type Html, html } from './html.js';
import { gapsIn } from './shared/gaps.js';
import type { Group } from './shared/requests.js';
import type { DatedRate, RateRow } from './shared/rows.js';
import { scaleOf } from './shared/scale.js';

const WIDTH = 720;
const HEIGHT = 260;

/** The contents of a picture of rates. */
interface Picture {
  rows: readonly RateRow[];
  group: Group | undefined;
  label: string;
  /** Writes the rates at the upper and lower edge. */
  write: (rate: number) => string;
}

/**
 * A line of rates over the days, as a picture for readers without script, within the band of the lowest and highest rates
 * of weeks or months. Undefined without rows.
 */
export function lineChart({ rows, group, label, write }: Picture): Html | undefined {
  const [first] = rows;
  const last = rows.at(-1);
  if (!first || !last) return undefined;
  const lows = rows.map(({ rate, stats }) => stats?.low ?? rate);
  const highs = rows.map(({ rate, stats }) => stats?.high ?? rate);
  const rates = rows.map(({ rate }) => rate);
  const scale = scaleOf(rates, [lows, highs]);
  const place = placeIn(scale, { from: first.date, to: last.date }, { width: WIDTH, height: HEIGHT });
  const edge = (values: readonly number[]) =>
    rows.map(({ date }, at) => place({ date, rate: values[at] ?? 0 }));
  const runs = runsOf(rows, group);
  const line = pathOf(runs, edge(rates));
  const [low, high] = [edge(lows), edge(highs)];
  const band = group && runs.map((run) => `${areaOf(slice(low, run), slice(high, run))}`).join('');
  return html`<svg class="line-chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">${
    band && html`<path class="band" d="${band}"/>`
  }<path d="${line}"/></svg><span class="edge edge-high">${write(scale[1])}</span><span class="edge edge-low">${write(scale[0])}</span>`;
}

const SPARK_WIDTH = 96;
const SPARK_HEIGHT = 24;
/** Keeps the line from being cut at the edges. */
const SPARK_MARGIN = 2;

/** Only the line, small enough for a row of a table. Undefined for fewer than two rates. */
export function sparkline(rows: readonly DatedRate[]): Html | undefined {
  const [first] = rows;
  const last = rows.at(-1);
  if (!first || !last || first === last) return undefined;
  let [low, high] = [first.rate, first.rate];
  for (const { rate } of rows) {
    low = Math.min(low, rate);
    high = Math.max(high, rate);
  }
  const room = ((high - low || 1) * SPARK_MARGIN) / (SPARK_HEIGHT - 2 * SPARK_MARGIN);
  const days = { from: first.date, to: last.date };
  const place = placeIn([low - room, high + room], days, { width: SPARK_WIDTH, height: SPARK_HEIGHT });
  const path = pathOf(runsOf(rows, undefined), rows.map(place));
  return html`<svg class="sparkline" viewBox="0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><path d="${path}"/></svg>`;
}

/** Places rates in a picture: the first day at the left, the last at the right, the lowest rate at the bottom. */
function placeIn(
  [low, high]: readonly [low: number, high: number],
  { from, to }: { from: string; to: string },
  { width, height }: { width: number; height: number },
): (rate: DatedRate) => string {
  const start = Date.parse(from);
  const length = Date.parse(to) - start;
  return ({ date, rate }) => {
    // A single day is in the middle.
    const x = length === 0 ? width / 2 : ((Date.parse(date) - start) / length) * width;
    return `${x.toFixed(1)} ${(height - ((rate - low) / (high - low)) * height).toFixed(1)}`;
  };
}

interface Run {
  from: number;
  /** Not included. */
  to: number;
}

/** The parts of a line, which is broken where there are no rates. */
function runsOf(rows: readonly { date: string }[], group: Group | undefined): Run[] {
  const dates = rows.map(({ date }) => date);
  const starts = [0, ...gapsIn(dates, group)];
  return starts.map((from, at) => ({ from, to: starts[at + 1] ?? rows.length }));
}

function slice<T>(points: readonly T[], { from, to }: Run): readonly T[] {
  return points.slice(from, to);
}

/** A single point is a line without length. */
function pathOf(runs: readonly Run[], points: readonly string[]): string {
  return runs
    .map((run) => slice(points, run))
    .map((run) => `M${run.join('L')}${run.length === 1 ? 'h0' : ''}`)
    .join('');
}

function areaOf(lower: readonly string[], upper: readonly string[]): string {
  return `M${[...lower, ...upper.toReversed()].join('L')}Z`;
}
