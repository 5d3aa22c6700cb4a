import { z } from 'zod';
import { currencies as currencyFacts } from '../../core/domain/currencies.js';
import { providers } from '../../core/domain/providers.js';
import type { ListedCurrency } from '../catalogue/schemas.js';
import { HttpError } from '../http/errors.js';
import type { RequestContext } from '../http/route.js';
import { chartSection } from './chart-section.js';
import type { Conversion, PageData } from './data.js';
import { type Html, html } from './html.js';
import type { Page } from './layout.js';
import { sparkline } from './line-chart.js';
import { formatsFor, localeOf } from './locale.js';
import type { Formats } from './shared/format.js';
import {
  conversionSnippets,
  isSpan,
  newestSnippets,
  normalAmount,
  type SeriesRequest,
  type Snippet,
  SPANS,
  seriesSnippets,
} from './shared/requests.js';
import { type RateRow, shownOf } from './shared/rows.js';

const parameter = (description: string, example: string, more: { format?: string; enum?: string[] } = {}) =>
  z
    .string()
    .optional()
    .meta({ description: `Page: ${description}`, ...more, examples: [example] });

/** What the page shows; anything that can't be read counts as not given, but an amount or a date, which is refused. */
export const homeQuery = z.object({
  amount: parameter('the amount to convert', '100'),
  base: parameter('the currency of the amount', 'EUR'),
  quote: parameter('the currency of the result', 'USD'),
  date: parameter('the day of the rate', '2026-03-02', { format: 'date' }),
  span: parameter('how far back the chart goes', '1y', { enum: [...SPANS] }),
  swap: parameter('1 exchanges the two currencies', '1'),
});

export type HomeQuery = z.output<typeof homeQuery>;

/** The currencies that are listed first: those most traded (BIS Triennial Survey 2022). */
const MAJOR = [
  'USD',
  'EUR',
  'JPY',
  'GBP',
  'CNY',
  'AUD',
  'CAD',
  'CHF',
  'HKD',
  'SGD',
  'SEK',
  'KRW',
  'NOK',
  'NZD',
  'INR',
  'MXN',
];
const MOST_MAJOR = 12;

interface Shown {
  /** As the reader typed it. */
  typed: string;
  amount: string;
  base: string;
  quote: string;
  date: string | undefined;
  series: SeriesRequest;
}

/** `GET /` for readers: a converter, the chart of a pair, the newest rates, and the requests that made them. */
export async function homePage(query: HomeQuery, data: PageData, context: RequestContext): Promise<Page> {
  const locale = localeOf(context.headers['accept-language']);
  const formats = formatsFor(locale);
  const newest = data.newest();
  const shown = shownBy(query, { newest, locale });
  const { base, quote } = shown;
  const listed = data.currencies();
  const [conversion, rows, month] = await Promise.all([
    convert(shown, data, context),
    data.series(shown.series, context),
    data.month({ base, newest }, context),
  ]);
  const origin = originOf(context);
  await context.yieldNow('long step');
  const form = converter(shown, listed, conversion, { formats, today: data.today() });
  await context.yieldNow();
  const chart = chartSection({
    request: shown.series,
    rows: shownOf(rows, shown.series.span),
    month: month.get(quote) ?? [],
    formats,
    hrefOf: (span) =>
      `/?${new URLSearchParams({ amount: shown.typed, base, quote, span, ...(shown.date && { date: shown.date }) })}`,
  });
  await context.yieldNow();
  const newestTable = newestRates(base, listed, month, formats);
  await context.yieldNow();
  return {
    title: 'Almanac: exchange rates from official sources',
    summary: `Exchange rates of ${listed.length} currencies, blended from ${providers.length} official sources.`,
    section: 'rates',
    script: 'home.ts',
    locale,
    ...('error' in conversion && { status: conversion.error.status }),
    body: html`<h1>Exchange rates, from the banks that publish them</h1>
<p class="lead">One rate a day for ${formats.count(listed.length)} currencies, blended from ${formats.count(providers.length)} official sources. Newest: ${formats.date(newest)}.</p>
${form}
${chart}
${requestBox([
  { of: 'conversion', name: 'Conversion', snippets: conversionSnippets(origin, shown) },
  { of: 'series', name: 'Chart', snippets: seriesSnippets(origin, shown.series) },
  { of: 'newest', name: 'Newest rates', snippets: newestSnippets(origin, { base, newest }) },
])}
${newestTable}`,
  };
}

function shownBy(query: HomeQuery, { newest, locale }: { newest: string; locale: string }): Shown {
  const given = [codeOf(query.base) ?? 'EUR', codeOf(query.quote)] as const;
  const pair = { base: given[0], quote: given[1] ?? (given[0] === 'USD' ? 'EUR' : 'USD') };
  const { base, quote } = query.swap ? { base: pair.quote, quote: pair.base } : pair;
  const span = isSpan(query.span) ? query.span : '1m';
  const typed = query.amount?.trim() || '100';
  return {
    typed,
    amount: normalAmount(typed, locale),
    base,
    quote,
    date: query.date || undefined,
    series: { base, quote, span, newest },
  };
}

function codeOf(text: string | undefined): string | undefined {
  const code = text?.trim().toUpperCase() ?? '';
  return currencyFacts.has(code) ? code : undefined;
}

/** Where the reader's browser has reached the service; the script knows it better behind a proxy with TLS. */
function originOf({ headers, isSecure }: RequestContext): string {
  const host = /^[\w.:[\]-]+$/.test(headers.host ?? '') ? headers.host : 'localhost';
  return `${isSecure ? 'https' : 'http'}://${host}`;
}

/** The conversion, or why there is none: a wrong amount or date is for the reader to mend. */
async function convert(
  shown: Shown,
  data: PageData,
  context: RequestContext,
): Promise<Conversion | { error: HttpError }> {
  try {
    return await data.convert(shown, context);
  } catch (error) {
    if (error instanceof HttpError && error.status < 500) return { error };
    throw error;
  }
}

function converter(
  { typed, base, quote, date, series }: Shown,
  listed: readonly ListedCurrency[],
  conversion: Conversion | { error: HttpError },
  { formats, today }: { formats: Formats; today: string },
): Html {
  return html`<form class="card converter" action="/" method="get" data-converter>
<div class="field field-amount"><label for="amount">Amount</label><input id="amount" name="amount" inputmode="decimal" autocomplete="off" value="${typed}" required></div>
<div class="field"><label for="base">From</label>${currencySelect('base', base, listed)}</div>
<button class="swap" name="swap" value="1" aria-label="Swap the two currencies"><span aria-hidden="true">⇄</span></button>
<div class="field"><label for="quote">To</label>${currencySelect('quote', quote, listed)}</div>
<div class="field field-date"><label for="date">On <small>(empty: newest)</small></label><input id="date" name="date" type="date" max="${today}" value="${date}"></div>
<input type="hidden" name="span" value="${series.span}">
<button class="primary" data-submit>Convert</button>
<output class="result" for="amount base quote date" data-result>${
    'error' in conversion
      ? html`<span class="problem">${conversion.error.message}</span>`
      : resultOf(conversion, formats)
  }</output>
</form>`;
}

function resultOf({ amount, base, quote, observed, rate, result }: Conversion, formats: Formats): Html {
  return html`<span class="result-amount">${formats.decimal(amount)} ${base} =</span> <strong>${formats.decimal(result)} ${quote}</strong>
<small>1 ${base} = ${formats.rate(rate)} ${quote}, observed ${formats.date(observed)}</small>`;
}

function currencySelect(name: string, selected: string, listed: readonly ListedCurrency[]): Html {
  const known = listed.some(({ iso_code }) => iso_code === selected);
  const options = known
    ? listed
    : [{ iso_code: selected, name: currencyFacts.get(selected)?.name ?? '' }, ...listed];
  return html`<select id="${name}" name="${name}">${options.map(
    ({ iso_code, name: full }) =>
      html`<option value="${iso_code}"${iso_code === selected && html` selected`}>${iso_code} · ${full}</option>`,
  )}</select>`;
}

/** The forms of one request. */
interface SnippetSet {
  of: string;
  name: string;
  snippets: readonly Snippet[];
}

function requestBox(sets: readonly SnippetSet[]): Html {
  return html`<section class="card request" aria-labelledby="request-title" data-request>
<div class="card-head"><h2 id="request-title">The request behind it</h2>
<div class="segments" role="radiogroup" aria-label="Of what">${sets.map(
    ({ of, name }, index) =>
      html`<label><input type="radio" name="request-of" value="${of}"${index === 0 && html` checked`}>${name}</label>`,
  )}</div></div>
${sets.map(snippetTabs)}
</section>`;
}

/** The forms of one request as tabs, which need no script: each is shown while its radio button is checked. */
function snippetTabs({ of, snippets }: SnippetSet): Html {
  return html`<div class="snippets" data-snippets="${of}">${snippets.map(({ name, text }, index) => {
    const id = `${of}-${name.replace(' ', '-')}`;
    return html`<input type="radio" name="form-${of}" id="${id}"${index === 0 && html` checked`}><label for="${id}">${name}</label>
<pre tabindex="0" aria-label="${name}" data-snippet="${name}"><code>${text}</code></pre>`;
  })}</div>`;
}

function newestRates(
  base: string,
  listed: readonly ListedCurrency[],
  month: ReadonlyMap<string, RateRow[]>,
  formats: Formats,
): Html {
  const quotes = listed.map(({ iso_code }) => iso_code).filter((code) => code !== base && month.has(code));
  const major = MAJOR.filter((code) => quotes.includes(code)).slice(0, MOST_MAJOR);
  const others = quotes.filter((code) => !major.includes(code));
  const table = (codes: readonly string[], withLines: boolean) =>
    html`<table class="rates"><thead><tr><th scope="col">Currency</th><th scope="col" class="number">For one ${base}</th><th scope="col" class="number">Change</th>${withLines && html`<th scope="col" class="line">Month</th>`}<th scope="col" class="number date">Date</th></tr></thead>
<tbody>${codes.map((code) => rateLine(code, month.get(code) ?? [], formats, withLines))}</tbody></table>`;
  return html`<section class="card" aria-labelledby="newest-title">
<div class="card-head"><h2 id="newest-title">Newest rates</h2><p class="hint">Change since the day before with a rate</p></div>
${table(major, true)}
${others.length > 0 && html`<details class="figures"><summary>${formats.count(others.length)} more currencies</summary>${table(others, false)}</details>`}
</section>`;
}

function rateLine(
  code: string,
  rows: readonly RateRow[],
  formats: Formats,
  withLine: boolean,
): Html | undefined {
  const last = rows.at(-1);
  const previous = rows.at(-2);
  if (!last) return undefined;
  const change = previous ? last.rate / previous.rate - 1 : undefined;
  return html`<tr><th scope="row"><a href="/currency/${code}">${code}</a> <small>${currencyFacts.get(code)?.name}</small></th><td class="number">${formats.rate(last.rate)}</td><td class="number ${changeClass(change)}">${change !== undefined && formats.change(change)}</td>${withLine && html`<td class="line">${sparkline(rows)}</td>`}<td class="number date">${formats.day(last.date)}</td></tr>`;
}

/** What is shown as no change is none. */
function changeClass(change = 0): string {
  if (Math.abs(change) < 0.00005) return 'same';
  return change > 0 ? 'up' : 'down';
}
