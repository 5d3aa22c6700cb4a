import { html } from '../shared/html.js';
import type { Drawing } from '../shared/line-chart.js';
import { periodOf } from '../shared/requests.js';
import { drawnOf } from '../shared/rows.js';
import { need } from './elements.js';
import { formats, say } from './reader.js';

/** Two sliders that select the first and the last drawn date. Calls `onChange` with the two dates. */
export function openRange(
  place: HTMLElement,
  { request, rows }: Drawing,
  onChange: (from: string, to: string) => void,
): void {
  const dates = drawnOf(rows).map(({ date }) => date);
  const end = dates.length - 1;
  // Two dates leave nothing to select.
  if (end < 2) return;
  const slider = (label: string, value: number) =>
    html`<input type="range" min="0" max="${end}" value="${value}" aria-label="${label}">`;
  place.innerHTML =
    html`${slider(say('chart.from'), 0)}${slider(say('chart.to'), end)}<span dir="auto"></span><span dir="auto"></span>`.text;
  place.hidden = false;
  const [first, last] = [...place.querySelectorAll('input')] as [HTMLInputElement, HTMLInputElement];
  const nameOf = periodOf(request.span) === 'month' ? formats.month : formats.shortDate;

  function describe(): [from: string, to: string] {
    const [from = '', to = ''] = [first, last].map(({ value }) => dates[Number(value)]);
    place.style.setProperty('--from', String(Number(first.value) / end));
    place.style.setProperty('--to', String(Number(last.value) / end));
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
  describe();
}
