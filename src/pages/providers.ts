import type { PageData } from './data.js';
import type { Page } from './layout.js';
import type { Reader } from './reader.js';
import { searchableTable, type TableLine } from './searchable-table.js';
import { html } from './shared/html.js';

/** `GET /providers`: every source, its rates and their first day. */
export function providersPage(text: string, data: PageData, reader: Reader): Page {
  const { formats, messages } = reader;
  const { providers: say, provider: of, status } = messages;
  const listed = data.providers();
  const lines = listed.map((provider): TableLine => {
    const { key, name, country_code: code, currencies, start_date: start, end_date: end, blended } = provider;
    const country = code ? formats.country(code) : '';
    return {
      texts: [key, name, country],
      cells: html`<th scope="row"><a href="/provider/${key}">${key}</a> <small>${name}</small></th><td>${country}</td><td>${blended ? of.yes : of.no}</td><td class="number">${formats.count(currencies.length)}</td><td class="number date">${start ? formats.shortDate(start) : '–'}</td><td class="number date">${end ? formats.shortDate(end) : '–'}</td>`,
    };
  });
  const count = formats.count(listed.length);
  const heads = html`<th scope="col">${status.column.name}</th><th scope="col">${of.country}</th><th scope="col">${status.blended}</th><th scope="col" class="number">${of.currencies}</th><th scope="col" class="number">${of.since}</th><th scope="col" class="number">${status.column.newest}</th>`;
  const table = { path: '/providers', text, label: status.search, heads, lines };
  return {
    title: say.title,
    summary: say.summary(count),
    path: '/providers',
    section: 'providers',
    script: 'listing.ts',
    body: html`<h1>${say.heading}</h1>
<p class="lead">${say.lead(count)}</p>
${searchableTable(table, reader)}`,
  };
}
