import type { ListedCurrency } from '../catalogue/schemas.js';
import { currencySelect } from './converter.js';
import { currencyName, frequentFirst } from './currency-name.js';
import type { PageData } from './data.js';
import { dataAge, firstRatesPage } from './data-age.js';
import type { Page } from './layout.js';
import { changeOf, rateCells } from './newest-rates.js';
import { type PageRequest, parametersOf, type Reader } from './reader.js';
import { type SearchableTable, searchableTable } from './searchable-table.js';
import { currencySearchText } from './shared/currency-search.js';
import { html } from './shared/html.js';
import type { RateRow } from './shared/rows.js';

export async function currenciesPage(data: PageData, request: PageRequest): Promise<Page> {
  const { target, reader, context } = request;
  if (!data.hasRates()) return firstRatesPage(data, reader, false);
  const { say } = reader;
  const listed = data.currencies();
  const current = new Set(listed.map(({ iso_code }) => iso_code));
  const all = new Map(data.allCurrencies().map((one) => [one.iso_code, one]));
  // An unknown base counts as missing.
  const query = parametersOf(target);
  const asked = query.get('base')?.trim().toUpperCase() ?? '';
  const base = current.has(asked) ? asked : 'EUR';
  const month = await data.month({ base, newest: data.newest() }, context);
  const table: SearchableTable = {
    path: '/currencies',
    target,
    about: 'picker',
    look: { card: 'card', table: 'rates listing quotes' },
    back: html`<small>${say('currencies.try')}</small><a class="button" href="/currencies">${say('newest.all', { count: all.size })}</a>`,
    base: html`<div class="field field-base"><label for="base" id="base-label">${say('builder.base')}</label>${currencySelect({ name: 'base', selected: base }, listed, reader)}</div>`,
    columns: [
      { name: 'name', label: say('newest.currency'), first: 'ascending' },
      { name: 'rate', label: say('newest.price', { base }), first: 'descending', classes: 'number' },
      { name: 'change', label: say('newest.change'), first: 'descending', classes: 'number' },
      { name: 'month', label: say('newest.month'), classes: 'line' },
      { name: 'date', label: say('newest.date'), first: 'descending', classes: 'number date' },
    ],
    // Those of the past at the end.
    lines: [...new Set([...frequentFirst([...current]), ...all.keys()])].flatMap((code) => {
      const currency = all.get(code);
      const own = { date: all.get(base)?.end_date ?? '', base, quote: base, rate: 1 };
      const rows = code === base ? [own] : (month.get(code) ?? []);
      const isPast = !current.has(code);
      const isSearched = query.has('q');
      const isShown = code !== base || isSearched;
      return currency && isShown ? [lineOf(currency, rows, { isPast, isSearched }, reader)] : [];
    }),
  };
  return {
    title: say('currencies.title'),
    summary: say('currencies.summary', { count: all.size }),
    section: 'currencies',
    script: 'listing.ts',
    body: html`<h1>${say('currencies.heading')}</h1>
<p class="lead">${say('currencies.lead', { current: current.size, past: all.size - current.size })} ${say('newest.hint')}.</p>
${dataAge(data, reader)}
${searchableTable(table, reader)}`,
  };
}

/** Without rows, with the day of the last one. */
function lineOf(
  { iso_code: code, name, symbol, end_date: end }: ListedCurrency,
  rows: readonly RateRow[],
  { isPast, isSearched }: Record<'isPast' | 'isSearched', boolean>,
  { formats, say }: Reader,
) {
  const last = rows.at(-1);
  const searched = isSearched ? currencySearchText(code, formats, [name, symbol]) : '';
  const note = html`${isPast && html` <small>${say('currencies.past')}</small>`}`;
  return {
    link: html`<a href="/currency/${code}">${currencyName(code, formats)} (${code})</a>`,
    searched,
    keys: { name: code, rate: last?.rate, change: changeOf(rows), date: last?.date ?? end },
    cells: rateCells({ code, note, end }, rows, formats),
  };
}
