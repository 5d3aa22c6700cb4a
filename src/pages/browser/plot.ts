import { chartParts, inputsOf, nameOf, type Readout, readout, whenOf } from '../shared/chart-parts.js';
import type { Figures } from '../shared/figures.js';
import { besideOf, type Drawing, pointsOf, SIZE } from '../shared/line-chart.js';
import { find, need } from './elements.js';
import { formats, say } from './reader.js';

const writing = { formats, say };

/** What is drawn: only the rows of these dates, perhaps beside the line of a source. */
interface View {
  drawing: Drawing;
  range: readonly [from: string, to: string];
  compared?: string | undefined;
}

/** Redraws the chart in its place, and reads out the point that the reader selects. */
export class Plot {
  readonly view: View;
  /** Moves through the points by keyboard. */
  readonly #slider = need<HTMLInputElement>('[data-point]');
  #shown: Pick<ReturnType<typeof chartParts>, 'figures' | 'newest' | 'readout'>;
  #points: ReturnType<typeof pointsOf> = [];
  /** The index of a point; undefined shows the newest rate. */
  #chosen: number | undefined;

  constructor(readonly place: HTMLElement) {
    this.view = { drawing: JSON.parse(place.dataset.chart ?? ''), range: ['', '9999'] };
    this.#shown = this.#draw();
    this.#showChosen();
    // After a tap, browsers make up a movement of a mouse.
    for (const type of ['pointerdown', 'pointermove', 'mousemove'] as const)
      place.addEventListener(type, (event) => this.#point(event));
    place.addEventListener('pointerleave', () => this.#choose(undefined));
    place.addEventListener('click', () => this.#slider.focus({ preventScroll: true }));
    this.#slider.addEventListener('input', () => this.#choose(Number(this.#slider.value)));
  }

  show(change: Partial<View>): void {
    Object.assign(this.view, change);
    // The points of other dates are others.
    if (change.range) this.#chosen = undefined;
    this.#shown = this.#draw();
    this.#showChosen();
  }

  #draw() {
    const { drawing, range, compared } = this.view;
    const [from, to] = range;
    const rows = drawing.rows.filter(({ date }) => date >= from && date <= to);
    const parts = chartParts(drawing, writing, { rows, compared });
    for (const name of ['chart', 'legend', 'extremes'] as const)
      need(`[data-${name}]`).innerHTML = parts[name]?.text ?? '';
    this.#points = pointsOf(parts.figures, drawing.request.scale ?? 'linear');
    // With fewer than two dates there is nothing to move through.
    this.#slider.hidden = this.#points.length < 2;
    this.#slider.max = String(this.#points.length - 1);
    return parts;
  }

  #point({ clientX }: MouseEvent): void {
    const picture = find('.line-chart', this.place);
    if (!picture) return;
    const { left, width } = picture.getBoundingClientRect();
    this.#choose(nearest(this.#points, ((clientX - left) / width) * SIZE.width));
  }

  #choose(at: number | undefined): void {
    if (at === this.#chosen) return;
    this.#chosen = at;
    this.#showChosen();
  }

  #showChosen(): void {
    const { newest, readout: whole } = this.#shown;
    const at = this.#chosen;
    const point = at === undefined ? undefined : this.#points[at];
    find('.crosshair', this.place)?.setAttribute('d', point ? `M${point.x} 0V${SIZE.height}` : '');
    find('.pointed', this.place)?.setAttribute('d', point ? `M${point.x} ${point.y}h0` : '');
    const said = at === undefined ? newest : pointOf(at, this.#shown.figures, this.view);
    const shown = at === undefined ? whole : said && readout(said);
    need('[data-readout]').innerHTML = shown?.text ?? '';
    if (!said) return;
    this.#slider.value = String(at ?? this.#points.length - 1);
    this.#slider.ariaValueText = [`${said.when}: ${said.rate}`, ...said.rest].join(', ');
  }
}

function pointOf(at: number, figures: Figures, { drawing: { request }, compared }: View): Readout {
  const { dates, rates, lows, highs, inputs, lines } = figures;
  const [low, high, date = ''] = [lows[at], highs[at], dates[at]];
  const key = besideOf(request, compared);
  const other = key === undefined ? undefined : lines.get(key)?.[at];
  return {
    rate: formats.shown(rates[at] ?? 0),
    // A line of weeks or months ends with a day.
    when: at === dates.length - 1 ? formats.shortDate(date) : whenOf(date, request.span, writing),
    rest: [
      ...inputsOf(inputs[at], say),
      ...(low && high && low !== high
        ? [say('chart.between', { low: formats.rate(low), high: formats.rate(high) })]
        : []),
      ...(key && other ? [`${nameOf(key, say)} ${formats.shown(other)}`] : []),
    ],
  };
}

function nearest(points: ReturnType<typeof pointsOf>, x: number): number {
  const distances = points.map((point) => Math.abs(point.x - x));
  return distances.indexOf(Math.min(...distances));
}
