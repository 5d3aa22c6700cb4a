import { lifetimeOf } from '../../core/domain/currencies.js';
import type { DescribedCurrency } from '../catalogue/schemas.js';
import type { RequestContext } from '../http/route.js';
import { chartSection, spanQuery } from './chart-section.js';
import { amountField } from './converter.js';
import { currencyName } from './currency-name.js';
import type { PageData } from './data.js';
import type { Page } from './layout.js';
import { notFoundPage } from './not-found.js';
import { pegText } from './peg-text.js';
import type { PageRequest, Reader } from './reader.js';
import { FREQUENT } from './shared/frequent-currencies.js';
import { type Html, html } from './shared/html.js';
import { isSpan, type SeriesRequest } from './shared/requests.js';
import { type RateRow, shownOf } from './shared/rows.js';
import { shownRate } from './shared/shown-rate.js';

const MOST_MAJOR = 8;

export async function currencyPage(data: PageData, { target, reader, context }: PageRequest): Promise<Page> {
  const { code = '' } = context.params;
  const currency = data.currency(code);
  if (!currency) return notFoundPage({ what: 'currency', wanted: code }, data, reader);
  const { formats, say } = reader;
  const { span } = spanQuery.read(target);
  const { iso_code: own } = currency;
  const name = currencyName(own, formats);
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
    title: `${name} (${own})${price !== undefined ? `: ${formats.count(1)} ${other} = ${formats.shown(price)} ${own}` : ''} · Almanac`,
    summary: say('currency.summary', { name, code: own, start: formats.date(currency.start_date) }),
    path: `/currency/${own}`,
    section: 'currencies',
    script: 'series.ts',
    body: html`<p class="crumbs"><a href="/currencies">${say('frame.currencies')}</a></p>
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
  { formats, say }: Reader,
): Html {
  const fact = (label: string, text: string) => html`<div><dt>${label}</dt><dd>${text}</dd></div>`;
  return html`<dl class="facts card">${fact(say('currencies.symbol'), symbol)}${fact(say('currency.number'), number ?? say('currency.none'))}${fact(say('currency.since'), formats.date(start))}${fact(say('currency.newest'), formats.date(end))}${fact(say('frame.providers'), formats.count(providers.length))}</dl>`;
}

function ending(own: string, { formats, say }: Reader): Html | undefined {
  const { until, replacedBy } = lifetimeOf(own);
  if (until === undefined) return undefined;
  return html`<p class="card note">${say('currency.until', { date: formats.date(until) })} ${
    replacedBy &&
    html`${say('currency.successor', { ratio: formats.decimal(String(replacedBy.ratio)), code: own, successor: replacedBy.code })} <a href="/currency/${replacedBy.code}">${replacedBy.code}</a>`
  }</p>`;
}

function peg({ iso_code: own, peg }: DescribedCurrency, { formats, say }: Reader): Html | undefined {
  if (!peg) return undefined;
  const { rate, base, authority, source } = peg;
  return html`<p class="card note">${say('currency.held', { rate: `${formats.shown(rate)} ${own}`, base, authority })} ${say('currency.follows')} <a href="${source}" rel="noreferrer">${say('currency.statement')}</a></p>`;
}

function convertForm(own: string, other: string, reader: Reader): Html {
  const { say } = reader;
  return html`<form class="card quick" action="/" method="get"><h2>${say('converter.convert')}</h2>
<div class="field">${amountField('100', reader)}</div>
<p><button class="primary" name="base" value="${own}">${own} → ${other}</button> <button class="primary" name="quote" value="${own}">${other} → ${own}</button></p></form>`;
}

/** As `/v2/rate` shows them. */
interface MajorRate {
  code: string;
  rate: number;
  inverse: number;
}

async function majorRates(
  own: string,
  month: ReadonlyMap<string, RateRow[]>,
  data: PageData,
  context: RequestContext,
): Promise<MajorRate[]> {
  const newest = FREQUENT.flatMap((code) => (code === own ? [] : (month.get(code)?.slice(-1) ?? [])));
  const both = newest.slice(0, MOST_MAJOR).map(async (row) => {
    const { date, quote: code } = row;
    const [inverse] = await data.rates({ base: code, quotes: own, date }, context);
    return inverse ? [{ code, rate: shownRate(row, pegText(code)), inverse: inverse.rate }] : [];
  });
  return (await Promise.all(both)).flat();
}

function majors(own: string, lines: readonly MajorRate[], { formats, say }: Reader): Html | undefined {
  if (lines.length === 0) return undefined;
  return html`<section class="card"><h2>${say('currency.majors')}</h2>
<table class="rates"><thead><tr><th scope="col">${say('currencies.currency')}</th><th scope="col" class="number">${say('newest.price', { base: own })}</th><th scope="col" class="number">${say('currency.inverse', { code: own })}</th></tr></thead>
<tbody>${lines.map(
    ({ code, rate, inverse }) =>
      html`<tr><th scope="row"><a href="/?base=${own}&amp;quote=${code}">${code}</a> <small>${currencyName(code, formats)}</small></th><td class="number">${formats.shown(rate)}</td><td class="number">${formats.shown(inverse)}</td></tr>`,
  )}</tbody></table></section>`;
}

function publishers({ providers }: DescribedCurrency, data: PageData, { say }: Reader): Html {
  const names = new Map(data.providers().map(({ key, name }) => [key, name]));
  return html`<section class="card"><h2>${say('currency.heading')}</h2>${
    providers.length === 0
      ? html`<p>${say('currency.noSource')}</p>`
      : html`<ul class="links">${providers.map(
          (key) => html`<li><a href="/provider/${key}">${key}</a> <small>${names.get(key)}</small></li>`,
        )}</ul>`
  }</section>`;
}
