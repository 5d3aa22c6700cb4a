import type { Reading } from '../catalogue/reading.js';
import type { PageData } from './data.js';
import { dataAge } from './data-age.js';
import type { Page } from './layout.js';
import { STATES, stateChip } from './provider-facts.js';
import type { PageRequest, Reader } from './reader.js';
import { type Html, html } from './shared/html.js';
import { type Dependencies, type Line, needsAttention, sourceLines } from './source-lines.js';
import { legend, sourcesTable } from './sources-table.js';
import { parametersOf, pathOf, type Shown, shownBy, statusQuery } from './status-query.js';

/** `GET /status`: whether every provider has published, and how its rates compare with others. */
export async function statusPage(sources: Dependencies, { target, reader }: PageRequest): Promise<Page> {
  const { data } = sources;
  const { say } = reader;
  const reading = data.reading();
  const lines = await sourceLines(reading, sources, reader);
  const isRead = reading.state === 'on';
  const shown = shownBy(statusQuery.read(target), isRead);
  return {
    title: say('status.title'),
    summary: say('status.summary', { sources: lines.length }),
    path: '/status',
    section: 'status',
    script: 'status.ts',
    body: html`<h1>${say('status.heading')}</h1>
${verdict(lines, reading.state, data, reader)}
${meanings(lines, shown, reader)}
${filters(lines, shown, reader)}
${legend(reader)}
${sourcesTable(lines, shown, { reader, isRead })}
<p class="hint">${say('status.doctor')} <code dir="ltr">npm run --silent cli -- doctor</code></p>`,
  };
}

/** Says in one sentence whether all is well, and how old the rates are if no sources are read. */
function verdict(lines: readonly Line[], state: Reading['state'], data: PageData, reader: Reader): Html {
  const { formats, say } = reader;
  const [look, text] = judge(lines, state, reader);
  return html`<p class="verdict verdict-${look}">${text}</p>
${dataAge(data, reader) ?? (state !== 'on' && html`<p class="lead">${say('status.stored', { date: formats.date(data.newest()) })}</p>`)}`;
}

function judge(
  lines: readonly Line[],
  state: Reading['state'],
  { say }: Reader,
): [look: 'bad' | 'waiting' | 'fine', text: string] {
  if (state !== 'on') return ['bad', say(`status.${state}`)];
  const sources = lines.length;
  const bad = lines.filter(needsAttention).length;
  if (bad > 0) return ['bad', say('status.attention', { count: bad, sources })];
  const waiting = lines.filter((line) => line.state === 'pending').length;
  if (waiting > 0) return ['waiting', say('status.waiting', { count: waiting, sources })];
  return ['fine', say('status.fine')];
}

/** Explains the states, each with its number of sources and a link to them. */
function meanings(lines: readonly Line[], shown: Shown, { formats, say }: Reader): Html {
  const entries = STATES.map((state) => ({
    state,
    count: lines.filter((line) => line.state === state).length,
  }));
  return html`<nav class="card meanings" aria-label="${say('status.meaning')}"><ul>${entries
    .filter(({ count }) => count > 0)
    .map(
      ({ state, count }) =>
        html`<li><a href="${pathOf({ ...shown, state })}"${shown.state === state && html` aria-current="true"`}>${stateChip(state, say)} <span>${formats.count(count)}</span></a> <small>${say(`states.${state}.sentence`)}</small></li>`,
    )}</ul></nav>`;
}

function filters(lines: readonly Line[], shown: Shown, { formats, say }: Reader): Html {
  const choice = (other: Partial<Shown>, isCurrent: boolean, name: string, of: readonly Line[]) =>
    html`<a href="${pathOf({ ...shown, ...other })}"${other.state && html` data-choice="${other.state}"`}${isCurrent && html` aria-current="true"`}>${name} <span>${formats.count(of.length)}</span></a>`;
  const isAttention = shown.state === 'attention' || (shown.state === undefined && shown.text === '');
  const isAll = shown.state === 'all' || (shown.state === undefined && shown.text !== '');
  const [blended, others] = [
    lines.filter(({ provider }) => provider.blended),
    lines.filter(({ provider }) => !provider.blended),
  ];
  const toggled = (blended: 'yes' | 'no') => ({ blended: shown.blended === blended ? undefined : blended });
  return html`<form class="filters" action="/status" method="get" role="search" data-filters>
<label class="visually-hidden" for="q">${say('status.search')}</label><input id="q" name="q" type="search" placeholder="${say('status.search')}" value="${shown.text}">
${[...parametersOf(shown)].filter(([name]) => name !== 'q').map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="visually-hidden">${say('status.find')}</button>
<nav class="segments" aria-label="${say('status.filter')}">${choice({ state: 'attention' }, isAttention, say('status.needAttention'), lines.filter(needsAttention))}${choice({ state: 'all' }, isAll, say('status.all'), lines)}</nav>
<nav class="segments" aria-label="${say('chart.blend')}">${choice(toggled('yes'), shown.blended === 'yes', say('status.blended'), blended)}${choice(toggled('no'), shown.blended === 'no', say('status.notBlended'), others)}</nav></form>`;
}
