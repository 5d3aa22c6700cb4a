import { isSpan, type SeriesRequest, type Span, seriesTarget } from '../shared/requests.js';
import { shownOf } from '../shared/rows.js';
import { find, need } from './elements.js';
import { setAddress } from './history.js';
import { type Drawing, openPlot } from './plot.js';
import { readRows } from './read-rows.js';
import { messages } from './reader.js';
import { retryNote } from './retry-note.js';
import { openSources } from './sources.js';

/** What an address without a span shows: one with a span is never left for it. */
const FIRST_SPAN = find('[data-chart]')?.dataset.span;
/** A chart that could not be read is read again after so long. */
const RETRY_MS = 5_000;

/**
 * Starts the chart of a section that chartSection has made, and redraws it for the spans that the reader chooses. What is
 * drawn stays until the next can be drawn. Returns what stops it.
 */
export function startChart(
  section: ParentNode,
  onChange: (request: SeriesRequest) => void = () => {},
): () => void {
  const place = find('[data-chart]', section);
  if (!place || !find('svg', place)) return () => {};
  const { base = '', quote = '', newest = '', span: first } = place.dataset;
  const provider = place.dataset.provider || undefined;
  const links = [...section.querySelectorAll<HTMLAnchorElement>('a[data-span]')];
  const problem = need('[data-problem]', section);
  const plot = openPlot(section, place);
  const details = find<HTMLDetailsElement>('[data-sources]', section);
  const sources = details && openSources(details, plot);

  let wanted = isSpan(first) ? first : '1y';
  let latest = new AbortController();

  async function show(): Promise<void> {
    latest.abort();
    latest = new AbortController();
    const { signal } = latest;
    const request: SeriesRequest = { base, quote, span: wanted, newest, provider };
    onChange(request);
    place?.setAttribute('aria-busy', 'true');
    let drawing: Drawing;
    try {
      drawing = await readDrawing(request, signal);
    } catch {
      if (!signal.aborted) explain(signal);
      return;
    } finally {
      if (!signal.aborted) place?.removeAttribute('aria-busy');
    }
    plot.show(drawing);
    if (find(':focus', problem)) place?.focus();
    problem.replaceChildren();
    sources?.offer(drawing, signal);
  }

  /** Says that the chart could not be read, and reads it again until that succeeds or another one is wanted. */
  function explain(signal: AbortSignal): void {
    const again = () => void show();
    if (!problem.firstChild) problem.append(retryNote(messages.chart.unread, again));
    const retry = setTimeout(again, RETRY_MS);
    signal.addEventListener('abort', () => clearTimeout(retry));
  }

  function choose(span: Span): void {
    for (const link of links) {
      if (link.dataset.span === span) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    wanted = span;
    void show();
  }

  for (const link of links) {
    link.addEventListener('click', (event) => {
      const { span } = link.dataset;
      if (event.metaKey || event.ctrlKey || !isSpan(span)) return;
      event.preventDefault();
      setAddress({ span }, 'push');
      choose(span);
    });
  }
  const stopped = new AbortController();
  const followAddress = () => {
    const span = new URL(location.href).searchParams.get('span') ?? FIRST_SPAN;
    if (isSpan(span) && span !== wanted) choose(span);
  };
  window.addEventListener('popstate', followAddress, { signal: stopped.signal });
  void show();
  return () => {
    stopped.abort();
    latest.abort();
    plot.stop();
  };
}

/** The rows of a request, and the blend of all sources where these are the rows of one. */
async function readDrawing(request: SeriesRequest, signal: AbortSignal): Promise<Drawing> {
  const { provider, ...ofAll } = request;
  const read = async (one: SeriesRequest, detail: 'rate' | 'stats') =>
    shownOf(await readRows(seriesTarget(one, detail), signal), one.span);
  const [rows, blend] = await Promise.all([
    read(request, 'stats'),
    provider === undefined ? [] : read(ofAll, 'rate'),
  ]);
  return { request, rows, blend };
}
