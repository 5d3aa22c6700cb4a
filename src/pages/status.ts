import { z } from 'zod';
import { providerOf } from '../../core/domain/providers.js';
import type { CatalogueHolder } from '../catalogue/holder.js';
import type { ListedProvider } from '../catalogue/schemas.js';
import type { ReadActivity } from './activity.js';
import type { PageData } from './data.js';
import { type Html, html } from './html.js';
import type { Page } from './layout.js';
import {
  dayStrip,
  deviationChart,
  notesOn,
  type ProviderStatus,
  STATES,
  stateChip,
} from './provider-facts.js';
import type { PageRequest } from './reader.js';
import type { Formats } from './shared/format.js';

/** By what the list can be sorted. */
const SORTS = ['state', 'name', 'newest', 'next', 'deviation'] as const;

type Sort = (typeof SORTS)[number];

/** What is not understood is ignored: nothing is computed from it. */
export const statusQuery = z.object({
  state: z.string().optional(),
  sort: z.string().optional(),
  q: z.string().optional(),
});

interface Dependencies {
  data: PageData;
  catalogue: Pick<CatalogueHolder, 'current'>;
  activity: ReadActivity;
}

/** A provider as a line of the list. */
interface Line {
  provider: ListedProvider;
  /** What it is sorted by, in each way. */
  keys: Readonly<Record<Sort, string | number>>;
  cells: Html;
}

const STATUSES = Object.keys(STATES) as ProviderStatus[];

/** `GET /status`: whether every provider has published, and how its rates look beside the others. */
export async function statusPage(
  query: z.output<typeof statusQuery>,
  { data, catalogue, activity: readActivity }: Dependencies,
  { reader: { formats }, context }: PageRequest,
): Promise<Page> {
  const today = data.today();
  const listed = data.providers();
  const activity = await readActivity(today);
  const states = catalogue.current()?.providers;
  const lines: Line[] = [];
  for (const provider of listed) {
    await context.yieldNow();
    const lately = activity.get(provider.key);
    const notes = notesOn(provider, {
      lately,
      lastError: states?.get(provider.key)?.lastError ?? null,
      coverageStart: providerOf(provider.key)?.coverage_start ?? null,
      today,
      formats,
    });
    const { key, name, status, end_date: newest, next_publish_at: next } = provider;
    const deviation = lately?.deviation ?? null;
    lines.push({
      provider,
      keys: {
        state: STATUSES.indexOf(status),
        name: key,
        newest: newest ?? '',
        next: next ?? '9999',
        deviation: deviation?.median ?? -1,
      },
      cells: html`<th scope="row"><a href="/provider/${key}">${key}</a> <small>${name}</small></th>
<td>${stateChip(status)}</td>
<td class="number" data-label="Newest">${newest ? formats.shortDate(newest) : '–'}</td>
<td class="number" data-label="Next">${next ? formats.instant(next) : '–'}</td>
<td class="wide" data-label="90 days">${dayStrip({ days: lately?.days ?? [], thinDays: lately?.thinDays ?? [] }, today)}</td>
<td class="wide" data-label="Deviation">${deviation && html`${deviationChart(deviation, formats)}<small>${formats.percent(deviation.median)}</small>`}</td>
<td class="notes">${notes.map((note) => html`<p>${note}</p>`)}</td>`,
    });
  }
  await context.yieldNow('long step');
  const shown = { sort: sortOf(query.sort), state: stateOf(query.state), text: query.q?.trim() ?? '' };
  return {
    title: 'Status of the sources · Almanac',
    summary: `Whether each of ${listed.length} sources of exchange rates has published.`,
    path: '/status',
    section: 'status',
    script: 'status.ts',
    body: html`<h1>Status of the sources</h1>
<p class="lead">${summary(lines, formats)}</p>
${filters(lines, shown, formats)}
${table(lines, shown)}
<section class="card explain"><h2>How to read this</h2>
<dl>${STATUSES.map((status) => html`<div><dt>${stateChip(status)}</dt><dd>${STATES[status].sentence}</dd></div>`)}</dl>
<p>The strip shows the last ninety days, today at the right: a bar for each day with rates, a short one where there were far fewer currencies than usual. The deviation is how far a source is from the blend of all in that time, on a logarithmic scale from 0.001 % to 10 %: the bar ends where half of its rates are nearer, the line where nine of ten are. Sources that set rates for weeks or months, or that quote an official rate beside a market, are far from it by nature.</p>
<p>Whoever runs this service finds out why a source fails, and what to do, with <code>npm run --silent cli -- doctor</code>.</p></section>`,
  };
}

function sortOf(text: string | undefined): Sort {
  return SORTS.find((sort) => sort === text) ?? 'state';
}

function stateOf(text: string | undefined): ProviderStatus | undefined {
  return STATUSES.find((status) => status === text);
}

interface Shown {
  sort: Sort;
  state: ProviderStatus | undefined;
  text: string;
}

function countOf(lines: readonly Line[], status: ProviderStatus): number {
  return lines.filter(({ provider }) => provider.status === status).length;
}

function summary(lines: readonly Line[], formats: Formats): string {
  const counted = STATUSES.map((status) => ({ status, count: countOf(lines, status) }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${formats.count(count)} ${STATES[status].summary}`);
  return `${formats.count(lines.length)} sources: ${counted.join(', ')}.`;
}

function filters(lines: readonly Line[], { state, sort, text }: Shown, formats: Formats): Html {
  const chip = (status: ProviderStatus | undefined, name: string, count: number) => {
    const path = pathOf({ sort, q: text, state: status });
    return html`<a class="filter" href="${path}" data-state="${status}"${status === state && html` aria-current="true"`}>${name} <span>${formats.count(count)}</span></a>`;
  };
  return html`<form class="filters" action="/status" method="get" role="search" data-filters>
<label class="visually-hidden" for="q">Find a source</label><input id="q" name="q" type="search" placeholder="Find a source or a country" value="${text}">
${state && html`<input type="hidden" name="state" value="${state}">`}<input type="hidden" name="sort" value="${sort}">
<button class="visually-hidden">Find</button>
<nav aria-label="State">${chip(undefined, 'All', lines.length)}${STATUSES.map((status) => {
    const count = countOf(lines, status);
    return count > 0 && chip(status, STATES[status].name, count);
  })}</nav></form>`;
}

const HEADS: readonly { sort?: Sort; name: string; isNumber?: true }[] = [
  { sort: 'name', name: 'Source' },
  { sort: 'state', name: 'State' },
  { sort: 'newest', name: 'Newest', isNumber: true },
  { sort: 'next', name: 'Next', isNumber: true },
  { name: 'Last 90 days' },
  { sort: 'deviation', name: 'Deviation' },
  { name: 'Notes' },
];

/** In which order a sort begins: the newest dates and the greatest deviations first. */
function orderOf(sort: Sort): 'ascending' | 'descending' {
  return sort === 'newest' || sort === 'deviation' ? 'descending' : 'ascending';
}

function table(lines: readonly Line[], { sort, state, text }: Shown): Html {
  const direction = orderOf(sort) === 'descending' ? -1 : 1;
  const sorted = lines.toSorted((one, other) => compare(one.keys[sort], other.keys[sort]) * direction);
  const words = text.toLowerCase();
  const lineOf = ({ provider, keys, cells }: Line) => {
    const { key, name, country_code: country, status } = provider;
    const searched = `${key} ${name} ${country ?? ''} ${country ? countryName(country) : ''}`.toLowerCase();
    const isHidden = (state !== undefined && state !== status) || !searched.includes(words);
    const line = html`<tr data-state="${status}" data-text="${searched}" ${SORTS.map((one) => html` data-${one}-key="${keys[one]}"`)}${isHidden && html` hidden`}>${cells}</tr>`;
    return { line, isHidden };
  };
  const made = sorted.map(lineOf);
  const isEmpty = made.every(({ isHidden }) => isHidden);
  return html`<table class="card status" data-sources>
<thead><tr>${HEADS.map(({ sort: own, name, isNumber }) => {
    if (!own) return html`<th scope="col">${name}</th>`;
    const path = pathOf({ sort: own, state, q: text });
    return html`<th scope="col"${isNumber && html` class="number"`}${own === sort && html` aria-sort="${orderOf(own)}"`}><a href="${path}" data-sort="${own}" data-order="${orderOf(own)}">${name}</a></th>`;
  })}</tr></thead>
<tbody>${made.map(({ line }) => line)}</tbody></table>
<p class="empty" role="status" data-none${!isEmpty && html` hidden`}>No source matches.</p>`;
}

/** This page with other parameters, in their order; those that are empty are left out. */
function pathOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
  return `/status?${query}`;
}

const countries = new Intl.DisplayNames('en', { type: 'region' });

function countryName(code: string): string {
  return countries.of(code) ?? '';
}

function compare(one: string | number, other: string | number): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
