import type { PageData } from './data.js';
import type { Page } from './layout.js';
import type { PageRequest } from './reader.js';
import { searchableTable, searchQuery } from './searchable-table.js';
import { html } from './shared/html.js';

export function providersPage(data: PageData, { target, reader }: PageRequest): Page {
  const { formats, say } = reader;
  const listed = data.providers();
  const dateOf = (date: string | null) => (date ? formats.shortDate(date) : '–');
  const lines = listed.map(({ key, name, country_code, currencies, start_date, end_date, blended }) => {
    const country = country_code ? formats.country(country_code) : '';
    return {
      texts: [key, name, country],
      cells: html`<th scope="row"><a href="/provider/${key}">${key}</a> <small>${name}</small></th><td>${country}</td><td>${say(blended ? 'provider.yes' : 'provider.no')}</td><td class="number">${formats.count(currencies.length)}</td><td class="number date">${dateOf(start_date)}</td><td class="number date">${dateOf(end_date)}</td>`,
    };
  });
  const heads = html`<th scope="col">${say('status.column.name')}</th><th scope="col">${say('provider.country')}</th><th scope="col">${say('status.blended')}</th><th scope="col" class="number">${say('frame.currencies')}</th><th scope="col" class="number">${say('currency.since')}</th><th scope="col" class="number">${say('status.column.newest')}</th>`;
  const { q: text } = searchQuery.read(target);
  const table = { path: '/providers', text, label: say('status.search'), heads, lines };
  return {
    title: say('providers.title'),
    summary: say('providers.summary', { count: listed.length }),
    path: '/providers',
    section: 'providers',
    script: 'listing.ts',
    body: html`<h1>${say('providers.heading')}</h1>
<p class="lead">${say('providers.lead', { count: listed.length })}</p>
${searchableTable(table, reader)}`,
  };
}
