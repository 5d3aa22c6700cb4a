import { hasScales, type Look, lookOf, type SeriesRequest, seriesTarget } from '../shared/requests.js';
import { type RateRow, shownOf } from '../shared/rows.js';
import { readJson } from './ask.js';
import { openRange } from './chart-range.js';
import { find, need } from './elements.js';
import { setAddress } from './history.js';
import { type Drawing, Plot } from './plot.js';
import { say } from './reader.js';
import { Sources } from './sources.js';
import { openTask } from './task.js';
import { untilAnswered } from './until-answered.js';

const FIRST_SPAN = find('[data-chart]')?.dataset.span;

/** A drawing stays until the next one is ready. Returns a function that stops the chart. */
export function startChart(
  section: ParentNode,
  onChange: (request: SeriesRequest) => void = () => {},
): () => void {
  const place = find('[data-chart]', section);
  if (!place || !find('svg, .fixed', place)) return () => {};
  const { base = '', quote = '', newest = '', provider } = place.dataset;
  const problem = need('[data-problem]', section);
  const places = { answer: place, state: problem, waiting: '', unanswered: say('chart.unread') };
  const plot = new Plot(section, place);
  const details = find<HTMLDetailsElement>('[data-sources]', section);
  const sources = details && new Sources(details, plot);
  const handles = need('[data-range]', section);
  const offerRange = openRange(handles, (from, to) => plot.limit([from, to]));
  const replace = openTask();

  function show(look: Look): void {
    const request = { base, quote, newest, provider: provider || undefined, ...look };
    onChange(request);
    place?.setAttribute('aria-busy', 'true');
    replace((signal) =>
      untilAnswered(async () => draw(await readDrawing(request, signal), signal), places, signal),
    );
  }

  function draw(drawing: Drawing, signal: AbortSignal): void {
    plot.limit();
    plot.show(drawing);
    offerRange(drawing);
    // The centre of a handle, which is 20 pixels wide, is over the end of the plot.
    const right = find('.levels', place)?.getBoundingClientRect().width ?? 0;
    handles.style.marginRight = `${right - 10}px`;
    need<HTMLAnchorElement>('[data-csv]', section).href = seriesTarget(drawing.request, 'rate', '.csv');
    if (find(':focus', problem)) place?.focus();
    sources?.offer(drawing, signal);
  }

  const stopped = new AbortController();
  const first = lookOf(place.dataset, '1y');
  followLinks(section, first, show, stopped.signal);
  offerPng(section, place);
  show(first);
  return () => {
    stopped.abort();
    replace();
  };
}

/** Calls `show` with each span and scale that the reader selects or goes back to, until `stopped` aborts. */
function followLinks(
  section: ParentNode,
  first: Look,
  show: (look: Look) => void,
  stopped: AbortSignal,
): void {
  let current = first;
  const links = [...section.querySelectorAll<HTMLAnchorElement>('.segments a')];
  const select = (look: Look) => {
    current = look;
    for (const link of links) {
      const isCurrent = link.dataset.span === look.span || link.dataset.scale === (look.scale ?? 'linear');
      if (isCurrent) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    find('[data-scales]', section)?.toggleAttribute('hidden', !hasScales(look.span));
    show(look);
  };
  for (const link of links) {
    link.addEventListener('click', (event) => {
      if (event.metaKey || event.ctrlKey) return;
      event.preventDefault();
      const chosen = lookOf({ ...current, ...link.dataset }, current.span);
      const look = hasScales(chosen.span) ? chosen : { span: chosen.span };
      setAddress({ span: look.span, scale: look.scale ?? '' }, 'push');
      select(look);
    });
  }
  const followAddress = () => {
    const { searchParams } = new URL(location.href);
    const look = lookOf({ span: FIRST_SPAN, ...Object.fromEntries(searchParams) }, current.span);
    if (look.span !== current.span || look.scale !== current.scale) select(look);
  };
  window.addEventListener('popstate', followAddress, { signal: stopped });
}

function offerPng(section: ParentNode, place: HTMLElement): void {
  const button = need<HTMLButtonElement>('[data-png]', section);
  const { base = '', quote = '' } = place.dataset;
  button.hidden = false;
  // Only for readers who save the chart.
  button.addEventListener('click', async () => {
    const { savePng } = await import('./chart-png.js');
    const parts = section.querySelectorAll('#chart-title, [data-readout] > *, [data-range] span:last-child');
    const title = [...parts].map(({ textContent }) => textContent).join(' · ');
    await savePng(place, { title, name: `${base}-${quote}.png` });
  });
}

/** For rows of one source, also reads the blend of all. */
async function readDrawing(request: SeriesRequest, signal: AbortSignal): Promise<Drawing> {
  const { provider, ...ofAll } = request;
  const read = async (one: SeriesRequest) =>
    shownOf(await readJson<RateRow[]>(seriesTarget(one, 'stats'), signal), one.span);
  const [rows, blend] = await Promise.all([read(request), provider === undefined ? [] : read(ofAll)]);
  return { request, rows, blend };
}
