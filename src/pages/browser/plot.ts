import uPlot from 'uplot';
import { gapsIn } from '../shared/gaps.js';
import { type Group, groupOf, type SeriesRequest } from '../shared/requests.js';
import type { RateRow } from '../shared/rows.js';
import { whenOf, wordsOf } from '../shared/words.js';
import { element, need } from './elements.js';
import { BLEND, type Figures, figuresOf, hasBand, rangeOf } from './figures.js';
import { formats, messages } from './reader.js';
import { decimalsOf, ticksOf } from './ticks.js';

const say = messages.chart;
const writing = { formats, messages };

/** What is drawn. */
export interface Drawing {
  request: SeriesRequest;
  rows: readonly RateRow[];
  /** The blend of the same days, where the rows are those of one source. */
  blend: readonly RateRow[];
}

/** A drawing as a chart, and its figures. */
interface Shown {
  chart: uPlot;
  drawing: Drawing;
  figures: Figures;
}

/** A chart in a place of a section, with a readout and a legend. The reader can point at it by mouse, finger or keyboard. */
export class Plot {
  readonly #readout: HTMLElement;
  readonly #legend: HTMLElement;
  readonly #stopped = new AbortController();
  #shown: Shown | undefined;
  /** The index of the point that the reader points at; undefined shows the newest rate. */
  #chosen: number | undefined;
  #isPointing = false;
  /** The key of the source whose line is drawn beside the blend. */
  #compared: string | undefined;

  constructor(
    readonly section: ParentNode,
    readonly place: HTMLElement,
  ) {
    this.#readout = need('[data-readout]', section);
    this.#legend = need('[data-legend]', section);
    const { signal } = this.#stopped;
    const resizes = new ResizeObserver(() => this.#shown?.chart.setSize(sizeOf(place)));
    resizes.observe(place);
    signal.addEventListener('abort', () => resizes.disconnect());
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', () => this.#shown && this.#draw(this.#shown.drawing), { signal });
    place.addEventListener('keydown', (event) => {
      const move = KEYS[event.key];
      if (!move || !this.#shown) return;
      event.preventDefault();
      this.#isPointing = false;
      const last = this.#shown.figures.dates.length - 1;
      this.#moveTo(this.#shown, Math.min(last, Math.max(0, move(this.#chosen ?? last, last))));
    });
  }

  /** Draws rows in place of those before. The chart still points at the same point if there are as many rows. */
  show(drawing: Drawing): void {
    const { request, rows } = drawing;
    if (this.#shown?.figures.dates.length !== rows.length) this.#chosen = undefined;
    showExtremes(this.section, drawing);
    makeSlider(this.place, request, rows.length - 1);
    this.#draw(drawing);
  }

  /** Draws the line of a source, if it has one, beside the blend. */
  compare(key: string | undefined): void {
    this.#compared = key;
    if (!this.#shown) return;
    const { chart, drawing, figures } = this.#shown;
    chart.setData(alignedData(figures, key), false);
    chart.redraw();
    showLegend(this.#legend, drawing.request, figures, key);
    this.#showReadout();
  }

  stop(): void {
    this.#stopped.abort();
    this.#shown?.chart.destroy();
  }

  #draw(drawing: Drawing): void {
    const figures = figuresOf(drawing.rows, drawing.blend);
    this.#shown?.chart.destroy();
    this.#shown = undefined;
    this.#legend.hidden = figures.dates.length === 0;
    if (this.#legend.hidden) {
      this.#readout.replaceChildren();
      this.place.replaceChildren(emptyNote());
      return;
    }
    this.place.replaceChildren();
    const options = optionsOf(this.place, drawing.request, figures, (at) => this.#choose(at));
    const chart = new uPlot(options, alignedData(figures, this.#compared), this.place);
    this.#shown = { chart, drawing, figures };
    this.#followPointer(chart);
    showLegend(this.#legend, drawing.request, figures, this.#compared);
    if (this.#chosen !== undefined)
      this.#moveTo(this.#shown, Math.min(this.#chosen, figures.dates.length - 1));
    this.#showReadout();
  }

  /** A finger or a pen shows what a mouse shows by hovering. */
  #followPointer(chart: uPlot): void {
    const { over } = chart;
    const point = ({ type, pointerType, clientX, clientY }: PointerEvent) => {
      this.#isPointing = true;
      if (pointerType === 'mouse' && type !== 'pointerdown') return;
      const { left, top } = over.getBoundingClientRect();
      chart.setCursor({ left: clientX - left, top: clientY - top });
    };
    over.addEventListener('pointerdown', point);
    over.addEventListener('pointermove', point);
    over.addEventListener('pointerleave', () => this.#choose(undefined));
  }

  #choose(at: number | undefined): void {
    this.#chosen = at;
    if (at === undefined) this.#isPointing = false;
    this.#showReadout();
  }

  #moveTo({ chart, figures }: Shown, at: number): void {
    const left = chart.valToPos(figures.times[at] ?? 0, 'x');
    chart.setCursor({ left, top: this.#isPointing ? (chart.cursor.top ?? 0) : 10 });
  }

  #showReadout(): void {
    if (!this.#shown) return;
    const { drawing, figures } = this.#shown;
    const isNewest = this.#chosen === undefined;
    const at = this.#chosen ?? figures.dates.length - 1;
    const { rate, when, change, rest } = isNewest
      ? newestOf(drawing, figures)
      : pointOf(drawing, figures, at, this.#compared);
    const parts = [element('strong', rate), ...(change ? [change] : [])];
    const text = [when, ...rest].join(' · ');
    this.#readout.replaceChildren(...parts.flatMap((part) => [part, ' ']), element('span', text));
    this.place.setAttribute('aria-valuenow', String(at));
    this.place.setAttribute('aria-valuetext', [`${when}: ${rate}`, ...rest].join(', '));
  }
}

/** The text of the readout. */
interface Readout {
  rate: string;
  when: string;
  change?: HTMLElement;
  rest: string[];
}

/** The newest rate, which is that of a day also where weeks or months are drawn, and the change up to it. */
function newestOf({ request, rows }: Drawing, { inputs }: Figures): Readout {
  const words = wordsOf(rows, request, writing);
  const { newest = { rate: '', when: '' }, direction = 'same' } = words ?? {};
  const change = element('span', words?.change ?? '', direction);
  return { ...newest, change, rest: groupOf(request.span) ? [] : inputsOf(inputs.at(-1)) };
}

/** The day, week or month of a point, its rate and its other figures. */
function pointOf({ request }: Drawing, figures: Figures, at: number, compared: string | undefined): Readout {
  const { dates, rates, lows, highs, inputs, lines } = figures;
  const [low, high] = [lows[at], highs[at]];
  const key = lineOf(request, compared);
  const other = key === undefined ? undefined : lines.get(key)?.[at];
  return {
    rate: formats.shown(rates[at] ?? 0),
    when: whenOf(dates[at] ?? '', request.span, writing),
    rest: [
      ...inputsOf(inputs[at]),
      ...(low && high && low !== high ? [say.between(formats.rate(low), formats.rate(high))] : []),
      ...(key && other ? [`${nameOf(key)} ${formats.shown(other)}`] : []),
    ],
  };
}

function inputsOf(inputs: Figures['inputs'][number]): string[] {
  if (!inputs) return [];
  const { sources, excluded } = inputs;
  const leftOut = excluded > 0 ? `, ${say.leftOut(formats.count(excluded))}` : '';
  return [`${say.sources(formats.count(sources))}${leftOut}`];
}

/** The line that is drawn beside the main one: that of a source beside the blend, or the blend beside that of a source. */
function lineOf({ provider }: SeriesRequest, compared: string | undefined): string | undefined {
  return provider === undefined ? compared : BLEND;
}

function nameOf(key: string): string {
  return key === BLEND ? say.blend : key;
}

function showExtremes(section: ParentNode, { request, rows }: Drawing): void {
  const words = wordsOf(rows, request, writing);
  need('[data-extremes]', section).hidden = !words;
  for (const name of ['low', 'high'] as const) {
    const { rate = '', when = '' } = words?.[name] ?? {};
    need(`[data-${name}]`, section).replaceChildren(rate, ' ', element('small', when));
  }
}

function emptyNote(): HTMLElement {
  const note = element('p', say.empty, 'empty');
  note.dir = 'auto';
  return note;
}

/** The lines from back to front. */
function alignedData({ times, rates, lows, highs, lines }: Figures, compared = BLEND): uPlot.AlignedData {
  return [times, lows, highs, lines.get(compared) ?? times.map(() => null), rates];
}

function sizeOf(place: HTMLElement): { width: number; height: number } {
  return { width: place.clientWidth, height: place.clientHeight };
}

/** The width of a date below the chart, in pixels, and how many dates to show. */
const DATE_WIDTH = 95;
const [FEWEST_DATES, MOST_DATES] = [3, 12];

/** A custom property of the style. */
type Color = (name: string) => string;

function optionsOf(
  place: HTMLElement,
  { span }: SeriesRequest,
  figures: Figures,
  choose: (at: number) => void,
): uPlot.Options {
  const style = getComputedStyle(place);
  const color: Color = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    ...sizeOf(place),
    padding: [12, 36, 0, 0],
    legend: { show: false },
    tzDate: (time) => uPlot.tzDate(new Date(time * 1000), 'Etc/UTC'),
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: {
        size: (chart, index) => (index === chart.series.length - 1 ? 9 : 0),
        fill: color('accent'),
        stroke: color('card'),
      },
    },
    scales: { y: { range: rangeOf(figures) } },
    axes: axesOf(place, style.fontFamily, figures, color),
    series: seriesOf(figures, groupOf(span), color),
    bands: [{ series: [2, 1], fill: color('band') }],
    hooks: {
      setCursor: [
        (chart) => {
          const at = chart.cursor.idx;
          if (typeof at === 'number') choose(at);
        },
      ],
    },
  };
}

function axesOf(place: HTMLElement, fontFamily: string, { dates }: Figures, color: Color): uPlot.Axis[] {
  const axis: uPlot.Axis = {
    stroke: color('muted'),
    font: `12px ${fontFamily}`,
    grid: { stroke: color('line'), width: 1 },
    ticks: { show: false },
  };
  const ticks = () => {
    const most = Math.floor(place.clientWidth / DATE_WIDTH);
    return ticksOf(dates, Math.min(MOST_DATES, Math.max(FEWEST_DATES, most)));
  };
  return [
    {
      ...axis,
      grid: { show: false },
      size: 30,
      splits: () => ticks().dates.map((date) => Date.parse(date) / 1000),
      values() {
        const { dates: shown, unit } = ticks();
        return shown.map(formats[unit]);
      },
    },
    {
      ...axis,
      size: (_chart, values) => 14 + 7.2 * Math.max(4, ...(values ?? []).map((value) => value.length)),
      values: (_chart, values, _axis, _space, step) => {
        const decimals = decimalsOf(step);
        return values.map((value) => formats.decimal(value.toFixed(decimals)));
      },
    },
  ];
}

function seriesOf(figures: Figures, group: Group | undefined, color: Color): uPlot.Series[] {
  const broken: uPlot.Series = { points: { show: false }, gaps: gapsFor(figures, group) };
  const edge: uPlot.Series = { ...broken, stroke: 'transparent', width: 0 };
  const dots = { show: true, filter: dottedIn(figures, group), size: 6, fill: color('accent') };
  return [
    {},
    edge,
    edge,
    { ...broken, stroke: color('info'), width: 1.5 },
    { ...broken, stroke: color('accent'), width: 2, points: dots },
  ];
}

/** The gaps of a line. A single day or week without a rate does not break it. */
function gapsFor(figures: Figures, group: Group | undefined): uPlot.Series.GapsRefiner {
  return (chart, index) => {
    const rates = chart.data[index] ?? [];
    const isKnown = (_: unknown, at: number) => typeof rates[at] === 'number';
    const times = figures.times.filter(isKnown);
    const dates = figures.dates.filter(isKnown);
    const pixelOf = (at: number) => Math.round(chart.valToPos(times[at] ?? 0, 'x', true));
    return gapsIn(dates, group).map((at) => [pixelOf(at - 1), pixelOf(at)]);
  };
}

const FEW = 10;

/** The points to draw as dots: all if there are few, otherwise those without a line to another point. */
function dottedIn({ dates }: Figures, group: Group | undefined): number[] {
  const starts = [0, ...gapsIn(dates, group), dates.length];
  return [...dates.keys()].filter(
    (at) => dates.length <= FEW || (starts.includes(at) && starts.includes(at + 1)),
  );
}

const KEYS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  PageDown: (at, last) => at - Math.ceil(last / 10),
  PageUp: (at, last) => at + Math.ceil(last / 10),
  Home: () => 0,
  End: (_at, last) => last,
};

function makeSlider(place: HTMLElement, { base, quote }: SeriesRequest, last: number): void {
  place.tabIndex = 0;
  place.setAttribute('role', 'slider');
  place.setAttribute('aria-label', say.slider(base, quote));
  place.setAttribute('aria-valuemin', '0');
  place.setAttribute('aria-valuemax', String(last));
}

const BANDS = { day: say.percentiles, week: say.weekRange, month: say.monthRange };

function showLegend(
  legend: HTMLElement,
  request: SeriesRequest,
  figures: Figures,
  compared: string | undefined,
): void {
  const band = need('.key-band', legend);
  band.textContent = BANDS[groupOf(request.span) ?? 'day'];
  band.hidden = !hasBand(figures);
  const line = need('.key-compared', legend);
  const key = lineOf(request, compared);
  line.textContent = nameOf(key ?? '');
  line.hidden = key === undefined || !figures.lines.has(key);
}
