import type { z } from 'zod';
import type { Reading } from '../catalogue/reading.js';
import type { PageData } from './data.js';
import { dataAge } from './how-old.js';
import type { Page } from './layout.js';
import { STATES, stateChip } from './provider-facts.js';
import type { PageRequest, Reader } from './reader.js';
import { type Html, html } from './shared/html.js';
import { type Dependencies, type Line, needsAttention, sourceLines } from './source-lines.js';
import { legend, sourcesTable } from './sources-table.js';
import { parametersOf, pathOf, type Shown, shownBy, type statusQuery } from './status-query.js';

/** `GET /status`: whether every provider has published, and how its rates compare with others. */
export async function statusPage(
  query: z.output<typeof statusQuery>,
  sources: Dependencies,
  request: PageRequest,
): Promise<Page> {
  const { data } = sources;
  const { reader } = request;
  const { formats, messages } = reader;
  const reading = data.reading();
  const lines = await sourceLines(reading, sources, reader);
  const isRead = reading.state === 'on';
  const shown = shownBy(query, isRead);
  const count = formats.count(lines.length);
  return {
    title: messages.status.title,
    summary: messages.status.summary(count),
    path: '/status',
    section: 'status',
    script: 'status.ts',
    body: html`<h1>${messages.status.heading}</h1>
${verdict(lines, reading.state, data, reader)}
${meanings(lines, shown, reader)}
${filters(lines, shown, reader)}
${legend(reader)}
${sourcesTable(lines, shown, { reader, isRead })}
<p class="hint">${messages.status.doctor} <code dir="ltr">npm run --silent cli -- doctor</code></p>`,
  };
}

/** Says in one sentence whether all is well, and how old the rates are if no sources are read. */
function verdict(lines: readonly Line[], state: Reading['state'], data: PageData, reader: Reader): Html {
  const { formats, messages } = reader;
  const [look, text] = judge(lines, state, reader);
  return html`<p class="verdict verdict-${look}">${text}</p>
${dataAge(data, reader) ?? (state !== 'on' && html`<p class="lead">${messages.status.stored(formats.date(data.newest()))}</p>`)}`;
}

function judge(
  lines: readonly Line[],
  state: Reading['state'],
  { formats, messages: { status } }: Reader,
): [look: 'bad' | 'waiting' | 'fine', text: string] {
  if (state !== 'on') return ['bad', status[state]];
  const all = formats.count(lines.length);
  const bad = lines.filter(needsAttention).length;
  if (bad > 0) return ['bad', status.attention(formats.count(bad), all)];
  const waiting = lines.filter((line) => line.state === 'pending').length;
  if (waiting > 0) return ['waiting', status.waiting(formats.count(waiting), all)];
  return ['fine', status.fine];
}

/** Explains the states, each with its number of sources and a link to them. */
function meanings(lines: readonly Line[], shown: Shown, { formats, messages }: Reader): Html {
  const entries = STATES.map((state) => ({
    state,
    count: lines.filter((line) => line.state === state).length,
  }));
  return html`<nav class="card meanings" aria-label="${messages.status.meaning}"><ul>${entries
    .filter(({ count }) => count > 0)
    .map(
      ({ state, count }) =>
        html`<li><a href="${pathOf({ ...shown, state })}"${shown.state === state && html` aria-current="true"`}>${stateChip(state, messages)} <span>${formats.count(count)}</span></a> <small>${messages.states[state].sentence}</small></li>`,
    )}</ul></nav>`;
}

function filters(lines: readonly Line[], shown: Shown, { formats, messages: { status } }: Reader): Html {
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
<label class="visually-hidden" for="q">${status.search}</label><input id="q" name="q" type="search" placeholder="${status.search}" value="${shown.text}">
${[...parametersOf(shown)].filter(([name]) => name !== 'q').map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="visually-hidden">${status.find}</button>
<nav class="segments" aria-label="${status.filter}">${choice({ state: 'attention' }, isAttention, status.needAttention, lines.filter(needsAttention))}${choice({ state: 'all' }, isAll, status.all, lines)}</nav>
<nav class="segments" aria-label="${status.blend}">${choice(toggled('yes'), shown.blended === 'yes', status.blended, blended)}${choice(toggled('no'), shown.blended === 'no', status.notBlended, others)}</nav></form>`;
}
