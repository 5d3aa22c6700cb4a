import * as z from 'zod';
import { groupBy } from '../../core/domain/group-by.js';
import { lenientQuery } from '../parameters/query.js';
import type { PageData } from './data.js';
import { dataAge, readingText, upToText } from './data-age.js';
import type { Page } from './layout.js';
import { causeOf, stateChip } from './provider-facts.js';
import type { PageRequest, Reader } from './reader.js';
import { pathWith, searchableTable } from './searchable-table.js';
import { type Html, html } from './shared/html.js';
import { countsOf, needsAttention, readSources, type Source, STATES } from './sources.js';
import { legend, sourceColumns, sourceLine } from './sources-table.js';

const PATH = '/status';
/** A cause names at most this many of its sources. */
const MOST_NAMES = 4;

const optional = z.string().optional();
const statusQuery = lenientQuery(
  z.object({ state: optional, blended: optional, sort: optional, order: optional, q: optional }),
);

type Wanted = ReturnType<typeof wantedBy>;

export async function statusPage(data: PageData, { target, reader }: PageRequest): Promise<Page> {
  const { say } = reader;
  const sources = await readSources(data);
  const reading = data.reading();
  const wanted = wantedBy(target);
  const { state, text } = wanted;
  const isDown = reading.state !== 'on' || reading.outage !== undefined;
  const isBad = (source: Source) => needsAttention(source) || (isDown && source.state === 'unread');
  const bad = sources.filter(isBad);
  const found = sources.filter((source) => isWanted(source, wanted, bad));
  const lines = found.map((source) => ({
    ...sourceLine(source, reading.state === 'on', data, reader),
    isCalm: state === undefined && !needsAttention(source),
  }));
  const hasLines = lines.some(({ isCalm }) => !isCalm);
  const unread = isDown && state === undefined ? unreadList(found, !hasLines, reader) : undefined;
  const isCalm = !hasLines && (state === undefined || state === 'attention');
  const note = html`${unread ?? (!isDown && bad.length === 0 && say('status.calm'))} <a href="${pathWith(PATH, target, { state: 'all' })}">${say('status.showAll')}</a>`;
  return {
    title: say('status.title'),
    summary: say('status.summary', { sources: sources.length }),
    path: PATH,
    section: 'status',
    script: 'status.ts',
    body: html`<h1>${say('status.heading')}</h1>
${verdict(sources, data, reader)}
${causes(sources, reader)}
${meanings(sources, wanted, reader)}
${searchableTable(
  {
    path: PATH,
    target,
    about: 'status',
    back: html`<a class="button" href="${pathWith(PATH, target, { state: 'all', q: '' })}">${say('status.showAll')}</a>`,
    look: { card: '', table: 'card status brief' },
    columns: sourceColumns(reading.state === 'on', reader),
    usual: 'state',
    lines,
    fields: { names: [], after: filters(sources, bad.length, wanted, reader) },
    calmNote: unread || isCalm ? note : undefined,
  },
  reader,
)}
${(text !== '' || hasLines) && legend(reader)}`,
  };
}

/** Unknown values are ignored. Without a state, lines that need attention are shown, and a search finds all. */
function wantedBy(target: string) {
  const query = statusQuery.read(target);
  return {
    state: (['attention', 'all', ...STATES] as const).find((one) => one === query.state),
    blended: (['yes', 'no'] as const).find((one) => one === query.blended),
    text: query.q?.trim() ?? '',
    target,
  };
}

/** Whether a source may be shown, or found by a search if the query names no state. */
function isWanted(source: Source, { state, blended }: Wanted, bad: readonly Source[]): boolean {
  if (blended !== undefined && source.provider.blended !== (blended === 'yes')) return false;
  if (state === undefined || state === 'all') return true;
  return state === 'attention' ? bad.includes(source) : source.state === state;
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

/** What keeps sources from being up to date: each cause once, the most common first, with its sources. Not for a single one. */
function causes(sources: readonly Source[], { formats, say }: Reader): Html | undefined {
  const bad = sources.filter(needsAttention);
  if (bad.length < 2) return undefined;
  const items = [...groupBy(bad, (source) => causeOf(source, say))]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([cause, of]) => {
      const names = of
        .slice(0, MOST_NAMES)
        .map(
          ({ provider: { key, name } }, at) => html`${at > 0 && ', '}<a href="/provider/${key}">${name}</a>`,
        );
      return html`<li><strong>${formats.count(of.length)}</strong><span>${cause} <small>${names}${of.length > MOST_NAMES && ' …'}</small></span></li>`;
    });
  return html`<ul class="causes">${items}</ul>`;
}

function meanings(sources: readonly Source[], { state: current, target }: Wanted, reader: Reader): Html {
  const { formats, say } = reader;
  const items = countsOf(sources).map(
    ([state, count]) =>
      html`<li><a href="${pathWith(PATH, target, { state })}"${current === state && html` aria-current="true"`}>${stateChip(state, say)} <span>${formats.count(count)}</span></a> <small>${say(`states.${state}.sentence`)}</small></li>`,
  );
  return html`<nav class="card meanings" aria-label="${say('status.meaning')}"><ul>${items}</ul></nav>`;
}

/** Those that are not read, folded unless they stand alone. */
function unreadList(sources: readonly Source[], isOpen: boolean, { formats, say }: Reader): Html | undefined {
  const items = sources
    .filter(({ state }) => state === 'unread')
    .sort((one, other) => one.provider.name.localeCompare(other.provider.name))
    .map(
      ({ provider: { key, name, end_date: newest } }) =>
        html`<li><a href="/provider/${key}">${name}</a> <small>${newest && formats.shortDate(newest)}</small></li>`,
    );
  if (items.length === 0) return undefined;
  return html`<details class="card unread"${isOpen && html` open`}><summary><h2>${say('states.unread.name')} (${formats.count(items.length)})</h2></summary><ul class="links">${items}</ul></details>`;
}

function filters(sources: readonly Source[], bad: number, wanted: Wanted, { formats, say }: Reader): Html {
  const { state, blended, text, target } = wanted;
  const choice = (own: Record<string, string>, isCurrent: boolean, name: string, count: number) =>
    html`<a href="${pathWith(PATH, target, own)}"${own.state && html` data-choice="${own.state}"`}${isCurrent && html` aria-current="true"`}>${name} <span>${formats.count(count)}</span></a>`;
  const isAttention = state === 'attention' || (state === undefined && text === '');
  const isAll = state === 'all' || (state === undefined && text !== '');
  const [all, inBlend] = [sources.length, sources.filter(({ provider }) => provider.blended).length];
  return html`<nav class="segments" aria-label="${say('status.filter')}">${choice({ state: 'attention' }, isAttention, say('status.needAttention'), bad)}${choice({ state: 'all' }, isAll, say('status.all'), all)}</nav>
<nav class="segments named" aria-label="${say('chart.blend')}">${choice({ blended: '' }, blended === undefined, say('status.anyBlend'), all)}${choice({ blended: 'yes' }, blended === 'yes', say('status.blended'), inBlend)}${choice({ blended: 'no' }, blended === 'no', say('status.notBlended'), all - inBlend)}</nav>`;
}
