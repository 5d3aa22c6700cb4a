import type { PageData } from './data.js';
import type { Page } from './layout.js';
import type { Reader } from './reader.js';
import { searchableTable, type TableLine } from './searchable-table.js';
import { countriesOf } from './shared/countries.js';
import { html } from './shared/html.js';

/** `GET /currencies`: every currency that has rates, those in use first. */
export function currenciesPage(text: string, data: PageData, reader: Reader): Page {
  const { formats, messages } = reader;
  const { currencies: say, status } = messages;
  const current = new Set(data.currencies().map(({ iso_code }) => iso_code));
  const all = data.allCurrencies();
  const made = all.map(({ iso_code: code, name: english, symbol, start_date, end_date }) => {
    const name = formats.currency(code) ?? english;
    const line: TableLine = {
      texts: [code, name, english, symbol, ...countriesOf(code).map(formats.country)],
      cells: html`<th scope="row"><a href="/currency/${code}">${code}</a> <small>${name}</small></th><td>${symbol}</td><td class="number date">${formats.shortDate(start_date)}</td><td class="number date">${formats.shortDate(end_date)}</td>`,
    };
    return { code, line };
  });
  const isCurrent = ({ code }: { code: string }) => current.has(code);
  const lines = [...made.filter(isCurrent), ...made.filter((one) => !isCurrent(one))].map(({ line }) => line);
  const heads = html`<th scope="col">${say.currency}</th><th scope="col">${say.symbol}</th><th scope="col" class="number">${say.since}</th><th scope="col" class="number">${status.column.newest}</th>`;
  const table = { path: '/currencies', text, label: messages.picker.search, heads, lines };
  return {
    title: say.title,
    summary: say.summary(formats.count(all.length)),
    path: '/currencies',
    section: 'currencies',
    script: 'listing.ts',
    body: html`<h1>${say.heading}</h1>
<p class="lead">${say.lead(formats.count(current.size), formats.count(all.length - current.size))}</p>
${searchableTable(table, reader)}`,
  };
}
