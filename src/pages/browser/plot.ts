import { extremes, legend, nameOf, plot, type Readout, readout } from '../shared/chart-parts.js';
import { type ChartTexts, chartTexts, shortNote, whenOf } from '../shared/chart-texts.js';
import { type Figures, figuresOf } from '../shared/figures.js';
import { type Html, html } from '../shared/html.js';
import { besideOf, type Drawing, pointsOf, SIZE } from '../shared/line-chart.js';
import { periodOf, type SeriesRequest } from '../shared/requests.js';
import type { RateRow } from '../shared/rows.js';
import { find, need } from './elements.js';
import { formats, say } from './reader.js';

const writing = { formats, say };

type Shown = ReturnType<typeof shownOf>;

/** Redraws the chart in its place, and reads out the point that the reader selects. */
export class Plot {
  drawing: Drawing;
  #shown: Shown;
  /** The index of a point; undefined shows the newest rate. */
  #chosen: number | undefined;
  #compared: string | undefined;
  /** The first and the last date to draw; undefined draws all. */
  #range: readonly [from: string, to: string] | undefined;

  constructor(readonly place: HTMLElement) {
    this.drawing = JSON.parse(place.dataset.chart ?? '');
    this.#shown = shownOf(this.drawing, this.drawing.rows);
    this.show(this.drawing);
    // After a tap, browsers make up a movement of a mouse.
    for (const type of ['pointerdown', 'pointermove', 'mousemove'] as const)
      place.addEventListener(type, (event) => this.#point(event));
    place.addEventListener('pointerleave', () => this.#choose(undefined));
    place.addEventListener('keydown', (event) => {
      const move = KEYS[event.key];
      if (!move || !this.#shown.texts) return;
      event.preventDefault();
      const last = this.#shown.points.length - 1;
      this.#choose(Math.min(last, Math.max(0, move(this.#chosen ?? last, last))));
    });
  }

  /** The chart still points at the same point if there are as many rows. */
  show(drawing: Drawing): void {
    this.drawing = drawing;
    const [from, to] = this.#range ?? ['', '9999'];
    const rows = drawing.rows.filter(({ date }) => date >= from && date <= to);
    if (this.#shown.rows.length !== rows.length) this.#chosen = undefined;
    this.#shown = shownOf(drawing, rows);
    const { texts, points } = this.#shown;
    this.#put('[data-extremes]', texts && extremes(texts, writing));
    this.#put('[data-short]', html`${this.#range ? '' : shortNote(drawing, writing)}`);
    makeSlider(this.place, drawing.request, points.length - 1);
    this.compare(this.#compared);
  }

  /** Draws only the rows of these dates. */
  limit(range: readonly [from: string, to: string]): void {
    this.#range = range;
    this.show(this.drawing);
  }

  compare(key: string | undefined): void {
    this.#compared = key;
    const { figures, texts } = this.#shown;
    const chart = { ...this.drawing, figures, compared: key };
    this.#put('[data-chart]', plot(chart, writing));
    this.#put('[data-legend]', texts && legend(chart, writing));
    this.#showChosen();
  }

  #put(part: string, content: Html | undefined): void {
    need(part).innerHTML = content?.text ?? '';
  }

  #point({ clientX }: MouseEvent): void {
    const picture = find('.line-chart', this.place);
    if (!picture) return;
    const { left, width } = picture.getBoundingClientRect();
    this.#choose(nearest(this.#shown.points, ((clientX - left) / width) * SIZE.width));
  }

  #choose(at: number | undefined): void {
    if (at === this.#chosen) return;
    this.#chosen = at;
    this.#showChosen();
  }

  #showChosen(): void {
    const { request, hasEnded } = this.drawing;
    const { figures, points, texts } = this.#shown;
    const at = this.#chosen;
    const point = points[at ?? points.length];
    find('.crosshair', this.place)?.setAttribute('d', point ? `M${point.x} 0V${SIZE.height}` : '');
    find('.pointed', this.place)?.setAttribute('d', point ? `M${point.x} ${point.y}h0` : '');
    const said =
      at === undefined
        ? texts && newestOf(request, texts, figures)
        : pointOf(request, figures, at, this.#compared);
    this.#put('[data-readout]', said && readout(said, hasEnded, say));
    if (!said) return;
    this.place.setAttribute('aria-valuenow', String(at ?? points.length - 1));
    this.place.setAttribute('aria-valuetext', [`${said.when}: ${said.rate}`, ...said.rest].join(', '));
  }
}

/** `rows` are those that are drawn. Without any, there are no texts. */
function shownOf(drawing: Drawing, rows: readonly RateRow[]) {
  const { request, blend } = drawing;
  const figures = figuresOf(rows, blend);
  const points = pointsOf(figures, request.scale ?? 'linear');
  return { rows, figures, points, texts: chartTexts(rows, request, writing) };
}

/** The newest rate is that of a day, also where weeks or months are drawn. */
function newestOf({ span }: SeriesRequest, texts: ChartTexts, { inputs }: Figures): Readout {
  const rest = periodOf(span) === 'day' ? inputsOf(inputs.at(-1)) : [];
  return { ...texts.newest, ...texts, rest };
}

function pointOf(
  request: SeriesRequest,
  figures: Figures,
  at: number,
  compared: string | undefined,
): Readout {
  const { dates, rates, lows, highs, inputs, lines } = figures;
  const [low, high, date = ''] = [lows[at], highs[at], dates[at]];
  const key = besideOf(request, compared);
  const other = key === undefined ? undefined : lines.get(key)?.[at];
  return {
    rate: formats.shown(rates[at] ?? 0),
    // A line of weeks or months ends with a day.
    when: at === dates.length - 1 ? formats.shortDate(date) : whenOf(date, request.span, writing),
    rest: [
      ...inputsOf(inputs[at]),
      ...(low && high && low !== high
        ? [say('chart.between', { low: formats.rate(low), high: formats.rate(high) })]
        : []),
      ...(key && other ? [`${nameOf(key, say)} ${formats.shown(other)}`] : []),
    ],
  };
}

function inputsOf(inputs: Figures['inputs'][number]): string[] {
  if (!inputs) return [];
  const { sources, excluded } = inputs;
  const leftOut = excluded > 0 ? `, ${say('chart.leftOut', { count: excluded })}` : '';
  return [`${say('chart.sources', { count: sources })}${leftOut}`];
}

function nearest(points: Shown['points'], x: number): number {
  const distances = points.map((point) => Math.abs(point.x - x));
  return distances.indexOf(Math.min(...distances));
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
  // With fewer than two dates there is nothing to move through.
  place.tabIndex = last > 0 ? 0 : -1;
  place.ariaDisabled = String(last < 1);
  place.setAttribute('role', 'slider');
  place.setAttribute('aria-label', say('chart.slider', { base, quote }));
  place.setAttribute('aria-valuemin', '0');
  place.setAttribute('aria-valuemax', String(Math.max(0, last)));
}
