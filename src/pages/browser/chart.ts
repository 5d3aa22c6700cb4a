import { html } from '../shared/html.js';
import { sparkline } from '../shared/line-chart.js';
import type { Pair } from '../shared/requests.js';
import { drawnOf } from '../shared/rows.js';
import { alongOf } from '../shared/ticks.js';
import { find, need } from './elements.js';
import { showAddress, takeParts } from './parts.js';
import { Plot } from './plot.js';
import { formats, say } from './reader.js';
import { openSources } from './sources.js';

let shown = new AbortController();

/** Lets readers point at the days of the chart, select some of them, compare its sources, and save it. */
function startChart(): void {
  shown.abort();
  shown = new AbortController();
  const place = need('[data-chart]');
  if (!find('svg, .fixed', place)) return;
  const plot = new Plot(place);
  const handles = need('[data-range]');
  openRange(handles, plot);
  handles.style.marginRight = `${find('.levels', place)?.getBoundingClientRect().width ?? 0}px`;
  const details = find<HTMLDetailsElement>('[data-sources]');
  if (details) {
    details.hidden = plot.view.drawing.rows.length === 0;
    openSources(details, plot, shown.signal);
  }
  offerPng(plot.view.drawing.request);
}

function offerPng({ base, quote }: Pair): void {
  const button = need<HTMLButtonElement>('[data-png]');
  button.hidden = false;
  // Only for readers who save the chart.
  button.addEventListener('click', async () => {
    const { savePng } = await import('./chart-png.js');
    const change = find('[data-readout] span')?.textContent;
    const title = [need('#chart-title').textContent, need('[data-point]').ariaValueText, change].join(' · ');
    await savePng(title, `${base}-${quote}.png`);
  });
}

/** Two sliders over a small line, which select the first and the last date of the chart. */
function openRange(place: HTMLElement, plot: Plot): void {
  const drawn = drawnOf(plot.view.drawing.rows);
  const along = alongOf(plot.view.drawing.request.scale ?? 'linear');
  const end = drawn.length - 1;
  // All dates of a month can be seen without selecting some.
  if (end < 32) return;
  const slider = (label: string, value: number) =>
    html`<input type="range" min="0" max="${end}" value="${value}" aria-label="${label}">`;
  place.innerHTML =
    html`${sparkline(drawn.map(({ date, rate }) => ({ date, rate: along(rate) })))}${slider(say('chart.from'), 0)}${slider(say('chart.to'), end)}`.text;
  place.hidden = false;
  const [first, last] = [...place.querySelectorAll('input')] as [HTMLInputElement, HTMLInputElement];

  function describe(): [from: string, to: string] {
    const [from = '', to = ''] = [first, last].map(({ value }) => drawn[Number(value)]?.date);
    place.style.setProperty('--from', String(Number(first.value) / end));
    place.style.setProperty('--to', String(Number(last.value) / end));
    first.ariaValueText = formats.date(from);
    last.ariaValueText = formats.date(to);
    return [from, to];
  }

  place.addEventListener('input', ({ target }) => {
    // At least two dates stay between the sliders.
    if (target === first) first.value = String(Math.min(Number(first.value), Number(last.value) - 1));
    else last.value = String(Math.max(Number(last.value), Number(first.value) + 1));
    plot.show({ range: describe() });
  });
  describe();
}

/** Shows the parts and the chart of another page. */
export function takeWithChart(page: Document): void {
  takeParts(page);
  find('[data-result-state]')?.replaceChildren();
  takeChart(page);
}

/** Unless it is the same, so that the days that the reader has selected stay. */
function takeChart(page: Document): void {
  const [own, other] = [need('.chart'), need('.chart', page)];
  if (need('[data-chart]', own).dataset.chart === need('[data-chart]', other).dataset.chart) return;
  const focused = own.contains(document.activeElement) ? document.activeElement : undefined;
  const [sources, others] = [own, other].map((chart) => find<HTMLDetailsElement>('[data-sources]', chart));
  if (sources && others) others.open = sources.open;
  own.replaceWith(other);
  startChart();
  if (!focused) return;
  const title = CSS.escape(focused.getAttribute('title') ?? '');
  (find(`.chart [title="${title}"]`) ?? need('[data-point]')).focus();
}

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('.chart nav a');
  if (!link || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  const { searchParams } = new URL(link.href);
  showLook({ span: searchParams.get('span') ?? '', scale: searchParams.get('scale') ?? '' });
});
document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLSelectElement && target.closest('.chart')) showLook({ currency: target.value });
});

function showLook(look: Readonly<Record<string, string>>): void {
  const [answer, state] = [need('[data-chart]'), need('[data-problem]')];
  answer.setAttribute('aria-busy', 'true');
  // A chart of the same span replaces it too, with all of its days.
  answer.dataset.chart = '';
  const places = { answer, state, unanswered: say('chart.unread') };
  showAddress(look, 'pushState', places, takeWithChart);
}

startChart();
