import uPlot from 'uplot';
import { gapsIn } from '../shared/gaps.js';
import { type Group, groupOf, type SeriesRequest } from '../shared/requests.js';
import type { RateRow } from '../shared/rows.js';
import { whenOf, wordsOf } from '../shared/words.js';
import { element, need } from './elements.js';
import { BLEND, type Figures, figuresOf, hasBand, rangeOf } from './figures.js';
import { formats, messages } from './reader.js';
import { decimalsOf, type Ticks, ticksOf } from './ticks.js';

const say = messages.chart;
const writing = { formats, messages };

/** What is drawn. */
export interface Drawing {
  request: SeriesRequest;
  rows: readonly RateRow[];
  /** The blend of the same days, where the rows are those of one source. */
  blend: readonly RateRow[];
}

/** A chart that the reader can point at, by mouse, finger or keyboard. */
export interface Plot {
  /** Draws rows in place of those before. Where the reader points, the chart still points afterwards. */
  show(drawing: Drawing): void;
  /** Draws the line of a source beside the blend, where it has one; none where undefined. */
  compare(key: string | undefined): void;
  stop(): void;
}

/** A chart in a place of a section, whose readout and legend tell what it shows. */
export function openPlot(section: ParentNode, place: HTMLElement): Plot {
  const readout = need('[data-readout]', section);
  const legend = need('[data-legend]', section);
  let shown: { chart: uPlot; drawing: Drawing; figures: Figures } | undefined;
  /** The point that the reader has chosen; the newest rate is told without. */
  let chosen: number | undefined;
  let isPointing = false;
  let compared: string | undefined;

  function tell(): void {
    if (!shown) return;
    const { drawing, figures } = shown;
    const at = chosen ?? figures.dates.length - 1;
    const words = chosen === undefined ? newestOf(drawing, figures) : pointOf(drawing, figures, at, compared);
    const { rate, when, change, rest } = words;
    const parts = [element('strong', rate), ...(change ? [change] : [])];
    const told = [when, ...rest].join(' · ');
    readout.replaceChildren(...parts.flatMap((part) => [part, ' ']), element('span', told));
    place.setAttribute('aria-valuenow', String(at));
    place.setAttribute('aria-valuetext', [`${when}: ${rate}`, ...rest].join(', '));
  }

  function draw(drawing: Drawing): void {
    const figures = figuresOf(drawing.rows, drawing.blend);
    shown?.chart.destroy();
    shown = undefined;
    legend.hidden = figures.dates.length === 0;
    if (legend.hidden) {
      readout.replaceChildren();
      place.replaceChildren(emptyNote());
      return;
    }
    place.replaceChildren();
    const options = optionsOf(place, drawing.request, figures, choose);
    const chart = new uPlot(options, alignedData(figures, compared), place);
    shown = { chart, drawing, figures };
    const point = (event: PointerEvent) => {
      isPointing = true;
      if (event.pointerType !== 'mouse' || event.type === 'pointerdown') follow(chart, event);
    };
    chart.over.addEventListener('pointerdown', point);
    chart.over.addEventListener('pointermove', point);
    chart.over.addEventListener('pointerleave', () => choose(undefined));
    showLegend(legend, drawing.request, figures, compared);
    if (chosen !== undefined) moveTo(Math.min(chosen, figures.dates.length - 1));
    tell();
  }

  function choose(at: number | undefined): void {
    chosen = at;
    if (at === undefined) isPointing = false;
    tell();
  }

  function moveTo(at: number): void {
    if (!shown) return;
    const { chart, figures } = shown;
    const left = chart.valToPos(figures.times[at] ?? 0, 'x');
    chart.setCursor({ left, top: isPointing ? (chart.cursor.top ?? 0) : 10 });
  }

  const resizes = new ResizeObserver(() => shown?.chart.setSize(sizeOf(place)));
  resizes.observe(place);
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const redraw = () => {
    if (shown) draw(shown.drawing);
  };
  scheme.addEventListener('change', redraw);
  place.addEventListener('keydown', (event) => {
    const move = KEYS[event.key];
    if (!move || !shown) return;
    event.preventDefault();
    isPointing = false;
    const last = shown.figures.dates.length - 1;
    moveTo(Math.min(last, Math.max(0, move(chosen ?? last, last))));
  });

  return {
    show(drawing) {
      const { request, rows } = drawing;
      if (shown?.figures.dates.length !== rows.length) chosen = undefined;
      showExtremes(section, drawing);
      makeSlider(place, request, rows.length - 1);
      draw(drawing);
    },
    compare(key) {
      compared = key;
      if (!shown) return;
      const { chart, drawing, figures } = shown;
      chart.setData(alignedData(figures, compared), false);
      chart.redraw();
      showLegend(legend, drawing.request, figures, compared);
      tell();
    },
    stop() {
      resizes.disconnect();
      scheme.removeEventListener('change', redraw);
      shown?.chart.destroy();
    },
  };
}

/** What the readout says of a rate. */
interface Told {
  rate: string;
  when: string;
  change?: HTMLElement;
  rest: string[];
}

/** The newest rate, which is that of a day also where weeks or months are drawn, and the change up to it. */
function newestOf({ request, rows }: Drawing, { inputs }: Figures): Told {
  const words = wordsOf(rows, request, writing);
  const { newest = { rate: '', when: '' }, direction = 'same' } = words ?? {};
  const change = element('span', words?.change ?? '');
  change.className = direction;
  return { ...newest, change, rest: groupOf(request.span) ? [] : inputsOf(inputs.at(-1)) };
}

/** The day, week or month of a point, its rate and what else is known of it. */
function pointOf({ request }: Drawing, figures: Figures, at: number, compared: string | undefined): Told {
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
  const note = element('p', say.empty);
  note.className = 'empty';
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

/** Room for a date below the chart, and how many of them are enough. */
const DATE_WIDTH = 95;
const [FEWEST_DATES, MOST_DATES] = [3, 12];

function optionsOf(
  place: HTMLElement,
  { span }: SeriesRequest,
  figures: Figures,
  choose: (at: number) => void,
): uPlot.Options {
  const style = getComputedStyle(place);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const axis: uPlot.Axis = {
    stroke: color('muted'),
    font: `12px ${style.fontFamily}`,
    grid: { stroke: color('line'), width: 1 },
    ticks: { show: false },
  };
  const broken: uPlot.Series = { points: { show: false }, gaps: gapsFor(figures, groupOf(span)) };
  const edge: uPlot.Series = { ...broken, stroke: 'transparent', width: 0 };
  const ticks = () => {
    const most = Math.floor(place.clientWidth / DATE_WIDTH);
    return ticksOf(figures.dates, Math.min(MOST_DATES, Math.max(FEWEST_DATES, most)));
  };
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
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 30,
        splits: () => ticks().dates.map((date) => Date.parse(date) / 1000),
        values: () => labelsOf(ticks()),
      },
      {
        ...axis,
        size: (_chart, values) => 14 + 7.2 * Math.max(4, ...(values ?? []).map((value) => value.length)),
        values: (_chart, values, _axis, _space, step) => {
          const decimals = decimalsOf(step);
          return values.map((value) => formats.decimal(value.toFixed(decimals)));
        },
      },
    ],
    series: [
      {},
      edge,
      edge,
      { ...broken, stroke: color('info'), width: 1.5 },
      {
        ...broken,
        stroke: color('accent'),
        width: 2,
        points: { show: true, filter: dottedIn(figures, groupOf(span)), size: 6, fill: color('accent') },
      },
    ],
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

function labelsOf({ dates, unit }: Ticks): string[] {
  return dates.map(formats[unit]);
}

/** Where a line is broken. Single days or weeks without a rate of their own don't break it. */
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

/** The points that are drawn as dots: all of few, else those that no line leads to. */
function dottedIn({ dates }: Figures, group: Group | undefined): number[] {
  const starts = [0, ...gapsIn(dates, group), dates.length];
  return [...dates.keys()].filter(
    (at) => dates.length <= FEW || (starts.includes(at) && starts.includes(at + 1)),
  );
}

/** A finger or a pen shows what a mouse does by hovering. */
function follow(chart: uPlot, event: PointerEvent): void {
  const { left, top } = chart.over.getBoundingClientRect();
  chart.setCursor({ left: event.clientX - left, top: event.clientY - top });
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
