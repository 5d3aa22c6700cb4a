import { isSpan, type SeriesRequest, type Span, seriesTarget } from '../shared/requests.js';
import { type RateRow, shownOf } from '../shared/rows.js';
import { readJson } from './ask.js';
import { find, need } from './elements.js';
import { setAddress } from './history.js';
import { type Drawing, Plot } from './plot.js';
import { say } from './reader.js';
import { retryNote } from './retry-note.js';
import { Sources } from './sources.js';

const FIRST_SPAN = find('[data-chart]')?.dataset.span;
const RETRY_MS = 5_000;

/** A drawing stays until the next one is ready. Returns a function that stops the chart. */
export function startChart(
  section: ParentNode,
  onChange: (request: SeriesRequest) => void = () => {},
): () => void {
  const place = find('[data-chart]', section);
  if (!place || !find('svg', place)) return () => {};
  const { base = '', quote = '', newest = '', span: first, provider } = place.dataset;
  const problem = need('[data-problem]', section);
  const plot = new Plot(section, place);
  const details = find<HTMLDetailsElement>('[data-sources]', section);
  const sources = details && new Sources(details, plot);
  let wanted: Span = isSpan(first) ? first : '1y';
  let latest = new AbortController();

  async function show(): Promise<void> {
    latest.abort();
    latest = new AbortController();
    const { signal } = latest;
    const request = { base, quote, span: wanted, newest, provider: provider || undefined };
    onChange(request);
    place?.setAttribute('aria-busy', 'true');
    let drawing: Drawing;
    try {
      drawing = await readDrawing(request, signal);
    } catch {
      if (!signal.aborted) explain(problem, () => void show(), signal);
      return;
    } finally {
      if (!signal.aborted) place?.removeAttribute('aria-busy');
    }
    plot.show(drawing);
    if (find(':focus', problem)) place?.focus();
    problem.replaceChildren();
    sources?.offer(drawing, signal);
  }

  const choose = (span: Span) => {
    wanted = span;
    void show();
  };
  const stopped = followSpans(section, () => wanted, choose);
  void show();
  return () => {
    stopped.abort();
    latest.abort();
  };
}

/** Reads the chart again after a pause, unless another one is wanted by then. */
function explain(problem: HTMLElement, again: () => void, signal: AbortSignal): void {
  if (!problem.firstChild) problem.append(retryNote(say('chart.unread'), again));
  const retry = setTimeout(again, RETRY_MS);
  signal.addEventListener('abort', () => clearTimeout(retry));
}

/** Calls `choose` with each span that the reader selects or goes back to, until aborted. */
function followSpans(
  section: ParentNode,
  current: () => Span,
  choose: (span: Span) => void,
): AbortController {
  const links = [...section.querySelectorAll<HTMLAnchorElement>('a[data-span]')];
  const select = (span: Span) => {
    for (const link of links) {
      if (link.dataset.span === span) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    choose(span);
  };
  for (const link of links) {
    link.addEventListener('click', (event) => {
      const { span } = link.dataset;
      if (event.metaKey || event.ctrlKey || !isSpan(span)) return;
      event.preventDefault();
      setAddress({ span }, 'push');
      select(span);
    });
  }
  const stopped = new AbortController();
  const followAddress = () => {
    const span = new URL(location.href).searchParams.get('span') ?? FIRST_SPAN;
    if (isSpan(span) && span !== current()) select(span);
  };
  window.addEventListener('popstate', followAddress, { signal: stopped.signal });
  return stopped;
}

/** For rows of one source, also reads the blend of all. */
async function readDrawing(request: SeriesRequest, signal: AbortSignal): Promise<Drawing> {
  const { provider, ...ofAll } = request;
  const read = async (one: SeriesRequest, detail: 'rate' | 'stats') =>
    shownOf(await readJson<RateRow[]>(seriesTarget(one, detail), signal), one.span);
  const [rows, blend] = await Promise.all([
    read(request, 'stats'),
    provider === undefined ? [] : read(ofAll, 'rate'),
  ]);
  return { request, rows, blend };
}
