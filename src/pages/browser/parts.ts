import { askPage } from './ask.js';
import { startChart } from './chart.js';
import { find, need } from './elements.js';
import { setAddress } from './history.js';
import { say } from './reader.js';
import { openTask } from './task.js';
import { type Places, untilAnswered } from './until-answered.js';

const replace = openTask();
let { search } = location;

/** Changes the address, and shows the parts of its page: see `take`. */
export function showAddress(
  parameters: Readonly<Record<string, string>>,
  step: 'push' | 'replace',
  places: Places,
): void {
  setAddress(parameters, step);
  ({ search } = location);
  replace((signal) => untilAnswered(async () => take(await askPage(location.href, signal)), places, signal));
}

/** Takes over the parts that depend on the address. */
function take(page: Document): void {
  document.title = page.title;
  for (const part of document.querySelectorAll<HTMLElement>('[data-part]'))
    part.replaceChildren(...need(`[data-part="${part.dataset.part}"]`, page).childNodes);
  const [amount, otherAmount] = [find('#amount'), find('#amount', page)];
  if (amount) amount.ariaInvalid = otherAmount?.ariaInvalid ?? null;
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
  (find(`.chart [title="${title}"]`) ?? need('[data-chart]')).focus();
}

document.addEventListener('click', (event) => {
  const link =
    event.target instanceof Element && event.target.closest<HTMLAnchorElement>('.chart .segments a');
  if (!link || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  const { searchParams } = new URL(link.href);
  const [answer, state] = [need('[data-chart]'), need('[data-problem]')];
  answer.setAttribute('aria-busy', 'true');
  const places = { answer, state, waiting: '', unanswered: say('chart.unread') };
  showAddress(
    { span: searchParams.get('span') ?? '', scale: searchParams.get('scale') ?? '' },
    'push',
    places,
  );
});

// The server makes the page of an address that the reader goes back to.
window.addEventListener('popstate', () => {
  if (location.search !== search) location.reload();
});

startChart();
