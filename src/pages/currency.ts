import { currencies as currencyFacts, lifetimeOf } from '../../core/domain/currencies.js';
import type { DescribedCurrency } from '../catalogue/schemas.js';
import type { RequestContext } from '../http/route.js';
import { chartSection } from './chart-section.js';
import type { PageData } from './data.js';
import type { Page } from './layout.js';
import { MAJOR } from './newest-rates.js';
import { notFoundPage } from './not-found.js';
import { pegText } from './peg-text.js';
import type { PageRequest, Reader } from './reader.js';
import { type Html, html } from './shared/html.js';
import { isSpan, type SeriesRequest } from './shared/requests.js';
import { type RateRow, shownOf } from './shared/rows.js';
import { shownRate } from './shared/shown-rate.js';

const MOST_MAJOR = 8;

/** `GET /currency/{code}`: the facts about a currency, its sources, its peg and its chart. */
export async function currencyPage(
  span: string | undefined,
  data: PageData,
  request: PageRequest,
): Promise<Page> {
  const { code = '' } = request.context.params;
  const currency = data.currency(code);
  if (currency) return pageOf(currency, span, data, request);
  return notFoundPage({ what: 'currency', wanted: code }, data, request.reader);
}

async function pageOf(
  currency: DescribedCurrency,
  span: string | undefined,
  data: PageData,
  { reader, context }: PageRequest,
): Promise<Page> {
  const { formats, messages } = reader;
  const say = messages.currency;
  const { iso_code: own } = currency;
  const name = formats.currency(own) ?? currency.name;
  const other = own === 'USD' ? 'EUR' : 'USD';
  const newest = data.newest();
  // The chart of an ended currency ends with it.
  const end = currency.end_date < newest ? currency.end_date : newest;
  const series: SeriesRequest = { base: other, quote: own, span: isSpan(span) ? span : '1y', newest: end };
  const [rows, month] = await Promise.all([
    data.series(series, context),
    data.month({ base: own, newest: end }, context),
  ]);
  const traded = await majorRates(own, month, data, context);
  const price = traded.find(({ code }) => code === other)?.inverse;
  return {
    title: `${name} (${own})${price !== undefined ? `: 1 ${other} = ${formats.shown(price)} ${own}` : ''} · Almanac`,
    summary: say.summary(name, own, formats.date(currency.start_date)),
    path: `/currency/${own}`,
    section: 'currencies',
    script: 'series.ts',
    body: html`<p class="crumbs"><a href="/currencies">${messages.frame.currencies}</a></p>
<h1><span class="code">${own}</span> ${name}</h1>
${factsOf(currency, reader)}
${ending(own, reader)}
${peg(currency, reader)}
<div class="columns">${convertForm(own, other, reader)}${majors(own, traded, reader)}</div>
${chartSection({
  request: series,
  rows: shownOf(rows, series.span),
  reader,
  hrefOf: (one) => `/currency/${own}?span=${one}`,
})}
${publishers(currency, data, reader)}`,
  };
}

function factsOf(
  { iso_numeric: number, symbol, start_date: start, end_date: end, providers }: DescribedCurrency,
  { formats, messages: { currency: say } }: Reader,
): Html {
  const fact = (label: string, text: string) => html`<div><dt>${label}</dt><dd>${text}</dd></div>`;
  return html`<dl class="facts card">${fact(say.symbol, symbol)}${fact(say.number, number ?? say.none)}${fact(say.since, formats.date(start))}${fact(say.newest, formats.date(end))}${fact(say.sources, formats.count(providers.length))}</dl>`;
}

/** When a currency ended, and its successor. */
function ending(own: string, { formats, messages: { currency: say } }: Reader): Html | undefined {
  const { until, replacedBy } = lifetimeOf(own);
  if (until === undefined) return undefined;
  return html`<p class="card note">${say.until(formats.date(until))} ${
    replacedBy &&
    html`${say.successor(formats.decimal(String(replacedBy.ratio)), own, replacedBy.code)} <a href="/currency/${replacedBy.code}">${replacedBy.code}</a>`
  }</p>`;
}

function peg(
  { iso_code: own, peg }: DescribedCurrency,
  { formats, messages: { currency: say } }: Reader,
): Html | undefined {
  if (!peg) return undefined;
  const { rate, base, authority, source } = peg;
  return html`<p class="card note">${say.held(`${formats.shown(rate)} ${own}`, base, authority)} ${say.follows} <a href="${source}" rel="noreferrer">${say.statement}</a></p>`;
}

/** A form that opens the converter. */
function convertForm(own: string, other: string, { messages: { converter, currency: say } }: Reader): Html {
  return html`<form class="card quick" action="/" method="get"><h2>${say.convert}</h2>
<div class="field"><label for="amount">${converter.amount}</label><input id="amount" name="amount" inputmode="decimal" autocomplete="off" value="100" required></div>
<p><button class="primary" name="base" value="${own}">${own} → ${other}</button> <button class="primary" name="quote" value="${own}">${other} → ${own}</button></p></form>`;
}

/** The rate of a currency in another one and its inverse, as `/v2/rate` shows them. */
interface MajorRate {
  code: string;
  rate: number;
  inverse: number;
}

/** Reads the newest rates of a currency in the most traded ones. */
async function majorRates(
  own: string,
  month: ReadonlyMap<string, RateRow[]>,
  data: PageData,
  context: RequestContext,
): Promise<MajorRate[]> {
  const newest = MAJOR.flatMap((code) => (code === own ? [] : (month.get(code)?.slice(-1) ?? [])));
  const both = newest.slice(0, MOST_MAJOR).map(async (row) => {
    const { date, quote: code } = row;
    const [inverse] = await data.rates({ base: code, quotes: own, date }, context);
    return inverse ? [{ code, rate: shownRate(row, pegText(code)), inverse: inverse.rate }] : [];
  });
  return (await Promise.all(both)).flat();
}

/** Shows the rates of the currency in the most traded ones, both ways. */
function majors(
  own: string,
  lines: readonly MajorRate[],
  { formats, messages: { currency: say } }: Reader,
): Html | undefined {
  if (lines.length === 0) return undefined;
  return html`<section class="card"><h2>${say.majors}</h2>
<table class="rates"><thead><tr><th scope="col">${say.other}</th><th scope="col" class="number">${say.one(own)}</th><th scope="col" class="number">${say.inverse(own)}</th></tr></thead>
<tbody>${lines.map(
    ({ code, rate, inverse }) =>
      html`<tr><th scope="row"><a href="/?base=${own}&amp;quote=${code}">${code}</a> <small>${formats.currency(code) ?? currencyFacts.get(code)?.name}</small></th><td class="number">${formats.shown(rate)}</td><td class="number">${formats.shown(inverse)}</td></tr>`,
  )}</tbody></table></section>`;
}

function publishers(
  { providers }: DescribedCurrency,
  data: PageData,
  { messages: { currency: say } }: Reader,
): Html {
  const names = new Map(data.providers().map(({ key, name }) => [key, name]));
  return html`<section class="card"><h2>${say.heading}</h2>${
    providers.length === 0
      ? html`<p>${say.noSource}</p>`
      : html`<ul class="links">${providers.map(
          (key) => html`<li><a href="/provider/${key}">${key}</a> <small>${names.get(key)}</small></li>`,
        )}</ul>`
  }</section>`;
}
