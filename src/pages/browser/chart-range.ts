import { html } from '../shared/html.js';
import { periodOf } from '../shared/requests.js';
import { drawnOf } from '../shared/rows.js';
import { need } from './elements.js';
import type { Drawing } from './plot.js';
import { formats, say } from './reader.js';

/** Two sliders that select the first and the last drawn date. Calls `onChange` with the two dates. */
export function openRange(place: HTMLElement, onChange: (from: string, to: string) => void) {
  const slider = (label: string) => html`<input type="range" min="0" aria-label="${label}">`;
  place.innerHTML =
    html`${slider(say('chart.from'))}${slider(say('chart.to'))}<span dir="auto"></span><span dir="auto"></span>`.text;
  const [first, last] = [...place.querySelectorAll('input')] as [HTMLInputElement, HTMLInputElement];
  let dates: readonly string[] = [];
  let nameOf = formats.shortDate;

  function describe(): [from: string, to: string] {
    const [from = '', to = ''] = [first, last].map(({ value }) => dates[Number(value)]);
    place.style.setProperty('--from', String(Number(first.value) / (dates.length - 1)));
    place.style.setProperty('--to', String(Number(last.value) / (dates.length - 1)));
    first.ariaValueText = formats.date(from);
    last.ariaValueText = formats.date(to);
    need('span', place).textContent = nameOf(from);
    need('span + span', place).textContent = nameOf(to);
    return [from, to];
  }

  place.addEventListener('input', ({ target }) => {
    // At least two dates stay between the sliders.
    if (target === first) first.value = String(Math.min(Number(first.value), Number(last.value) - 1));
    else last.value = String(Math.max(Number(last.value), Number(first.value) + 1));
    onChange(...describe());
  });

  /** Selects all dates again. Two dates leave nothing to select. */
  return ({ request, rows }: Drawing): void => {
    dates = drawnOf(rows).map(({ date }) => date);
    nameOf = periodOf(request.span) === 'month' ? formats.month : formats.shortDate;
    const end = dates.length - 1;
    place.hidden = end < 2;
    first.max = last.max = String(end);
    [first.value, last.value] = ['0', String(end)];
    describe();
  };
}
