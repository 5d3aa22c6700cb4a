import { type DeviationOfSource, deviationsOf } from '../shared/figures.js';
import { type Html, html } from '../shared/html.js';
import { type Period, periodOf, seriesTarget } from '../shared/requests.js';
import { type RateRow, shownOf } from '../shared/rows.js';
import { readJson, untilAnswered } from './ask.js';
import { need } from './elements.js';
import type { Plot } from './plot.js';
import { formats, say } from './reader.js';

/**
 * Lists the sources of a chart by how far they are from the blend, and compares one with it. The band of days is made from
 * their sources. Those of a year or more are read once the list is open.
 */
export function openSources(details: HTMLDetailsElement, plot: Plot, signal: AbortSignal): void {
  const { request } = plot.view.drawing;
  const period = periodOf(request.span);
  const isMuch = period !== 'day' || request.span === '1y';
  const list = need('.sources', details);
  const places = {
    answer: list,
    state: need('[data-sources-state]', details),
    waiting: say('chart.reading'),
    unanswered: say('chart.sourcesUnread'),
  };
  const reading = <T>(target: string) => untilAnswered(() => readJson<T>(target, signal), places, signal);
  let rows: Promise<readonly RateRow[] | undefined> | undefined;
  /** The source that the reader has clicked. */
  let pinned: string | undefined;

  async function readRows(): Promise<readonly RateRow[] | undefined> {
    const all = await reading<RateRow[]>(seriesTarget(request));
    if (!all) return undefined;
    const shown = shownOf(all, request.span);
    plot.show({ drawing: { ...plot.view.drawing, rows: shown } });
    if (!shown.some(({ providers }) => providers)) places.state.replaceChildren(say('chart.noSources'));
    return shown;
  }

  async function refresh(): Promise<void> {
    if (list.childElementCount > 0 || (!details.open && isMuch)) return;
    rows ??= readRows();
    const found = await rows;
    if (!details.open || !found?.some(({ providers }) => providers)) return;
    const providers = await reading<{ key: string; name: string }[]>('/v2/providers');
    const names = new Map(providers?.map(({ key, name }) => [key, name]));
    list.innerHTML = html`${deviationsOf(found).map((one) => entryOf(one, names.get(one.key), period))}`.text;
  }

  for (const type of ['pointerover', 'focusin'])
    list.addEventListener(type, (event) => plot.show({ compared: buttonOf(event)?.dataset.key ?? pinned }));
  for (const type of ['pointerleave', 'focusout'])
    list.addEventListener(type, () => plot.show({ compared: pinned }));
  list.addEventListener('click', (event) => {
    const button = buttonOf(event);
    if (!button) return;
    const { key } = button.dataset;
    pinned = pinned === key ? undefined : key;
    for (const one of list.querySelectorAll('button')) one.ariaPressed = String(one.dataset.key === pinned);
    plot.show({ compared: key });
  });
  details.addEventListener('toggle', () => void refresh());
  void refresh();
}

function buttonOf({ target }: Event): HTMLElement | undefined {
  return (target instanceof Element && target.closest<HTMLElement>('[data-key]')) || undefined;
}

function entryOf({ key, deviation, count, leftOut }: DeviationOfSource, name = key, period: Period): Html {
  const left = leftOut > 0 && `, ${say('chart.leftOut', { count: leftOut })}`;
  return html`<li><button type="button" data-key="${key}" aria-pressed="false"><strong>${name}</strong> <span>${formats.percent(deviation)}</span> <small>${key}</small> <small>${say(`chart.counts.${period}`, { count })}${left}</small></button></li>`;
}
