import { toCalendarDate } from '../../core/domain/dates.js';
import type { ListedProvider } from '../catalogue/schemas.js';
import { ACTIVITY_DAYS } from './activity.js';
import { compareKeys } from './column-order.js';
import {
  DEVIATION_TICKS,
  dayStrip,
  deviationChart,
  failureOf,
  instant,
  notesOn,
  stateChip,
} from './provider-facts.js';
import type { Reader } from './reader.js';
import { type Html, html } from './shared/html.js';
import { searchText, searchTextOf } from './shared/search-text.js';
import { needsAttention, type Source, STATES } from './sources.js';
import { isSort, pathOf, type Shown, SORTS, type Sort } from './status-query.js';

export function legend({ formats, say }: Reader): Html {
  const [least, most] = [formats.percent(DEVIATION_TICKS[0]), formats.percent(DEVIATION_TICKS[4])];
  const bar = (kind: string, height: number) =>
    html`<svg class="strip" viewBox="0 0 8 20" aria-hidden="true"><path class="${kind}" d="M1 20v-${height}M4 20v-${height}M7 20v-${height}"/></svg>`;
  const line = (kind: string) =>
    html`<svg class="deviation" viewBox="0 0 20 12" preserveAspectRatio="none" aria-hidden="true"><path class="${kind}" d="M0 6H20"/></svg>`;
  return html`<div class="legends">
<p>${say('status.strip', { days: ACTIVITY_DAYS })} <span>${bar('some', 20)} ${say('status.some')}</span> <span>${bar('few', 10)} ${say('status.few')}</span> <span>${bar('none', 4)} ${say('status.none')}</span></p>
<p>${say('status.scale', { least, most })} <span>${line('median')} ${say('status.median')}</span> <span>${line('most')} ${say('status.most')}</span> ${say('status.nature')}</p>
</div>`;
}

const COLUMNS = ['name', 'state', 'newest', 'next', 'days', 'deviation', 'notes'] as const;

interface SourcesTable {
  sources: readonly Source[];
  shown: Shown;
  isRead: boolean;
  now: Date;
}

/** Lines that only a search shows are hidden. */
export function sourcesTable({ sources, shown, isRead, now }: SourcesTable, reader: Reader): Html {
  const { say } = reader;
  const { sort, order, text } = shown;
  const headOf = (name: (typeof COLUMNS)[number]) => say(`status.column.${name}`, { days: ACTIVITY_DAYS });
  const words = searchText(text);
  const rows = sources
    .filter((source) => isWanted(source, shown))
    .toSorted((one, other) => compareKeys(keyOf(one, sort), keyOf(other, sort), order))
    .map((source) => {
      const searched = searchTextOfProvider(source.provider, reader);
      // Without a state, lines that do not need attention are only shown by a search.
      const isCalm = shown.state === undefined && !needsAttention(source);
      const isHidden = words === '' ? isCalm : !searched.includes(words);
      const row = html`<tr data-state="${source.state}" data-text="${searched}"${isCalm && html` data-calm`}${isHidden && html` hidden`}>${cellsOf(source, { isRead, now }, reader)}</tr>`;
      return { row, isHidden };
    });
  const isEmpty = rows.every(({ isHidden }) => isHidden);
  const isCalm = isEmpty && text === '' && (shown.state === undefined || shown.state === 'attention');
  const heads = COLUMNS.filter((name) => name !== 'next' || isRead).map((name) => {
    const ofNumbers = (name === 'newest' || name === 'next') && html` class="number"`;
    if (!isSort(name)) return html`<th scope="col">${headOf(name)}</th>`;
    const isCurrent = name === sort;
    const turned = order === 'ascending' ? 'descending' : 'ascending';
    const path = pathOf({ ...shown, sort: name, order: isCurrent ? turned : SORTS[name] });
    return html`<th scope="col"${ofNumbers}${isCurrent && html` aria-sort="${order}"`}><a href="${path}">${headOf(name)}</a></th>`;
  });
  return html`<table class="card status" data-listing${isEmpty && html` hidden`}><caption class="visually-hidden">${say(`status.${order}`, { column: headOf(sort) })}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>${rows.map(({ row }) => row)}</tbody></table>
<div role="status"><p class="empty" data-calm-note${!isCalm && html` hidden`}>${!sources.some(needsAttention) && say('status.calm')} <a href="${pathOf({ ...shown, state: 'all' })}">${say('status.showAll')}</a></p><p class="empty" data-none${(!isEmpty || isCalm) && html` hidden`}>${say('status.nothing')}</p></div>`;
}

function cellsOf(
  source: Source,
  { isRead, now }: Pick<SourcesTable, 'isRead' | 'now'>,
  reader: Reader,
): Html {
  const { formats, say } = reader;
  const { provider, state, next, lately } = source;
  const today = toCalendarDate(now);
  const { key, name, end_date: newest } = provider;
  const deviation = lately?.deviation;
  const notes = [...failureOf(source, now, reader), ...notesOn(source, today, reader)];
  return html`<th scope="row"><a href="/provider/${key}">${name}</a> <small>${key}</small></th>
<td>${stateChip(state, say)}</td>
<td class="number" data-label="${say('status.column.newest')}">${newest ? formats.shortDate(newest) : '–'}</td>
${isRead && html`<td class="number" data-label="${say('status.column.next')}">${next ? instant(next, now, reader) : '–'}</td>`}
<td class="wide" data-label="${say('status.column.days', { days: ACTIVITY_DAYS })}">${dayStrip(lately, today, reader)}</td>
<td class="wide" data-label="${say('status.column.deviation')}">${deviation && html`<div class="far">${deviationChart(deviation, reader)}<small>${formats.percent(deviation.median)}</small></div>`}</td>
<td class="notes">${notes.map((note) => html`<p>${note}</p>`)}</td>`;
}

/** Whether a source may be shown, or found by a search if the query names no state. */
function isWanted(source: Source, { state, blended }: Shown): boolean {
  if (blended !== undefined && source.provider.blended !== (blended === 'yes')) return false;
  if (state === undefined || state === 'all') return true;
  return state === 'attention' ? needsAttention(source) : source.state === state;
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

function keyOf({ provider, state, next, lately }: Source, sort: Sort): string | number | null {
  const keys = {
    name: provider.key,
    state: STATES.indexOf(state),
    newest: provider.end_date,
    next,
    deviation: lately?.deviation?.median ?? null,
  };
  return keys[sort];
}
