import { dayNumber } from '../../../core/domain/dates.js';
import { BLEND, type Figures, hasBand, rangeOf } from './figures.js';
import type { Formats } from './format.js';
import { type Html, html } from './html.js';
import { type Period, periodOf, type Scale, type SeriesRequest } from './requests.js';
import type { DatedRate, RateRow } from './rows.js';
import { alongOf, levelsOf, ticksOf } from './ticks.js';

/** In its own units. The style stretches it, and keeps the width of its lines. */
export const SIZE = { width: 720, height: 260 };

/** An event on a day, such as a redenomination: a vertical line below its month or year, and a text in the legend. */
export interface Mark {
  date: string;
  text: string;
}

/** What a chart is made from. */
export interface Drawing {
  request: SeriesRequest;
  rows: readonly RateRow[];
  /** The blend of the same days, where the rows are those of one source. */
  blend: readonly RateRow[];
  marks: readonly Mark[];
  /** Whether newer days have no rates, which a note then says. */
  hasEnded: boolean;
  /** The first day of a peg or a conversion by law between the two currencies. */
  fixedSince?: string | undefined;
}

export interface Chart extends Pick<Drawing, 'request' | 'marks' | 'fixedSince'> {
  figures: Figures;
  compared?: string | undefined;
}

type Place = ReturnType<typeof placeIn>;

/** The style leaves some dates out on small screens. */
const MOST_DATES = 8;
/** Up to this many rates, each has a dot. */
const FEW = 10;

/** A line continues across these: a rate counts for 14 days, and two weeks or months may be missing. */
const BRIDGED_DAYS = { day: 14, week: 21, month: 93 } as const;
/** For providers that publish seldom, a line also continues across this many usual steps. */
const USUAL_STEPS = 3;

/** There is at least one rate. The script moves the crosshair. The label is for readers who do not see the chart. */
export function lineChart(
  { request, figures, marks, compared }: Chart,
  label: string,
  formats: Formats,
): Html {
  const { scale = 'linear' } = request;
  const period = periodOf(request.span);
  const { dates, rates, lows, highs, lines } = figures;
  const range = rangeOf(figures, scale);
  const place = placeOf(figures, scale);
  const runs = (line: readonly (number | null)[]) => runsOf(knownOf(dates, line), period);
  const own = runs(rates);
  const area = hasBand(figures, scale) && areaOf(runs(lows), runs(highs), place);
  const beside = linesOf(runs(lines.get(besideOf(request, compared) ?? '') ?? []), place);
  const all = own.flat();
  const dotted = all.length <= FEW ? all.map((rate) => [rate]) : own.filter(({ length }) => length === 1);
  const last = all.at(-1) ?? { date: '', rate: 0 };
  const chip = { text: formats.shown(last.rate), ...place(last) };
  const levels = levelsOf(range, formats, scale).map((one) => ({ ...one, y: place({ ...last, ...one }).y }));
  const marked = marksWithin(marks, dates).map(({ date }) => ({ date, x: place({ date, rate: 0 }).x }));
  const nameOf = period === 'month' ? formats.year : formats.month;
  return html`${levelAxis(levels, chip)}<svg class="line-chart" viewBox="0 0 ${SIZE.width} ${SIZE.height}" preserveAspectRatio="none" role="img" aria-label="${label}"><path class="grid" d="${levels.map(({ y }) => `M0 ${y.toFixed(1)}H${SIZE.width}`)}"/><path class="band${period !== 'day' && ' spread'}" d="${area}"/><path class="compared" d="${beside}"/><path class="line" d="${linesOf(own, place)}"/><path class="dots" d="${linesOf(dotted, place)}"/><path class="last" d="M${chip.x.toFixed(1)} ${chip.y.toFixed(1)}h0"/><path class="mark" d="${marked.map(({ x }) => `M${x.toFixed(1)} 0V${SIZE.height}`)}"/><path class="crosshair" d=""/><path class="pointed" d=""/></svg><svg class="axis marks" aria-hidden="true">${marked.map(({ date, x }) => axisText(nameOf(date), x, -5))}</svg>${dateAxis(dates, place, formats)}`;
}

/** The line of a source beside the blend, or the blend beside that of a source. */
export function besideOf({ provider }: SeriesRequest, compared: string | undefined): string | undefined {
  return provider === undefined ? compared : BLEND;
}

export function pointsOf(figures: Figures, scale: Scale) {
  return knownOf(figures.dates, figures.rates).map(placeOf(figures, scale));
}

/** What lies beyond the range, such as a wide band, is placed at its end. */
function placeOf(figures: Figures, scale: Scale): Place {
  const { dates } = figures;
  const [low, high] = rangeOf(figures, scale);
  const along = alongOf(scale);
  const place = placeIn([along(low), along(high)], { from: dates[0] ?? '', to: dates.at(-1) ?? '' }, SIZE);
  return ({ date, rate }) => place({ date, rate: along(Math.min(high, Math.max(low, rate))) });
}

/** A mark on the first day would have no line before it. */
export function marksWithin(marks: readonly Mark[], dates: readonly string[]): Mark[] {
  const [first = '', last = first] = [dates[0], dates.at(-1)];
  return marks.filter(({ date }) => date > first && date <= last);
}

type Label = Readonly<{ y: number; text: string }>;

/** Half the height of the chip and of a text together, in the units of a chart on a small screen. */
const CHIP_ROOM = 21;

/** As wide as its longest text. A level that the chip of the newest rate would touch has none. */
export function levelAxis(levels: readonly Label[], chip: Label): Html {
  const texts = [...levels.filter((level) => Math.abs(level.y - chip.y) >= CHIP_ROOM), chip];
  // A bold digit takes up to 8.4 pixels, a separator half of it.
  const widthOf = ({ text }: Label) => 9 + 7.6 * text.length;
  const at = ({ y }: Label, x: number) => html`x="${x}" y="${percent(y / SIZE.height)}"`;
  return html`<svg class="axis levels" width="${8 + Math.max(40, ...texts.map(widthOf))}" aria-hidden="true"><rect ${at(chip, 8)} width="${widthOf(chip)}"/>${texts.map(
    (one) => html`<text ${at(one, one === chip ? 8 + widthOf(one) / 2 : 14)}>${one.text}</text>`,
  )}</svg>`;
}

export function dateAxis(dates: readonly string[], place: Place, formats: Formats): Html {
  const ticks = ticksOf(dates, MOST_DATES);
  const texts = ticks.dates.map((date) =>
    axisText(formats[ticks.unit](date), place({ date, rate: 0 }).x, 16),
  );
  return html`<svg class="axis dates" aria-hidden="true">${texts}</svg>`;
}

function axisText(text: string, x: number, y: number): Html {
  const share = x / SIZE.width;
  const half = HALF_LETTER * text.length;
  const look =
    share > LAST_SHARE ? 'last' : share * WIDE < half ? 'first' : share * NARROW < half && 'first-small';
  return html`<text x="${percent(share)}" y="${y}"${look && html` class="${look}"`}>${text}</text>`;
}

/** A date that would leave a plot of these widths to the left begins at its place; one further to the right ends there. */
const [HALF_LETTER, NARROW, WIDE, LAST_SHARE] = [3.3, 300, 900, 0.97];

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

const SPARK_SIZE = { width: 96, height: 24 };
/** Keeps the line from being cut at the edges. */
const SPARK_MARGIN = 2;

/** Small enough for a row of a table, perhaps with a suspect and what was expected. Undefined for fewer than two rates. */
export function sparkline(
  rows: readonly DatedRate[],
  marked?: DatedRate & { expected: number },
): Html | undefined {
  const [first] = rows;
  const last = rows.at(-1);
  if (!first || !last || first === last) return undefined;
  const expected = marked && { date: marked.date, rate: marked.expected };
  const rates = [...rows, ...(expected ? [expected] : [])].map(({ rate }) => rate);
  const [low, high] = [Math.min(...rates), Math.max(...rates)];
  const { width, height } = SPARK_SIZE;
  const room = ((high - low || 1) * SPARK_MARGIN) / (height - 2 * SPARK_MARGIN);
  const place = placeIn([low - room, high + room], { from: first.date, to: last.date }, SPARK_SIZE);
  const path = linesOf(runsOf(rows, 'day'), place);
  const dotOf = (look: string, at: DatedRate) => html`<path class="${look}" d="${linesOf([[at]], place)}"/>`;
  const mark = expected && html`${dotOf('expected', expected)}${dotOf('suspect', marked)}`;
  return html`<svg class="sparkline" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true"><path d="${path}"/>${mark}</svg>`;
}

/** The first day is at the left, the last at the right, the lowest rate at the bottom. */
export function placeIn(
  [low, high]: readonly [low: number, high: number],
  { from, to }: { from: string; to: string },
  { width, height }: typeof SIZE,
) {
  const start = Date.parse(from);
  const length = Date.parse(to) - start;
  return ({ date, rate }: DatedRate) => ({
    // A single day is in the middle.
    x: length === 0 ? width / 2 : ((Date.parse(date) - start) / length) * width,
    y: height - ((rate - low) / (high - low)) * height,
  });
}

function knownOf(dates: readonly string[], line: readonly (number | null)[]): DatedRate[] {
  return dates.flatMap((date, at) => {
    const rate = line[at];
    return typeof rate === 'number' ? [{ date, rate }] : [];
  });
}

type Run = readonly DatedRate[];

/** A line is broken where there are no rates. */
export function runsOf(rates: Run, period: Period): Run[] {
  const dates = rates.map(({ date }) => date);
  const starts = [0, ...gapsIn(dates, period)];
  return starts.map((from, at) => rates.slice(from, starts[at + 1])).filter(({ length }) => length > 0);
}

/** A single rate is a line without length. */
export function linesOf(runs: readonly Run[], place: Place): string {
  return runs.map((run) => `M${pathOf(run, place)}${run.length === 1 ? 'h0' : ''}`).join('');
}

/** The indices of the sorted dates before which a line is broken. */
export function gapsIn(dates: readonly string[], period: Period): number[] {
  const days = dates.map(dayNumber);
  const steps = days.slice(1).map((day, at) => day - (days[at] ?? day));
  const usual = steps.toSorted((one, other) => one - other)[Math.floor((steps.length - 1) / 2)] ?? 0;
  const longest = Math.max(BRIDGED_DAYS[period], USUAL_STEPS * usual);
  return steps.flatMap((step, at) => (step > longest ? [at + 1] : []));
}

/** The area between two lines of the same days. */
function areaOf(lower: readonly Run[], upper: readonly Run[], place: Place): string {
  return lower
    .map((run, at) => `M${pathOf(run, place)}L${pathOf((upper[at] ?? []).toReversed(), place)}Z`)
    .join('');
}

function pathOf(run: Run, place: Place): string {
  return run
    .map(place)
    .map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('L');
}
