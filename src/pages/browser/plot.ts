import { extremes, legend, nameOf, plot, type Readout, readout } from '../shared/chart-parts.js';
import { chartTexts, shortNote, whenOf } from '../shared/chart-texts.js';
import { type Figures, figuresOf } from '../shared/figures.js';
import type { Html } from '../shared/html.js';
import { besideOf, type Mark, pointsOf, SIZE } from '../shared/line-chart.js';
import { periodOf, type SeriesRequest } from '../shared/requests.js';
import type { RateRow } from '../shared/rows.js';
import { find, need } from './elements.js';
import { formats, say } from './reader.js';

const writing = { formats, say };

export interface Drawing {
  request: SeriesRequest;
  rows: readonly RateRow[];
  /** The blend of the same days, where the rows are those of one source. */
  blend: readonly RateRow[];
}

type Shown = ReturnType<typeof shownOf>;

export class Plot {
  #shown: Shown | undefined;
  /** The index of a point; undefined shows the newest rate. */
  #chosen: number | undefined;
  #compared: string | undefined;
  /** The first and the last date to draw; undefined draws all. */
  #range: readonly [from: string, to: string] | undefined;
  readonly #marks: readonly Mark[];
  readonly #hasEnded: boolean;

  constructor(
    readonly section: ParentNode,
    readonly place: HTMLElement,
  ) {
    this.#marks = JSON.parse(place.dataset.marks ?? '[]');
    this.#hasEnded = place.dataset.ended !== undefined;
    // After a tap, browsers make up a movement of a mouse.
    for (const type of ['pointerdown', 'pointermove', 'mousemove'] as const)
      place.addEventListener(type, (event) => this.#point(event));
    place.addEventListener('pointerleave', () => this.#choose(undefined));
    place.addEventListener('keydown', (event) => {
      const move = KEYS[event.key];
      if (!move || !this.#shown?.texts) return;
      event.preventDefault();
      const last = this.#shown.points.length - 1;
      this.#choose(Math.min(last, Math.max(0, move(this.#chosen ?? last, last))));
    });
  }

  /** The chart still points at the same point if there are as many rows. */
  show(drawing: Drawing): void {
    const [from, to] = this.#range ?? ['', '9999'];
    const rows = drawing.rows.filter(({ date }) => date >= from && date <= to);
    if (this.#shown?.rows.length !== rows.length) this.#chosen = undefined;
    this.#shown = shownOf(drawing, rows);
    const { request, texts, points } = this.#shown;
    need('[data-extremes]', this.section).hidden = !texts;
    this.#put('[data-extremes]', texts && extremes(texts, writing));
    const { start = '' } = this.place.dataset;
    const note = this.#range ? '' : shortNote(rows, { request, start, hasEnded: this.#hasEnded }, writing);
    need('[data-short]', this.section).textContent = note;
    makeSlider(this.place, request, points.length - 1);
    this.compare(this.#compared);
  }

  /** Draws only the rows of these dates, until the next call. Without dates, all of the next drawing. */
  limit(range?: readonly [from: string, to: string]): void {
    this.#range = range;
    if (range && this.#shown) this.show(this.#shown.drawing);
  }

  compare(key: string | undefined): void {
    this.#compared = key;
    if (!this.#shown) return;
    const { request, figures, texts } = this.#shown;
    const { fixed: fixedSince } = this.place.dataset;
    const chart = { request, figures, marks: this.#marks, compared: key, fixedSince };
    this.#put('[data-chart]', plot(chart, writing));
    this.#put('[data-legend]', texts && legend(chart, writing));
    this.#showChosen(this.#shown);
  }

  #put(part: string, content: Html | undefined): void {
    need(part, this.section).innerHTML = content?.text ?? '';
  }

  #point({ clientX }: MouseEvent): void {
    const picture = find('.line-chart', this.place);
    if (!this.#shown || !picture) return;
    const { left, width } = picture.getBoundingClientRect();
    this.#choose(nearest(this.#shown.points, ((clientX - left) / width) * SIZE.width));
  }

  #choose(at: number | undefined): void {
    if (at === this.#chosen || !this.#shown) return;
    this.#chosen = at;
    this.#showChosen(this.#shown);
  }

  #showChosen(shown: Shown): void {
    const { points } = shown;
    const at = this.#chosen;
    const point = points[at ?? points.length];
    find('.crosshair', this.place)?.setAttribute('d', point ? `M${point.x} 0V${SIZE.height}` : '');
    find('.pointed', this.place)?.setAttribute('d', point ? `M${point.x} ${point.y}h0` : '');
    const said = at === undefined ? newestOf(shown) : pointOf(shown, at, this.#compared);
    this.#put('[data-readout]', said && readout({ ...said, hasEnded: this.#hasEnded }, say));
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
  return { drawing, request, rows, figures, points, texts: chartTexts(rows, request, writing) };
}

/** The newest rate is that of a day, also where weeks or months are drawn. */
function newestOf({ request, texts, figures: { inputs } }: Shown): Readout | undefined {
  const rest = periodOf(request.span) === 'day' ? inputsOf(inputs.at(-1)) : [];
  return texts && { ...texts.newest, ...texts, rest };
}

function pointOf({ request, figures }: Shown, at: number, compared: string | undefined): Readout {
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
