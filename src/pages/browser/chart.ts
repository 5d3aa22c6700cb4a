import type { Pair } from '../shared/requests.js';
import { openRange } from './chart-range.js';
import { find, need } from './elements.js';
import { Plot } from './plot.js';
import { openSources } from './sources.js';

let shown = new AbortController();

/** Lets readers point at the days of the chart, select some of them, compare its sources, and save it. */
export function startChart(): void {
  shown.abort();
  shown = new AbortController();
  const place = need('[data-chart]');
  if (!find('svg, .fixed', place)) return;
  const plot = new Plot(place);
  const handles = need('[data-range]');
  openRange(handles, plot.drawing, (from, to) => plot.limit([from, to]));
  // The centre of a handle, which is 20 pixels wide, is over the end of the plot.
  const right = find('.levels', place)?.getBoundingClientRect().width ?? 0;
  handles.style.marginRight = `${right - 10}px`;
  const details = find<HTMLDetailsElement>('[data-sources]');
  if (details) {
    details.hidden = plot.drawing.rows.length === 0;
    openSources(details, plot, shown.signal);
  }
  offerPng(place, plot.drawing.request);
}

function offerPng(place: HTMLElement, { base, quote }: Pair): void {
  const button = need<HTMLButtonElement>('[data-png]');
  button.hidden = false;
  // Only for readers who save the chart.
  button.addEventListener('click', async () => {
    const { savePng } = await import('./chart-png.js');
    const parts = document.querySelectorAll('#chart-title, [data-readout] > *, [data-range] span:last-child');
    const title = [...parts].map(({ textContent }) => textContent).join(' · ');
    await savePng(place, { title, name: `${base}-${quote}.png` });
  });
}
