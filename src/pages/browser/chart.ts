import { isSpan, type SeriesRequest, type Span, seriesTarget } from '../shared/requests.js';
import { type RateRow, shownOf } from '../shared/rows.js';
import { element, find, need, setAddress } from './elements.js';
import { figuresOf } from './figures.js';
import { openPlot } from './plot.js';
import { readRows, streamRows } from './read-rows.js';

/** While sources arrive, they are drawn this often at most. */
const REDRAW_MS = 400;

/**
 * Starts the chart of a section that chartSection has made, and redraws it for the spans that the reader chooses. The
 * line is drawn first, the sources behind it when they have been read and if the reader wants to see them. Returns what
 * stops it.
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
  const readout = need('[data-readout]', section);
  const sources = need('.key-sources', section);
  const isWanted = need<HTMLInputElement>('input', sources);
  const plot = openPlot(section, place);
  const rowsOf = async (request: SeriesRequest, detail: 'rate' | 'stats', signal: AbortSignal) =>
    shownOf(await readRows(seriesTarget(request, detail), signal), request.span);

  let latest = new AbortController();
  /** Reads the sources of what is shown; nothing once they have been read. */
  let readSources: (() => Promise<void>) | undefined;

  async function show(span: Span): Promise<void> {
    latest.abort();
    latest = new AbortController();
    const { signal } = latest;
    const ofAll: SeriesRequest = { base, quote, span, newest };
    const request = { ...ofAll, ...(provider && { provider }) };
    onChange(request);
    readSources = undefined;
    place?.setAttribute('aria-busy', 'true');
    try {
      const [rows, blend] = await Promise.all([
        rowsOf(request, 'stats', signal),
        provider ? rowsOf(ofAll, 'rate', signal) : [],
      ]);
      plot.show(request, figuresOf(rows, blend));
      if (provider === undefined && rows.length > 1) readSources = () => showSources(request, rows, signal);
    } catch (error) {
      if (signal.aborted) return;
      readout.replaceChildren(element('span', `The chart can not be read now (${messageOf(error)}).`));
    } finally {
      if (!signal.aborted) place?.removeAttribute('aria-busy');
    }
    sources.hidden = provider === undefined && readSources === undefined;
    await readIfWanted();
  }

  async function readIfWanted(): Promise<void> {
    if (!isWanted.checked || !readSources) return;
    const read = readSources;
    readSources = undefined;
    await read();
  }

  /** Draws the same rows again with their sources, as these arrive: years of them take seconds. */
  async function showSources(
    request: SeriesRequest,
    rows: readonly RateRow[],
    signal: AbortSignal,
  ): Promise<void> {
    const byDate = new Map(rows.map((row) => [row.date, row]));
    const draw = () => plot.show(request, figuresOf([...byDate.values()], []));
    const label = need('[data-sources-label]', sources);
    label.textContent = 'Each source (being read)';
    let drawn = performance.now();
    try {
      for await (const row of streamRows(seriesTarget(request), signal)) {
        if (byDate.has(row.date)) byDate.set(row.date, row);
        if (performance.now() - drawn < REDRAW_MS) continue;
        draw();
        drawn = performance.now();
      }
      draw();
      label.textContent = 'Each source';
    } catch {
      if (!signal.aborted) label.textContent = 'Each source (can not be read now)';
    }
  }

  for (const link of links) {
    link.addEventListener('click', (event) => {
      const { span } = link.dataset;
      if (event.metaKey || event.ctrlKey || !isSpan(span)) return;
      event.preventDefault();
      for (const one of links) one.removeAttribute('aria-current');
      link.setAttribute('aria-current', 'true');
      setAddress({ span });
      void show(span);
    });
  }
  isWanted.addEventListener('change', () => {
    plot.showLines();
    void readIfWanted();
  });
  void show(isSpan(first) ? first : '1y');
  return () => {
    latest.abort();
    plot.stop();
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
