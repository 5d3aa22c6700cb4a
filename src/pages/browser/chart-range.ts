import { element } from './elements.js';
import { formats, say } from './reader.js';

/** Two sliders that select the first and the last drawn date. Calls `onChange` with the two dates. */
export class ChartRange {
  readonly #first = this.#slider('chart.from');
  readonly #last = this.#slider('chart.to');
  readonly #ends = [element('span', ''), element('span', '')];
  #dates: readonly string[] = [];
  #nameOf: (date: string) => string = formats.shortDate;

  constructor(
    readonly place: HTMLElement,
    readonly onChange: (from: string, to: string) => void,
  ) {
    place.replaceChildren(this.#first, this.#last, ...this.#ends);
    for (const end of this.#ends) end.dir = 'auto';
  }

  /** Selects all dates again. Two dates leave nothing to select. `nameOf` writes the dates below the sliders. */
  offer(dates: readonly string[], nameOf: (date: string) => string): void {
    this.#dates = dates;
    this.#nameOf = nameOf;
    this.place.hidden = dates.length < 3;
    const last = String(dates.length - 1);
    for (const slider of [this.#first, this.#last]) slider.max = last;
    [this.#first.value, this.#last.value] = ['0', last];
    this.#describe();
  }

  #slider(label: 'chart.from' | 'chart.to'): HTMLInputElement {
    const slider = element('input', '');
    slider.type = 'range';
    slider.min = '0';
    slider.setAttribute('aria-label', say(label));
    slider.addEventListener('input', () => this.#select(slider));
    return slider;
  }

  /** Keeps at least two dates between the sliders. */
  #select(moved: HTMLInputElement): void {
    const [first, last] = [this.#first, this.#last];
    if (moved === first) first.value = String(Math.min(Number(first.value), Number(last.value) - 1));
    else last.value = String(Math.max(Number(last.value), Number(first.value) + 1));
    this.#describe();
    this.onChange(this.#dateOf(first), this.#dateOf(last));
  }

  #describe(): void {
    for (const [at, slider] of [this.#first, this.#last].entries()) {
      const date = this.#dateOf(slider);
      slider.setAttribute('aria-valuetext', formats.date(date));
      this.#ends[at]?.replaceChildren(this.#nameOf(date));
    }
  }

  #dateOf({ value }: HTMLInputElement): string {
    return this.#dates[Number(value)] ?? '';
  }
}
