import { currencyName } from './currency-name.js';
import type { PageData } from './data.js';
import type { Page } from './layout.js';
import type { PageRequest } from './reader.js';
import { searchableTable, searchQuery } from './searchable-table.js';
import { countriesOf } from './shared/countries.js';
import { html } from './shared/html.js';

export function currenciesPage(data: PageData, { target, reader }: PageRequest): Page {
  const { formats, say } = reader;
  const current = new Set(data.currencies().map(({ iso_code }) => iso_code));
  const all = data.allCurrencies();
  const isCurrent = ({ iso_code }: { iso_code: string }) => current.has(iso_code);
  const sorted = [...all.filter(isCurrent), ...all.filter((one) => !isCurrent(one))];
  const lines = sorted.map(({ iso_code: code, name: english, symbol, start_date, end_date }) => {
    const name = currencyName(code, formats);
    return {
      texts: [code, name, english, symbol, ...countriesOf(code).map(formats.country)],
      cells: html`<th scope="row"><a href="/currency/${code}">${code}</a> <small>${name}</small></th><td>${symbol}</td><td class="number date">${formats.shortDate(start_date)}</td><td class="number date">${formats.shortDate(end_date)}</td>`,
    };
  });
  const heads = html`<th scope="col">${say('currencies.currency')}</th><th scope="col">${say('currencies.symbol')}</th><th scope="col" class="number">${say('currencies.since')}</th><th scope="col" class="number">${say('status.column.newest')}</th>`;
  const { q: text } = searchQuery.read(target);
  const table = { path: '/currencies', text, label: say('picker.search'), heads, lines };
  return {
    title: say('currencies.title'),
    summary: say('currencies.summary', { count: all.length }),
    path: '/currencies',
    section: 'currencies',
    script: 'listing.ts',
    body: html`<h1>${say('currencies.heading')}</h1>
<p class="lead">${say('currencies.lead', { current: current.size, past: all.length - current.size })}</p>
${searchableTable(table, reader)}`,
  };
}
