import type { ListedProvider } from '../catalogue/schemas.js';
import { ACTIVITY_DAYS } from './activity.js';
import type { PageData } from './data.js';
import { causeOf, dayStrip, deviationChart, instant, notesOn, stateChip } from './provider-facts.js';
import type { Reader } from './reader.js';
import type { Column, Line } from './searchable-table.js';
import { html } from './shared/html.js';
import type { MessageKey } from './shared/messages.js';
import { searchTextOf } from './shared/search-text.js';
import { type Source, STATES } from './sources.js';

/** With each the order by the first click. The next date is known only while sources are read. */
export function sourceColumns(isRead: boolean, { say }: Reader): Column[] {
  const columns: Omit<Column, 'label'>[] = [
    { name: 'name', first: 'ascending' },
    { name: 'state', first: 'ascending' },
    { name: 'newest', first: 'descending', classes: 'number' },
    ...(isRead ? [{ name: 'next', first: 'ascending', classes: 'number' } as const] : []),
    { name: 'days' },
    { name: 'deviation', first: 'descending' },
  ];
  return columns.map((column) => ({
    ...column,
    label: say(`status.column.${column.name}` as MessageKey, { days: ACTIVITY_DAYS }),
  }));
}

export function sourceLine(source: Source, isRead: boolean, data: PageData, reader: Reader): Line {
  const { formats, say } = reader;
  const { provider, state, next, lately } = source;
  const { key, name, end_date: newest, last_success_at: lastRead } = provider;
  const [now, today] = [data.now(), data.today()];
  const deviation = lately?.deviation;
  const [cause, since] = [causeOf(source, say), state === 'failing' && lately?.failingSince?.toISOString()];
  const notes = [
    cause,
    since && html`${say('facts.failingSince')}: ${instant(since, now, reader)}`,
    !lastRead && lately?.shippedTo && say('facts.shipped', { day: formats.date(lately.shippedTo) }),
    ...notesOn(source, today, reader),
  ].filter(Boolean);
  return {
    cells: html`<th scope="row"><a href="/provider/${key}">${name}</a> <small>${key}</small></th>
<td class="state">${stateChip(state, say)}${notes.length > 0 && html`<div class="notes">${notes.map((note) => html`<p>${note}</p>`)}</div>`}</td>
<td class="number" data-label="${say('status.column.newest')}">${newest ? formats.shortDate(newest) : '–'}</td>
${isRead && html`<td class="number next" data-label="${say('status.column.next')}">${next ? instant(next, now, reader) : '–'}</td>`}
<td class="wide" data-label="${say('status.column.days', { days: ACTIVITY_DAYS })}">${dayStrip(source, now, reader)}</td>
<td class="wide" data-label="${say('status.column.deviation')}">${deviation ? html`<div class="far">${deviationChart(deviation, reader)}<small>${formats.percent(deviation.median)}</small></div>` : '–'}</td>`,
    link: html`<a href="/provider/${key}">${name}</a>`,
    searched: searchTextOfProvider(provider, reader),
    // Those with the same cause stand together.
    keys: {
      name: key,
      state: `${STATES.indexOf(state)} ${cause}`,
      newest,
      next,
      deviation: deviation?.median,
    },
  };
}

const englishCountries = new Intl.DisplayNames('en', { type: 'region' });

/** Also has the English name of the country. */
export function searchTextOfProvider(
  { key, name, country_code: country }: ListedProvider,
  { formats }: Reader,
): string {
  const countries = country ? [country, formats.country(country), englishCountries.of(country) ?? ''] : [];
  return searchTextOf([key, name, ...countries]);
}
