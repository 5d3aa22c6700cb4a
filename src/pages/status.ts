import * as z from 'zod';
import { lenientQuery } from '../parameters/query.js';
import { ACTIVITY_DAYS } from './activity.js';
import type { PageData } from './data.js';
import { dataAge, readingText, upToText } from './data-age.js';
import { dayStrip, strip, stripKey } from './day-strip.js';
import type { Page } from './layout.js';
import { causeOf, instant, notesOn, stateChip } from './provider-facts.js';
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

type Choice = (typeof CHOICES)[number];

export async function statusPage(data: PageData, { target, reader }: PageRequest): Promise<Page> {
  const { say } = reader;
  const sources = await readSources(data);
  const choice = choiceOf(target, sources);
  const { state, outage } = data.reading();
  const isRead = state === 'on' && outage === undefined;
  const shown = sources.filter((source) => isChosen(source, choice));
  const table = {
    path: PATH,
    target,
    about: 'status' as const,
    back: html`<a class="button" href="${pathWith(PATH, target, { state: 'all', q: '' })}">${say('status.showAll')}</a>`,
    look: { card: '', table: 'card status brief' },
    columns: sourceColumns(isRead, reader),
    usual: 'state',
    lines: shown.map((source) => sourceLine(source, isRead, data, reader)),
  };
  const together = say('status.together', { sources: sources.length });
  return {
    title: say('status.title'),
    summary: say('status.summary', { sources: sources.length }),
    section: 'status',
    script: 'listing.ts',
    body: html`<h1>${say('status.heading')}</h1>
${verdict(sources, data, reader)}
<section class="card together"><div class="card-head"><h2>${together}</h2>${stripKey(reader)}</div><p class="scale">${say('chart.sources', { count: sources.length })}</p>${strip(sources, together, data.now(), reader)}</section>
${filters(sources, choice, target, reader)}
${searchableTable(table, reader)}
<p class="hint" data-part="legend">${shown.length > 0 && say('status.nature')}</p>`,
  };
}

/** Unknown values are ignored. Without a state, sources that need attention are shown if there are any; a search finds all. */
function choiceOf(target: string, sources: readonly Source[]): Choice {
  const { state, q } = statusQuery.read(target);
  const usual = q?.trim() || !sources.some(needsAttention) ? 'all' : 'attention';
  return CHOICES.find((one) => one === state) ?? usual;
}

function isChosen(source: Source, choice: Choice): boolean {
  return choice === 'all' || (choice === 'attention' ? needsAttention(source) : source.state === choice);
}

/** One sentence, with the age of the rates. If no sources are read, why. */
function verdict(sources: readonly Source[], data: PageData, reader: Reader): Html {
  const { formats, say } = reader;
  const { state, outage } = data.reading();
  const date = formats.date(data.newest());
  if (outage) {
    const since = formats.instant(outage.since.toISOString());
    const away = formats.away(outage.since.getTime() - data.now().getTime());
    return html`<p class="verdict verdict-failing" data-age>${say('status.offline', { since })} (${away})</p>
${data.hasRates() && html`<p class="lead">${say('status.catchesUp', { date })}</p>`}`;
  }
  if (state !== 'on')
    return html`<p class="verdict verdict-bad">${readingText(data, reader)} ${say('status.stored', { date })}</p>`;
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
function filters(sources: readonly Source[], choice: Choice, target: string, reader: Reader): Html {
  const { say } = reader;
  const states = countsOf(sources).map(
    ([state, count]) => [state, say(`states.${state}.name`), count, say(`states.${state}.sentence`)] as const,
  );
  const bad = sources.filter(needsAttention).length;
  const links = segments(reader, { path: PATH, target, name: 'state', current: choice }, [
    ...(bad > 0 || choice === 'attention' ? [['attention', say('status.needAttention'), bad] as const] : []),
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
    { name: 'deviation', first: 'descending', classes: 'number' },
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
<td class="number wide" data-label="${say('status.column.deviation')}">${deviation ? html`${formats.distance(deviation.median)} <small>${say('status.most', { most: formats.distance(deviation.most) })}</small>` : '–'}</td>`,
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
