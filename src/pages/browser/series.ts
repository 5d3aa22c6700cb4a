import { startChart } from './chart.js';
import { find, need } from './elements.js';
import { showAddress, takeParts } from './parts.js';
import { say } from './reader.js';

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
  // A chart of the same span replaces it too, with all of its days.
  answer.dataset.chart = '';
  const places = { answer, state, waiting: '', unanswered: say('chart.unread') };
  showAddress(
    { span: searchParams.get('span') ?? '', scale: searchParams.get('scale') ?? '' },
    'push',
    places,
    takeWithChart,
  );
});

startChart();
