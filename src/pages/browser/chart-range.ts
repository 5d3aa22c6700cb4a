import { html } from '../shared/html.js';
import { periodOf } from '../shared/requests.js';
import { drawnOf } from '../shared/rows.js';
import { need } from './elements.js';
import type { Drawing } from './plot.js';
import { formats, say } from './reader.js';

/** Two sliders that select the first and the last drawn date. Calls `onChange` with the two dates. */
export class ChartRange {
  readonly #first: HTMLInputElement;
  readonly #last: HTMLInputElement;
  #dates: readonly string[] = [];
  #nameOf = formats.shortDate;

  constructor(
    readonly place: HTMLElement,
    readonly onChange: (from: string, to: string) => void,
  ) {
    const slider = (label: string) => html`<input type="range" min="0" aria-label="${label}">`;
    place.innerHTML =
      html`${slider(say('chart.from'))}${slider(say('chart.to'))}<span dir="auto"></span><span dir="auto"></span>`.text;
    this.#first = need('input', place);
    this.#last = need('input + input', place);
    place.addEventListener('input', ({ target }) => this.#select(target === this.#first));
  }

  /** Selects all dates again. Two dates leave nothing to select. */
  offer({ request, rows }: Drawing): void {
    this.#dates = drawnOf(rows).map(({ date }) => date);
    this.#nameOf = periodOf(request.span) === 'month' ? formats.month : formats.shortDate;
    const last = this.#dates.length - 1;
    this.place.hidden = last < 2;
    this.#first.max = this.#last.max = String(last);
    [this.#first.value, this.#last.value] = ['0', String(last)];
    this.#describe();
  }

  /** Keeps at least two dates between the sliders. */
  #select(isFirst: boolean): void {
    const [first, last] = [this.#first, this.#last];
    if (isFirst) first.value = String(Math.min(Number(first.value), Number(last.value) - 1));
    else last.value = String(Math.max(Number(last.value), Number(first.value) + 1));
    this.onChange(...this.#describe());
  }

  #describe(): [from: string, to: string] {
    const [from = '', to = ''] = [this.#first, this.#last].map(({ value }) => this.#dates[Number(value)]);
    this.place.style.setProperty('--from', String(Number(this.#first.value) / (this.#dates.length - 1)));
    this.place.style.setProperty('--to', String(Number(this.#last.value) / (this.#dates.length - 1)));
    this.#first.ariaValueText = formats.date(from);
    this.#last.ariaValueText = formats.date(to);
    need('span', this.place).textContent = this.#nameOf(from);
    need('span + span', this.place).textContent = this.#nameOf(to);
    return [from, to];
  }
}
