import { z } from 'zod';
import { lenientQuery } from '../parameters/query.js';
import type { PageData } from './data.js';
import { dataAge, readingText } from './data-age.js';
import type { Page } from './layout.js';
import { causeOf, stateChip } from './provider-facts.js';
import type { PageRequest, Reader } from './reader.js';
import { pathWith, searchableTable } from './searchable-table.js';
import { type Html, html } from './shared/html.js';
import { needsAttention, readSources, type Source, type SourcesOfPages, STATES } from './sources.js';
import { legend, sourceColumns, sourceLine } from './sources-table.js';

const PATH = '/status';
/** A cause names at most this many of its sources. */
const MOST_NAMES = 4;

const statusQuery = lenientQuery(
  z
    .object({ state: z.string(), blended: z.string(), sort: z.string(), order: z.string(), q: z.string() })
    .partial(),
);

type Wanted = ReturnType<typeof wantedBy>;

export async function statusPage(from: SourcesOfPages, { target, reader }: PageRequest): Promise<Page> {
  const { data } = from;
  const { say } = reader;
  const sources = await readSources(from);
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
  const unread = isDown && state === undefined ? unreadLists(found, reader) : undefined;
  const isUsual = state === undefined || state === 'attention';
  const calmNote =
    unread || (isUsual && !hasLines)
      ? html`${unread ?? (!isDown && bad.length === 0 && say('status.calm'))} <a href="${pathWith(PATH, target, { state: 'all' })}">${say('status.showAll')}</a>`
      : undefined;
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
    fields: { names: [], after: filters(sources, bad, wanted, reader) },
    calmNote,
  },
  reader,
)}
${(text !== '' || hasLines) && legend(reader)}`,
  };
}

/** Unknown values are ignored. Without a state, lines that need attention are shown, and a search finds all. */
function wantedBy(target: string) {
  const { state: wanted, blended, q: text = '' } = statusQuery.read(target);
  const states = ['attention', 'all', ...STATES] as const;
  const state = states.find((one) => one === wanted);
  return {
    state,
    blended: (['yes', 'no'] as const).find((one) => one === blended),
    text: text.trim(),
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
    const stored = say('status.stored', { date: formats.date(data.newest()) });
    return (
      dataAge(data, reader, 'verdict verdict-bad') ??
      html`<p class="verdict verdict-bad">${readingText(data, reader)} ${stored}</p>`
    );
  }
  const counts = (is: (source: Source) => boolean) => ({
    count: sources.filter(is).length,
    sources: sources.length,
  });
  const [bad, waiting] = [counts(needsAttention), counts((source) => source.state === 'pending')];
  const [look, text] =
    bad.count > 0
      ? ['bad', say('status.attention', bad)]
      : waiting.count > 0
        ? ['waiting', say('status.waiting', waiting)]
        : ['fine', say('status.fine')];
  return html`<p class="verdict verdict-${look}">${text}</p>
${dataAge(data, reader)}`;
}

/** What keeps sources from being up to date: each cause once, the most common first, with its sources. Not for a single one. */
function causes(sources: readonly Source[], { formats, say }: Reader): Html | undefined {
  const alike = new Map<string, Source[]>();
  const bad = sources.filter(needsAttention);
  if (bad.length < 2) return undefined;
  for (const source of bad) {
    const cause = causeOf(source, say) ?? '';
    alike.set(cause, [...(alike.get(cause) ?? []), source]);
  }
  const items = [...alike]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([cause, of]) => {
      const names = of
        .slice(0, MOST_NAMES)
        .map(
          ({ provider }, at) =>
            html`${at > 0 && ', '}<a href="/provider/${provider.key}">${provider.name}</a>`,
        );
      return html`<li><strong>${formats.count(of.length)}</strong><span>${cause} <small>${names}${of.length > MOST_NAMES && ' …'}</small></span></li>`;
    });
  return html`<ul class="causes">${items}</ul>`;
}

function meanings(sources: readonly Source[], { state: current, target }: Wanted, reader: Reader): Html {
  const { formats, say } = reader;
  const items = STATES.map((state) => {
    const count = sources.filter((source) => source.state === state).length;
    return (
      count > 0 &&
      html`<li><a href="${pathWith(PATH, target, { state })}"${current === state && html` aria-current="true"`}>${stateChip(state, say)} <span>${formats.count(count)}</span></a> <small>${say(`states.${state}.sentence`)}</small></li>`
    );
  });
  return html`<nav class="card meanings" aria-label="${say('status.meaning')}"><ul>${items}</ul></nav>`;
}

/** Those that are not read, by the age of their stored rates. */
function unreadLists(sources: readonly Source[], { formats, say }: Reader): Html | undefined {
  const unread = sources
    .filter(({ state }) => state === 'unread')
    .sort((one, other) => one.provider.name.localeCompare(other.provider.name));
  if (unread.length === 0) return undefined;
  const ageOf = ({ isOld, provider }: Source) =>
    isOld ? 'late' : provider.end_date === null ? 'pending' : 'fresh';
  const lists = (['late', 'pending', 'fresh'] as const).map((age) => {
    const items = unread
      .filter((source) => ageOf(source) === age)
      .map(
        ({ provider: { key, name, end_date: newest } }) =>
          html`<li><a href="/provider/${key}">${name}</a> <small>${newest && formats.shortDate(newest)}</small></li>`,
      );
    return (
      items.length > 0 &&
      html`<h3>${say(`states.${age}.name`)} (${formats.count(items.length)})</h3><ul class="links">${items}</ul>`
    );
  });
  return html`<section class="card unread"><h2>${say('states.unread.name')}</h2>${lists}</section>`;
}

function filters(
  sources: readonly Source[],
  bad: readonly Source[],
  wanted: Wanted,
  { formats, say }: Reader,
): Html {
  const { state, blended, text, target } = wanted;
  const choice = (own: Record<string, string>, isCurrent: boolean, name: string, of: readonly Source[]) =>
    html`<a href="${pathWith(PATH, target, own)}"${own.state && html` data-choice="${own.state}"`}${isCurrent && html` aria-current="true"`}>${name} <span>${formats.count(of.length)}</span></a>`;
  const isAttention = state === 'attention' || (state === undefined && text === '');
  const isAll = state === 'all' || (state === undefined && text !== '');
  const ofBlend = (own: 'yes' | 'no') => {
    const name = say(own === 'yes' ? 'status.blended' : 'status.notBlended');
    const of = sources.filter(({ provider }) => provider.blended === (own === 'yes'));
    return choice({ blended: own }, blended === own, name, of);
  };
  return html`<nav class="segments" aria-label="${say('status.filter')}">${choice({ state: 'attention' }, isAttention, say('status.needAttention'), bad)}${choice({ state: 'all' }, isAll, say('status.all'), sources)}</nav>
<nav class="segments" aria-label="${say('chart.blend')}">${choice({ blended: '' }, blended === undefined, say('status.all'), sources)}${ofBlend('yes')}${ofBlend('no')}</nav>`;
}
