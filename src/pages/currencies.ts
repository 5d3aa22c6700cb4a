import { z } from 'zod';
import type { ListedCurrency } from '../catalogue/schemas.js';
import { lenientQuery } from '../parameters/query.js';
import { currencySelect } from './converter.js';
import { currencyHead } from './currency-name.js';
import type { PageData } from './data.js';
import { firstRatesPage } from './first-rates.js';
import type { Page } from './layout.js';
import { changeOf, rateCells } from './newest-rates.js';
import type { PageRequest, Reader } from './reader.js';
import { type Column, searchableTable } from './searchable-table.js';
import { currencySearchText } from './shared/currency-search.js';
import { frequentFirst } from './shared/frequent-currencies.js';
import { html } from './shared/html.js';
import type { RateRow } from './shared/rows.js';

/** An unknown base counts as missing. */
const baseQuery = lenientQuery(z.object({ base: z.string().optional() }));

export async function currenciesPage(
  data: PageData,
  { target, reader, context }: PageRequest,
): Promise<Page> {
  if (!data.hasRates()) return firstRatesPage(data, reader, false);
  const { say } = reader;
  const listed = data.currencies();
  const current = new Set(listed.map(({ iso_code }) => iso_code));
  const all = new Map(data.allCurrencies().map((one) => [one.iso_code, one]));
  const asked = baseQuery.read(target).base?.trim().toUpperCase() ?? '';
  const base = current.has(asked) ? asked : 'EUR';
  const month = await data.month({ base, newest: data.newest() }, context);
  const codes = [...frequentFirst([...current]), ...[...all.keys()].filter((code) => !current.has(code))];
  const table = {
    path: '/currencies',
    target,
    label: say('picker.search'),
    nothing: say('picker.nothing'),
    fields: html`<div class="field field-base"><label for="base" id="base-label">${say('builder.base')}</label>${currencySelect({ name: 'base', selected: base }, listed, reader)}</div>`,
    columns: columnsFor(base, reader),
    lines: codes.flatMap((code) => {
      const currency = all.get(code);
      const rows = month.get(code) ?? [];
      return currency
        ? [lineOf(currency, { rows, isBase: code === base, isCurrent: current.has(code) }, reader)]
        : [];
    }),
  };
  return {
    title: say('currencies.title'),
    summary: say('currencies.summary', { count: all.size }),
    path: '/currencies',
    section: 'currencies',
    script: 'currencies.ts',
    body: html`<h1>${say('currencies.heading')}</h1>
<p class="lead">${say('currencies.lead', { current: current.size, past: all.size - current.size })} ${say('newest.hint')}.</p>
${searchableTable(table, reader)}`,
  };
}

function columnsFor(base: string, { say }: Reader): Column[] {
  return [
    { name: 'name', label: say('newest.currency'), first: 'ascending' },
    { name: 'rate', label: say('newest.price', { base }), first: 'descending', classes: 'number' },
    { name: 'change', label: say('newest.change'), first: 'descending', classes: 'number' },
    { name: 'month', label: say('newest.month'), classes: 'line' },
    { name: 'date', label: say('newest.date'), first: 'descending', classes: 'number date' },
  ];
}

interface LineFacts {
  /** Of a month, the oldest first. */
  rows: readonly RateRow[];
  isBase: boolean;
  isCurrent: boolean;
}

/** Without newer rates, with the day of the last one. */
function lineOf(
  { iso_code: code, name, symbol, end_date: end }: ListedCurrency,
  { rows, isBase, isCurrent }: LineFacts,
  { formats, say }: Reader,
) {
  const last = rows.at(-1);
  const note = isCurrent ? '' : say('currencies.past');
  const change = isBase ? undefined : changeOf(rows);
  return {
    searched: currencySearchText(code, formats, [name, symbol]),
    keys: { name: code, rate: last?.rate, change, date: last?.date ?? end },
    cells:
      last && !isBase
        ? rateCells(code, rows, formats)
        : html`${currencyHead(code, formats, note)}<td class="number">${isBase && formats.count(1)}</td><td></td><td class="line"></td><td class="number date">${isBase ? formats.day(end) : formats.shortDate(end)}</td>`,
  };
}
