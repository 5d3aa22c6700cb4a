import * as z from 'zod';
import { lenientQuery } from '../parameters/query.js';
import { ACTIVITY_DAYS } from './activity.js';
import type { PageData } from './data.js';
import { dataAge, readingText, upToText } from './data-age.js';
import { dayStrip, stripKey } from './day-strip.js';
import type { Page } from './layout.js';
import { causeOf, deviationChart, instant, notesOn, stateChip } from './provider-facts.js';
import type { PageRequest, Reader } from './reader.js';
import { type Column, type Line, pathWith, searchableTable } from './searchable-table.js';
import { segments } from './segments.js';
import { type Html, html } from './shared/html.js';
import type { MessageKey } from './shared/messages.js';
import {
  countsOf,
  needsAttention,
  readSources,
  type Source,
  STATES,
  searchTextOfProvider,
} from './sources.js';

const PATH = '/status';

const optional = z.string().optional();
const statusQuery = lenientQuery(z.object({ state: optional, sort: optional, order: optional, q: optional }));

const CHOICES = ['attention', 'all', ...STATES] as const;

type Wanted = ReturnType<typeof wantedBy>;

export async function statusPage(data: PageData, { target, reader }: PageRequest): Promise<Page> {
  const { say } = reader;
  const sources = await readSources(data);
  const reading = data.reading();
  const wanted = wantedBy(target);
  const isRead = reading.state === 'on';
  const shown = sources.filter((source) => isWanted(source, wanted));
  const linkTo = (others: Readonly<Record<string, string>>, look = '') =>
    html`<a class="${look}" href="${pathWith(PATH, target, { state: 'all', ...others })}">${say('status.showAll')}</a>`;
  const table = {
    path: PATH,
    target,
    about: 'status' as const,
    back: linkTo({ q: '' }, 'button'),
    look: { card: '', table: 'card status brief' },
    columns: sourceColumns(isRead, reader),
    usual: 'state',
    lines: shown.map((source) => sourceLine(source, isRead, data, reader)),
    noLines: html`${say(isRead && reading.outage === undefined ? 'status.calm' : 'status.noneAtFault')} ${linkTo({})}`,
  };
  return {
    title: say('status.title'),
    summary: say('status.summary', { sources: sources.length }),
    path: PATH,
    section: 'status',
    script: 'listing.ts',
    body: html`<h1>${say('status.heading')}</h1>
${verdict(sources, data, reader)}
${filters(sources, wanted, reader)}
${searchableTable(table, reader)}
<div data-part="legend">${shown.length > 0 && html`${stripKey(reader)}<p class="hint">${say('status.nature')}</p>`}</div>`,
  };
}

/** Unknown values are ignored. Without a state, lines that need attention are shown, and a search finds all. */
function wantedBy(target: string) {
  const query = statusQuery.read(target);
  return {
    choice: CHOICES.find((one) => one === query.state) ?? (query.q?.trim() ? 'all' : 'attention'),
    target,
  };
}

function isWanted(source: Source, { choice }: Wanted): boolean {
  return choice === 'all' || (choice === 'attention' ? needsAttention(source) : source.state === choice);
}

/** One sentence, with the age of the rates. If no sources are read, why. */
function verdict(sources: readonly Source[], data: PageData, reader: Reader): Html {
  const { formats, say } = reader;
  const { state, outage } = data.reading();
  if (outage || state !== 'on') {
    const date = formats.date(data.newest());
    const cause = readingText(data, reader);
    const look = `verdict verdict-${outage ? 'failing' : 'bad'}`;
    const age =
      dataAge(data, reader, look) ?? html`<p class="${look}">${cause} ${say('status.stored', { date })}</p>`;
    return html`${age}
${outage && html`<p class="lead">${cause} ${outage.isShippedOnly && say('outage.shipped', { date })}</p>`}`;
  }
  const [look, text] = headline(sources, reader);
  return html`<p class="verdict verdict-${look}">${text}</p>
${dataAge(data, reader) ?? (data.hasRates() && html`<p class="lead">${upToText(data, reader)}</p>`)}`;
}

/** Failures of less than one source in ten are not a failure of the service. */
const FEW_FAIL = 10;

/** Says first what needs attention, and looks as bad as its share of the sources is. */
export function headline(sources: readonly Source[], { say }: Reader): [look: string, text: string] {
  const all = { sources: sources.length };
  const bad = sources.filter(needsAttention).length;
  const waiting = sources.filter(({ state }) => state === 'pending').length;
  if (bad === 0 && waiting === 0) return ['fine', say('status.fine')];
  if (bad === 0) return ['waiting', say('status.waiting', { count: waiting, ...all })];
  const failing = sources.filter(({ state }) => state === 'failing').length;
  const look = failing * FEW_FAIL > sources.length ? 'failing' : 'bad';
  if (waiting > bad) return [look, say('status.waitingAndBad', { waiting, bad, ...all })];
  return [look, say('status.attention', { count: bad, ...all })];
}

/** Links to the sources of each state. What the chosen one means is below them. */
function filters(sources: readonly Source[], { choice, target }: Wanted, { formats, say }: Reader): Html {
  const list = { label: say('status.column.state'), path: PATH, target, name: 'state', current: choice };
  const states = countsOf(sources).map(
    ([state, count]) => [state, say(`states.${state}.name`), count, say(`states.${state}.sentence`)] as const,
  );
  const links = segments(list, formats, [
    ['attention', say('status.needAttention'), sources.filter(needsAttention).length],
    ['all', say('status.all'), sources.length],
    ...states,
  ]);
  const meaning = states.find(([state]) => state === choice)?.[3];
  return html`<div class="states" data-part="states">${links}${meaning && html`<p class="hint">${meaning}</p>`}</div>`;
}

/** With each the order by the first click. The next date is known only while sources are read. */
function sourceColumns(isRead: boolean, { say }: Reader): Column[] {
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

function sourceLine(source: Source, isRead: boolean, data: PageData, reader: Reader): Line {
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
<td class="wide" data-label="${say('status.column.deviation')}">${deviation ? html`<div class="far">${deviationChart(deviation, reader)}<small>${formats.distance(deviation.median)}</small></div>` : '–'}</td>`,
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
