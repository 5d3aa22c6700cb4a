import {
  hasScales,
  isSpan,
  type Scale,
  type SeriesRequest,
  type Span,
  seriesTarget,
} from '../shared/requests.js';
import { type RateRow, shownOf } from '../shared/rows.js';
import { readJson } from './ask.js';
import { ChartRange } from './chart-range.js';
import { find, need } from './elements.js';
import { setAddress } from './history.js';
import { type Drawing, Plot } from './plot.js';
import { say } from './reader.js';
import { retryNote } from './retry-note.js';
import { Sources } from './sources.js';

const FIRST_SPAN = find('[data-chart]')?.dataset.span;
const RETRY_MS = 5_000;
const HANDLE_PX = 20;

/** A drawing stays until the next one is ready. Returns a function that stops the chart. */
export function startChart(
  section: ParentNode,
  onChange: (request: SeriesRequest) => void = () => {},
): () => void {
  const place = find('[data-chart]', section);
  if (!place || !find('svg', place)) return () => {};
  const { base = '', quote = '', newest = '', provider } = place.dataset;
  const problem = need('[data-problem]', section);
  const plot = new Plot(section, place);
  const details = find<HTMLDetailsElement>('[data-sources]', section);
  const sources = details && new Sources(details, plot);
  const range = new ChartRange(need('[data-range]', section), (from, to) => plot.limit([from, to]));
  let wanted = shownBy(place);
  let latest = new AbortController();

  async function show(): Promise<void> {
    latest.abort();
    latest = new AbortController();
    const { signal } = latest;
    const request = { base, quote, newest, provider: provider || undefined, ...wanted };
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
    plot.limit();
    plot.show(drawing);
    range.offer(drawing.rows.map(({ date }) => date));
    // The centre of a handle is over the end of the plot.
    const left = find('.levels', place)?.getBoundingClientRect().width ?? 0;
    range.place.style.marginLeft = `${left - HANDLE_PX / 2}px`;
    need<HTMLAnchorElement>('[data-csv]', section).href = seriesTarget(request, 'rate', '.csv');
    if (find(':focus', problem)) place?.focus();
    problem.replaceChildren();
    sources?.offer(drawing, signal);
  }

  const choose = (look: Look) => {
    wanted = look;
    void show();
  };
  const stopped = followLinks(section, () => wanted, choose);
  offerPng(section, place);
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

interface Look {
  span: Span;
  scale: Scale;
}

function shownBy({ dataset: { span, scale } }: HTMLElement): Look {
  return { span: isSpan(span) ? span : '1y', scale: scaleOf(scale) };
}

/** Calls `choose` with each span and scale that the reader selects or goes back to, until aborted. */
function followLinks(
  section: ParentNode,
  current: () => Look,
  choose: (look: Look) => void,
): AbortController {
  const links = [...section.querySelectorAll<HTMLAnchorElement>('.segments a')];
  const select = (look: Look) => {
    for (const link of links) {
      const isCurrent = link.dataset.span === look.span || link.dataset.scale === look.scale;
      if (isCurrent) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    need('[data-scales]', section).hidden = !hasScales(look.span);
    choose(look);
  };
  for (const link of links) {
    link.addEventListener('click', (event) => {
      if (event.metaKey || event.ctrlKey) return;
      event.preventDefault();
      const { dataset } = link;
      const span = isSpan(dataset.span) ? dataset.span : current().span;
      const chosen = dataset.scale === undefined ? current().scale : scaleOf(dataset.scale);
      const scale = hasScales(span) ? chosen : 'linear';
      setAddress({ span, scale: scale === 'log' ? scale : '' }, 'push');
      select({ span, scale });
    });
  }
  const stopped = new AbortController();
  const followAddress = () => {
    const { searchParams } = new URL(location.href);
    const span = searchParams.get('span') ?? FIRST_SPAN;
    const scale = scaleOf(searchParams.get('scale'));
    const { span: shown, scale: shownScale } = current();
    if (isSpan(span) && (span !== shown || scale !== shownScale)) select({ span, scale });
  };
  window.addEventListener('popstate', followAddress, { signal: stopped.signal });
  return stopped;
}

function scaleOf(text: string | null | undefined): Scale {
  return text === 'log' ? 'log' : 'linear';
}

function offerPng(section: ParentNode, place: HTMLElement): void {
  const button = need<HTMLButtonElement>('[data-png]', section);
  const { base = '', quote = '' } = place.dataset;
  button.hidden = false;
  // Only for readers who save the chart.
  button.addEventListener('click', async () => {
    const { savePng } = await import('./chart-png.js');
    const title = `${need('#chart-title', section).textContent} · ${need('[data-readout]', section).textContent}`;
    await savePng(place, { title, name: `${base}-${quote}.png` });
  });
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
