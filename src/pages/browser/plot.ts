import uPlot from 'uplot';
import { groupOf, type SeriesRequest } from '../shared/requests.js';
import { element, need } from './elements.js';
import { BLEND, type Figures, hasBand, nearestLine, rangeOf } from './figures.js';
import { formats } from './reader.js';

/** A chart that the reader can point at, by mouse, finger or keyboard. */
export interface Plot {
  /** Draws figures in place of those before. Where the reader points, the chart still points afterwards. */
  show(request: SeriesRequest, figures: Figures): void;
  /** Shows or hides the thin lines, as the reader has chosen. */
  showLines(): void;
  stop(): void;
}

const DAY_SECONDS = 86_400;
/** After the times and the edges of the area come the thin lines, and the rates last, above all others. */
const FIRST_LINE = 3;
/** The pointer is at a line that is no farther than this share of the chart's height. */
const REACH = 0.03;

/** A chart in a place of a section, whose readout and legend tell what it shows. */
export function openPlot(section: ParentNode, place: HTMLElement): Plot {
  const readout = need('[data-readout]', section);
  const legend = need('[data-legend]', section);
  const wanted = need<HTMLInputElement>('.key-sources input', legend);
  let shown: { chart: uPlot; request: SeriesRequest; figures: Figures } | undefined;
  /** The point that the reader has chosen; the last one without. */
  let chosen: number | undefined;
  let isPointing = false;

  function say(): void {
    if (!shown) return;
    const { chart, request, figures } = shown;
    const at = chosen ?? figures.dates.length - 1;
    const { rate, date, rest } = describe(figures, at, request, isPointing ? lineAt(chart, at) : undefined);
    readout.replaceChildren(element('strong', rate), ' ', element('span', rest ? `${date} · ${rest}` : date));
    place.setAttribute('aria-valuenow', String(at));
    place.setAttribute('aria-valuetext', `${date}: ${rate}${rest ? `, ${rest}` : ''}`);
  }

  function lineAt(chart: uPlot, at: number): string | undefined {
    const top = chart.cursor.top ?? -1;
    if (!shown || !wanted.checked || top < 0) return undefined;
    const { min = 0, max = 0 } = chart.scales.y ?? {};
    return nearestLine(shown.figures, at, chart.posToVal(top, 'y'), ((max ?? 0) - (min ?? 0)) * REACH);
  }

  function draw(request: SeriesRequest, figures: Figures): void {
    shown?.chart.destroy();
    shown = undefined;
    place.replaceChildren();
    legend.hidden = figures.dates.length < 2;
    if (legend.hidden) {
      readout.replaceChildren();
      place.replaceChildren(emptyNote());
      return;
    }
    const chart = new uPlot(optionsOf(place, figures, choose), alignedData(figures), place);
    shown = { chart, request, figures };
    const point = (event: PointerEvent) => {
      isPointing = true;
      if (event.pointerType !== 'mouse' || event.type === 'pointerdown') follow(chart, event);
    };
    chart.over.addEventListener('pointerdown', point);
    chart.over.addEventListener('pointermove', point);
    chart.over.addEventListener('pointerleave', () => choose(undefined));
    showLines();
    showLegend(legend, request, figures);
    if (chosen !== undefined) moveTo(Math.min(chosen, figures.dates.length - 1));
    say();
  }

  function choose(at: number | undefined): void {
    chosen = at;
    if (at === undefined) isPointing = false;
    say();
  }

  function moveTo(at: number): void {
    if (!shown) return;
    const { chart, figures } = shown;
    const left = chart.valToPos(figures.times[at] ?? 0, 'x');
    chart.setCursor({ left, top: isPointing ? (chart.cursor.top ?? 0) : 10 });
  }

  function showLines(): void {
    const { chart } = shown ?? {};
    chart?.batch(() => {
      for (let index = FIRST_LINE; index < chart.series.length - 1; index++) {
        chart.setSeries(index, { show: wanted.checked });
      }
    });
  }

  const resizes = new ResizeObserver(() => shown?.chart.setSize(sizeOf(place)));
  resizes.observe(place);
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const redraw = () => {
    if (shown) draw(shown.request, shown.figures);
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
    showLines,
    show(request, figures) {
      if (shown?.figures.dates.length !== figures.dates.length) chosen = undefined;
      makeSlider(place, request, figures.dates.length - 1);
      draw(request, figures);
    },
    stop() {
      resizes.disconnect();
      scheme.removeEventListener('change', redraw);
      shown?.chart.destroy();
    },
  };
}

/** The date, the rate and what else is known of one point. */
function describe(
  { dates, rates, lows, highs, counts, lines }: Figures,
  at: number,
  { span, provider }: SeriesRequest,
  nearest: string | undefined,
) {
  const date = dates[at] ?? '';
  const [low, high] = [lows[at], highs[at]];
  const range = low && high && low !== high ? `${formats.rate(low)} to ${formats.rate(high)}` : '';
  const count = counts[at];
  const named = provider === undefined ? nearest : BLEND;
  const compared = named === undefined ? undefined : lines.get(named)?.[at];
  const parts = [
    count ? `${formats.count(count)} ${count === 1 ? 'source' : 'sources'}` : '',
    range,
    named && compared ? `${named === BLEND ? 'blend' : named} ${formats.rate(compared)}` : '',
  ];
  const group = groupOf(span);
  const shown = group === 'month' ? formats.month(date) : formats.date(date);
  return {
    date: group === 'week' ? `Week of ${shown}` : shown,
    rate: formats.rate(rates[at] ?? 0),
    rest: parts.filter((part) => part !== '').join(', '),
  };
}

function emptyNote(): HTMLElement {
  const note = element('p', 'No rates of this pair in this time.');
  note.className = 'empty';
  return note;
}

function alignedData({ times, rates, lows, highs, lines }: Figures): uPlot.AlignedData {
  return [times, lows, highs, ...lines.values(), rates];
}

function sizeOf(place: HTMLElement): { width: number; height: number } {
  return { width: place.clientWidth, height: place.clientHeight };
}

function optionsOf(place: HTMLElement, figures: Figures, choose: (at: number) => void): uPlot.Options {
  const style = getComputedStyle(place);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const font = `12px ${style.fontFamily}`;
  const axis: uPlot.Axis = {
    stroke: color('muted'),
    font,
    grid: { stroke: color('line'), width: 1 },
    ticks: { show: false },
  };
  const hidden: uPlot.Series = { show: true, points: { show: false }, stroke: 'transparent', width: 0 };
  const few = figures.times.length <= 10;
  const source: uPlot.Series = {
    stroke: color('source'),
    width: 0.8,
    points: { show: false },
  };
  return {
    ...sizeOf(place),
    padding: [12, 22, 0, 0],
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
        space: 70,
        size: 30,
        values: (_chart, times, _axis, _space, step) => datesOf(times, step),
      },
      {
        ...axis,
        size: (_chart, values) => 14 + 7.2 * Math.max(4, ...(values ?? []).map((value) => value.length)),
        values: (_chart, values) => values.map((value) => formats.rate(value)),
      },
    ],
    series: [
      {},
      hidden,
      hidden,
      ...[...figures.lines.keys()].map(() => source),
      {
        stroke: color('accent'),
        width: 2,
        spanGaps: true,
        points: { show: few, size: 6, fill: color('accent') },
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

function datesOf(times: readonly number[], step: number): string[] {
  const write =
    step >= 360 * DAY_SECONDS
      ? (date: string) => date.slice(0, 4)
      : step >= 27 * DAY_SECONDS
        ? formats.month
        : formats.day;
  return times.map((time) => write(new Date(time * 1000).toISOString().slice(0, 10)));
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
  place.setAttribute('aria-label', `${base} to ${quote}: arrow keys move through the dates`);
  place.setAttribute('aria-valuemin', '0');
  place.setAttribute('aria-valuemax', String(last));
}

function showLegend(legend: HTMLElement, { span }: SeriesRequest, figures: Figures): void {
  const group = groupOf(span);
  const band = need('.key-band', legend);
  band.textContent = group ? `Lowest and highest of the ${group}` : 'Spread of the sources';
  band.hidden = !hasBand(figures);
}
