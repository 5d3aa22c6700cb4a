import { groupOf, seriesTarget } from '../shared/requests.js';
import type { RateRow } from '../shared/rows.js';
import { type DeviationOfSource, deviationsOf } from './deviations.js';
import { element, find, need } from './elements.js';
import type { Drawing, Plot } from './plot.js';
import { readNames, streamRows } from './read-rows.js';
import { formats, messages } from './reader.js';
import { retryNote } from './retry-note.js';

const say = messages.chart;
const COUNTS = { day: say.days, week: say.weeks, month: say.months };

/** While sources arrive, they are shown this often at most. */
const REDRAW_MS = 400;

/** The sources behind a chart, which the reader can compare with the blend. */
export interface Sources {
  /** Offers the sources of what is drawn now, in place of those before. Nothing is read any more once `signal` aborts. */
  offer(drawing: Drawing, signal: AbortSignal): void;
}

/** Sources that are being read, or have been. */
interface Offer {
  drawing: Drawing;
  signal: AbortSignal;
  rows: readonly RateRow[];
  /** Absent as long as nobody needs them. */
  reading?: Promise<void>;
}

/** The list of sources that a reader can open below a chart. */
export function openSources(details: HTMLDetailsElement, plot: Plot): Sources {
  const state = need('[data-sources-state]', details);
  const list = need('.sources', details);
  const names = new Map<string, string>();
  let offered: Offer | undefined;
  let pinned: string | undefined;
  let pointed: string | undefined;

  /** The band of days is made from their sources; those of weeks and months are read when the reader wants to see them. */
  async function refresh(offer: Offer): Promise<void> {
    if (!details.open && groupOf(offer.drawing.request.span)) return;
    state.replaceChildren(say.reading);
    try {
      offer.reading ??= read(offer);
      await Promise.all([offer.reading, details.open && fillNames(offer.signal)]);
      state.replaceChildren(offer.rows.some(({ providers }) => providers) ? '' : say.noSources);
      showList(offer);
    } catch {
      if (offer.signal.aborted) return;
      delete offer.reading;
      state.replaceChildren(retryNote(say.sourcesUnread, () => void refresh(offer)));
    }
  }

  /** Draws the same rows again with their sources, as these arrive: years of them take seconds. */
  async function read(offer: Offer): Promise<void> {
    const { drawing, signal } = offer;
    const byDate = new Map(drawing.rows.map((row) => [row.date, row]));
    const show = () => {
      offer.rows = [...byDate.values()];
      plot.show({ ...drawing, rows: offer.rows });
      showList(offer);
    };
    let shown = performance.now();
    for await (const row of streamRows(seriesTarget(drawing.request), signal)) {
      if (byDate.has(row.date)) byDate.set(row.date, row);
      if (performance.now() - shown < REDRAW_MS) continue;
      show();
      shown = performance.now();
    }
    show();
  }

  async function fillNames(signal: AbortSignal): Promise<void> {
    if (names.size > 0) return;
    for (const { key, name } of await readNames(signal)) names.set(key, name);
  }

  function showList({ drawing: { request }, rows }: Offer): void {
    if (!details.open) return;
    const countOf = COUNTS[groupOf(request.span) ?? 'day'];
    const focused = find(':focus', list)?.dataset.key;
    list.replaceChildren(...deviationsOf(rows).map((one) => entryOf(one, names.get(one.key), countOf)));
    press();
    if (focused) find(`[data-key="${focused}"]`, list)?.focus();
  }

  function press(): void {
    for (const button of list.querySelectorAll('button')) {
      button.setAttribute('aria-pressed', String(button.dataset.key === pinned));
    }
  }

  function point(key: string | undefined): void {
    if (pointed === key) return;
    pointed = key;
    plot.compare(pointed ?? pinned);
  }

  const keyOf = ({ target }: Event) =>
    target instanceof Element ? target.closest<HTMLElement>('[data-key]')?.dataset.key : undefined;
  for (const type of ['pointerover', 'focusin']) list.addEventListener(type, (event) => point(keyOf(event)));
  for (const type of ['pointerleave', 'focusout']) list.addEventListener(type, () => point(undefined));
  list.addEventListener('click', (event) => {
    const key = keyOf(event);
    if (!key) return;
    pinned = pinned === key ? undefined : key;
    press();
    plot.compare(pointed ?? pinned);
  });
  details.addEventListener('toggle', () => {
    if (offered) void refresh(offered);
  });

  return {
    offer(drawing, signal) {
      const offer: Offer = { drawing, signal, rows: [] };
      offered = offer;
      details.hidden = drawing.rows.length === 0;
      list.replaceChildren();
      void refresh(offer);
    },
  };
}

function entryOf(
  { key, deviation, count, leftOut }: DeviationOfSource,
  name: string | undefined,
  countOf: (count: string) => string,
): HTMLElement {
  const button = element('button', '');
  button.type = 'button';
  button.dataset.key = key;
  const notes = [
    countOf(formats.count(count)),
    ...(leftOut > 0 ? [say.leftOut(formats.count(leftOut))] : []),
  ];
  button.append(
    element('strong', key),
    ' ',
    element('span', formats.percent(deviation)),
    ' ',
    element('small', name ?? ''),
    ' ',
    element('small', notes.join(', ')),
  );
  const entry = element('li', '');
  entry.append(button);
  return entry;
}
