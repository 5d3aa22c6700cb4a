import { type Html, html } from '../shared/html.js';
import { type Period, periodOf, seriesTarget } from '../shared/requests.js';
import type { RateRow } from '../shared/rows.js';
import { readJson, streamRows } from './ask.js';
import { type DeviationOfSource, deviationsOf } from './deviations.js';
import { find, need } from './elements.js';
import type { Drawing, Plot } from './plot.js';
import { formats, say } from './reader.js';
import { retryNote } from './until-answered.js';

/** While sources arrive, they are shown at most this often. */
const REDRAW_MS = 400;

interface Offer {
  drawing: Drawing;
  signal: AbortSignal;
  rows: readonly RateRow[];
  /** Absent until the rows are needed. */
  reading?: Promise<void>;
}

export class Sources {
  readonly #state: HTMLElement;
  readonly #list: HTMLElement;
  readonly #names = new Map<string, string>();
  #offered: Offer | undefined;
  /** The sources that the reader has clicked and points at. */
  #pinned: string | undefined;
  #pointed: string | undefined;

  constructor(
    readonly details: HTMLDetailsElement,
    readonly plot: Plot,
  ) {
    this.#state = need('[data-sources-state]', details);
    this.#list = need('.sources', details);
    for (const type of ['pointerover', 'focusin'])
      this.#list.addEventListener(type, (event) => this.#point(keyOf(event)));
    for (const type of ['pointerleave', 'focusout'])
      this.#list.addEventListener(type, () => this.#point(undefined));
    this.#list.addEventListener('click', (event) => {
      const key = keyOf(event);
      if (!key) return;
      this.#pinned = this.#pinned === key ? undefined : key;
      this.#showPinned();
      plot.compare(this.#pointed ?? this.#pinned);
    });
    details.addEventListener('toggle', () => {
      if (this.#offered) void this.#refresh(this.#offered);
    });
  }

  /** Reading the sources ends when `signal` aborts. */
  offer(drawing: Drawing, signal: AbortSignal): void {
    this.#offered = { drawing, signal, rows: [] };
    this.details.hidden = drawing.rows.length === 0;
    this.#list.replaceChildren();
    void this.#refresh(this.#offered);
  }

  /** The band of days is made from their sources. The sources of weeks and months are read once the list is open. */
  async #refresh(offer: Offer): Promise<void> {
    const [state, { open }] = [this.#state, this.details];
    if (!open && periodOf(offer.drawing.request.span) !== 'day') return;
    state.replaceChildren(say('chart.reading'));
    try {
      offer.reading ??= this.#read(offer);
      await Promise.all([offer.reading, open && this.#readNames(offer.signal)]);
      state.replaceChildren(offer.rows.some(({ providers }) => providers) ? '' : say('chart.noSources'));
      this.#showList(offer);
    } catch {
      if (offer.signal.aborted) return;
      delete offer.reading;
      state.replaceChildren(retryNote(say('chart.sourcesUnread'), () => void this.#refresh(offer)));
    }
  }

  /** Redraws while sources arrive: years of them take seconds. */
  async #read(offer: Offer): Promise<void> {
    const { drawing, signal } = offer;
    const byDate = new Map(drawing.rows.map((row) => [row.date, row]));
    const show = () => {
      offer.rows = [...byDate.values()];
      this.plot.show({ ...drawing, rows: offer.rows });
      this.#showList(offer);
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

  async #readNames(signal: AbortSignal): Promise<void> {
    if (this.#names.size > 0) return;
    const providers = await readJson<{ key: string; name: string }[]>('/v2/providers', signal);
    for (const { key, name } of providers) this.#names.set(key, name);
  }

  #showList({ drawing: { request }, rows }: Offer): void {
    if (!this.details.open) return;
    const period = periodOf(request.span);
    const focused = find(':focus', this.#list)?.dataset.key;
    const entries = deviationsOf(rows).map((one) => entryOf(one, this.#names.get(one.key), period));
    this.#list.innerHTML = html`${entries}`.text;
    this.#showPinned();
    if (focused) find(`[data-key="${focused}"]`, this.#list)?.focus();
  }

  #showPinned(): void {
    for (const button of this.#list.querySelectorAll('button'))
      button.setAttribute('aria-pressed', String(button.dataset.key === this.#pinned));
  }

  #point(key: string | undefined): void {
    if (this.#pointed === key) return;
    this.#pointed = key;
    this.plot.compare(key ?? this.#pinned);
  }
}

function keyOf({ target }: Event): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-key]')?.dataset.key : undefined;
}

function entryOf({ key, deviation, count, leftOut }: DeviationOfSource, name = key, period: Period): Html {
  const left = leftOut > 0 && `, ${say('chart.leftOut', { count: leftOut })}`;
  return html`<li><button type="button" data-key="${key}"><strong>${name}</strong> <span>${formats.percent(deviation)}</span> <small>${key}</small> <small>${say(`chart.counts.${period}`, { count })}${left}</small></button></li>`;
}
