import { keysNeeded } from '../../../core/domain/provider-status.js';
import { HttpError } from '../../http/errors.js';
import { dayStrip, stripKey } from '../../pages/day-strip.js';
import { causeOf, missedNote, stateChip } from '../../pages/provider-facts.js';
import { type Line, searchableTable } from '../../pages/searchable-table.js';
import { segments } from '../../pages/segments.js';
import { type Html, html } from '../../pages/shared/html.js';
import { countsOf, needsAttention, type Source, STATES, searchTextOfProvider } from '../../pages/sources.js';
import { english, formats, say } from './english.js';
import type { PageMaker } from './errand.js';
import { type Column, cellsOf } from './table.js';

const PATH = '/admin/sources';

/** When a source is read next. Null if it is not read, such as without its key. */
export const dueOf = ({ state, next }: Source) => (state === 'needs_key' || state === 'unread' ? null : next);

/** Why a source needs attention, for those who can act on it: the error as it is, or the variables of a missing key. */
function notesOf(source: Source): Html | undefined {
  const keys = keysNeeded(source.lastError);
  if (keys !== undefined) return html`<p class="notes">Set <a href="/admin/settings">${keys}</a>.</p>`;
  const cause = causeOf(source, say);
  const missed = missedNote(source, say);
  const error = source.lastError && html` <code class="error">${source.lastError}</code>`;
  return cause === undefined
    ? undefined
    : html`${missed && html` <span class="notes">${missed}</span>`}<p class="notes" title="${source.lastError}">${cause}${error}</p>`;
}

const heldBy = ({ lately }: Source) => lately?.heldSuspects ?? 0;

type SourceColumn = Column<Source> & { key(source: Source): Line['keys'][string] };

/** By their names in addresses, with what each sorts by. */
export function sourceColumns(now: Date) {
  return {
    name: {
      label: 'Source',
      look: 'clipped',
      of: ({ provider: { key, name } }) =>
        html`<small class="key-of">${key}</small> <a href="${PATH}/${key}">${name}</a>`,
      key: ({ provider }) => provider.name,
    },
    state: {
      label: 'Status',
      look: 'state',
      of: (source) => html`${stateChip(source.state, say)}${notesOf(source)}`,
      // Those with the same cause stand together.
      key: (source) => `${STATES.indexOf(source.state)} ${causeOf(source, say)}`,
    },
    days: {
      label: 'Last 90 days',
      of: (source) => dayStrip(source, now, english),
      key: ({ lately }) => lately?.days.length,
    },
    newest: {
      label: 'Latest',
      look: 'date',
      of: ({ provider: { end_date: newest } }) => newest !== null && formats.shortDate(newest),
      key: ({ provider }) => provider.end_date,
    },
    due: {
      label: 'Due',
      look: 'date',
      of(source) {
        const due = dueOf(source);
        const away = due !== null && formats.away(Date.parse(due) - now.getTime());
        return html`${away && html`<time datetime="${due}" title="${formats.instant(due)}">${away}</time>`}${needsAttention(source) && html` <a class="button quiet" href="${PATH}/${source.provider.key}/read">Read again</a>`}`;
      },
      key: dueOf,
    },
    held: {
      label: 'Suspects',
      look: 'number',
      of: (source) =>
        heldBy(source) > 0 &&
        html`<a href="/admin/suspects?provider=${source.provider.key}">${heldBy(source)}</a>`,
      key: heldBy,
    },
  } satisfies Record<string, SourceColumn>;
}

export const sourcesPage: PageMaker = async ({ readSources, clock }, { query }) => {
  const sources = await readSources();
  const state = query.get('state') ?? '';
  if (!['', ...STATES].includes(state)) throw new HttpError(422, `state must be one of ${STATES.join(', ')}`);
  const shown = sources.filter((source) => state === '' || source.state === state);
  const columns = sourceColumns(clock());
  const named: [string, SourceColumn][] = Object.entries(columns);
  const table = searchableTable(
    {
      path: PATH,
      target: `?${query}`,
      about: 'status',
      look: { card: 'card scroll', table: 'stacked' },
      columns: named.map(([name, { label, look: classes = '' }]) => ({
        ...{ name, label, classes },
        first: classes === 'number' ? 'descending' : 'ascending',
      })),
      usual: 'state',
      lines: shown.map((source) => ({
        searched: searchTextOfProvider(source.provider, english),
        keys: Object.fromEntries(named.map(([name, { key }]) => [name, key(source)])),
        cells: html`${cellsOf(source, Object.values(columns))}`,
      })),
    },
    english,
  );
  const links = segments(english, { path: PATH, target: `?${query}`, name: 'state', current: state }, [
    ['', 'All', sources.length],
    ...countsOf(sources).map(([own, count]) => [own, say(`states.${own}.name`), count] as const),
  ]);
  return {
    body: html`<div class="sections" id="sources" data-live>${links}${table}${stripKey(english)}<p class="hint">To request the newest days of all sources now, run <code>npm run cli -- doctor</code>.</p></div>`,
  };
};
