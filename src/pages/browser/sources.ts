import { type Html, html } from '../shared/html.js';
import { type Period, periodOf, seriesTarget } from '../shared/requests.js';
import { type RateRow, shownOf } from '../shared/rows.js';
import { readJson } from './ask.js';
import { type DeviationOfSource, deviationsOf } from './deviations.js';
import { need } from './elements.js';
import type { Plot } from './plot.js';
import { formats, say } from './reader.js';
import { retryNote } from './until-answered.js';

/**
 * Lists the sources of a chart by how far they are from the blend, and compares one with it. The band of days is made from
 * their sources. Those of weeks and months are read once the list is open.
 */
export function openSources(details: HTMLDetailsElement, plot: Plot, signal: AbortSignal): void {
  const { request } = plot.drawing;
  const period = periodOf(request.span);
  const [state, list] = [need('[data-sources-state]', details), need('.sources', details)];
  let reading: Promise<readonly RateRow[]> | undefined;
  /** The source that the reader has clicked. */
  let pinned: string | undefined;

  async function read(): Promise<readonly RateRow[]> {
    const rows = shownOf(await readJson<RateRow[]>(seriesTarget(request), signal), request.span);
    plot.show({ ...plot.drawing, rows });
    return rows;
  }

  async function refresh(): Promise<void> {
    if (list.childElementCount > 0 || (!details.open && period !== 'day')) return;
    state.replaceChildren(say('chart.reading'));
    try {
      reading ??= read();
      const rows = await reading;
      if (details.open) list.innerHTML = html`${await entriesOf(rows, period, signal)}`.text;
      state.replaceChildren(rows.some(({ providers }) => providers) ? '' : say('chart.noSources'));
    } catch {
      if (signal.aborted) return;
      reading = undefined;
      state.replaceChildren(retryNote(say('chart.sourcesUnread'), () => void refresh()));
    }
  }

  for (const type of ['pointerover', 'focusin'])
    list.addEventListener(type, (event) => plot.compare(buttonOf(event)?.dataset.key ?? pinned));
  for (const type of ['pointerleave', 'focusout']) list.addEventListener(type, () => plot.compare(pinned));
  list.addEventListener('click', (event) => {
    const button = buttonOf(event);
    if (!button) return;
    const { key } = button.dataset;
    pinned = pinned === key ? undefined : key;
    for (const one of list.querySelectorAll('button')) one.ariaPressed = String(one.dataset.key === pinned);
    plot.compare(key);
  });
  details.addEventListener('toggle', () => void refresh());
  void refresh();
}

function buttonOf({ target }: Event): HTMLElement | undefined {
  return (target instanceof Element && target.closest<HTMLElement>('[data-key]')) || undefined;
}

async function entriesOf(rows: readonly RateRow[], period: Period, signal: AbortSignal): Promise<Html[]> {
  const providers = await readJson<{ key: string; name: string }[]>('/v2/providers', signal);
  const names = new Map(providers.map(({ key, name }) => [key, name]));
  return deviationsOf(rows).map((one) => entryOf(one, names.get(one.key), period));
}

function entryOf({ key, deviation, count, leftOut }: DeviationOfSource, name = key, period: Period): Html {
  const left = leftOut > 0 && `, ${say('chart.leftOut', { count: leftOut })}`;
  return html`<li><button type="button" data-key="${key}" aria-pressed="false"><strong>${name}</strong> <span>${formats.percent(deviation)}</span> <small>${key}</small> <small>${say(`chart.counts.${period}`, { count })}${left}</small></button></li>`;
}
