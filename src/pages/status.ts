import type { Reading } from '../catalogue/reading.js';
import type { PageData } from './data.js';
import { dataAge } from './data-age.js';
import type { Page } from './layout.js';
import { stateChip } from './provider-facts.js';
import type { PageRequest, Reader } from './reader.js';
import { type Html, html } from './shared/html.js';
import { needsAttention, readSources, type Source, type SourcesOfPages, STATES } from './sources.js';
import { legend, sourcesTable } from './sources-table.js';
import { parametersOf, pathOf, type Shown, shownBy, statusQuery } from './status-query.js';

export async function statusPage(from: SourcesOfPages, { target, reader }: PageRequest): Promise<Page> {
  const { data } = from;
  const { say } = reader;
  const reading = data.reading();
  const sources = await readSources(from);
  const isRead = reading.state === 'on';
  const shown = shownBy(statusQuery.read(target), isRead);
  const isUsual = shown.state === undefined && shown.text === '';
  return {
    title: say('status.title'),
    summary: say('status.summary', { sources: sources.length }),
    path: '/status',
    section: 'status',
    script: 'status.ts',
    body: html`<h1>${say('status.heading')}</h1>
${verdict(sources, reading, data, reader)}
${meanings(sources, shown, reader)}
${filters(sources, shown, reader)}
${sourcesTable({ sources, shown, isRead, now: data.now() }, reader)}
${!isUsual && legend(reader)}
<p class="hint">${say('status.doctor')} <code dir="ltr">npm run --silent cli -- doctor</code></p>`,
  };
}

/** One sentence, with the age of the rates if no sources are read. */
function verdict(
  sources: readonly Source[],
  { state, outage }: Reading,
  data: PageData,
  reader: Reader,
): Html {
  const { formats, say } = reader;
  if (outage) return html`${dataAge(data, reader, 'verdict verdict-bad')}`;
  const [look, text] = judge(sources, state, reader);
  return html`<p class="verdict verdict-${look}">${text}</p>
${dataAge(data, reader) ?? (state !== 'on' && html`<p class="lead">${say('status.stored', { date: formats.date(data.newest()) })}</p>`)}`;
}

function judge(
  sources: readonly Source[],
  state: Reading['state'],
  { say }: Reader,
): [look: 'bad' | 'waiting' | 'fine', text: string] {
  if (state !== 'on') return ['bad', say(`status.${state}`)];
  const all = sources.length;
  const bad = sources.filter(needsAttention).length;
  if (bad > 0) return ['bad', say('status.attention', { count: bad, sources: all })];
  const waiting = sources.filter((source) => source.state === 'pending').length;
  if (waiting > 0) return ['waiting', say('status.waiting', { count: waiting, sources: all })];
  return ['fine', say('status.fine')];
}

function meanings(sources: readonly Source[], shown: Shown, { formats, say }: Reader): Html {
  const entries = STATES.map((state) => ({
    state,
    count: sources.filter((source) => source.state === state).length,
  }));
  return html`<nav class="card meanings" aria-label="${say('status.meaning')}"><ul>${entries
    .filter(({ count }) => count > 0)
    .map(
      ({ state, count }) =>
        html`<li><a href="${pathOf({ ...shown, state })}"${shown.state === state && html` aria-current="true"`}>${stateChip(state, say)} <span>${formats.count(count)}</span></a> <small>${say(`states.${state}.sentence`)}</small></li>`,
    )}</ul></nav>`;
}

function filters(sources: readonly Source[], shown: Shown, { formats, say }: Reader): Html {
  const choice = (other: Partial<Shown>, isCurrent: boolean, name: string, of: readonly Source[]) =>
    html`<a href="${pathOf({ ...shown, ...other })}"${other.state && html` data-choice="${other.state}"`}${isCurrent && html` aria-current="true"`}>${name} <span>${formats.count(of.length)}</span></a>`;
  const isAttention = shown.state === 'attention' || (shown.state === undefined && shown.text === '');
  const isAll = shown.state === 'all' || (shown.state === undefined && shown.text !== '');
  const [blended, others] = [
    sources.filter(({ provider }) => provider.blended),
    sources.filter(({ provider }) => !provider.blended),
  ];
  const toggled = (blended: 'yes' | 'no') => ({ blended: shown.blended === blended ? undefined : blended });
  return html`<form class="filters" action="/status" method="get" role="search" data-search>
<label class="visually-hidden" for="q">${say('status.search')}</label><input id="q" name="q" type="search" placeholder="${say('status.search')}" value="${shown.text}">
${[...parametersOf(shown)].filter(([name]) => name !== 'q').map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="visually-hidden">${say('status.find')}</button>
<nav class="segments" aria-label="${say('status.filter')}">${choice({ state: 'attention' }, isAttention, say('status.needAttention'), sources.filter(needsAttention))}${choice({ state: 'all' }, isAll, say('status.all'), sources)}</nav>
<nav class="segments" aria-label="${say('chart.blend')}">${choice(toggled('yes'), shown.blended === 'yes', say('status.blended'), blended)}${choice(toggled('no'), shown.blended === 'no', say('status.notBlended'), others)}</nav></form>`;
}
