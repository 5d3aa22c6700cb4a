import { lifetimeOf } from '../../core/domain/currencies.js';
import { earlier } from '../../core/domain/dates.js';
import type { DescribedCurrency } from '../catalogue/schemas.js';
import { chartSection } from './chart-section.js';
import { type Asked, converter } from './converter.js';
import { currencyName, pegText } from './currency-name.js';
import type { PageData } from './data.js';
import { dataAge } from './data-age.js';
import type { Page } from './layout.js';
import { newestRates } from './newest-rates.js';
import { notFoundPage } from './not-found.js';
import { type PageRequest, parametersOf, type Reader } from './reader.js';
import { convert, shownRate } from './result.js';
import { unbroken } from './shared/format.js';
import { facts, type Html, html } from './shared/html.js';
import { lookOf } from './shared/requests.js';

const USUAL_AMOUNT = '100';
/** Longer lists of publishers are closed at first. */
const MOST_OPEN = 12;

export async function currencyPage(data: PageData, request: PageRequest): Promise<Page> {
  const { reader, context } = request;
  const { code = '' } = context.params;
  const currency = data.currency(code);
  if (!currency) return notFoundPage({ what: 'currency', wanted: code }, data, reader);
  const { formats, say } = reader;
  const { iso_code: own } = currency;
  const name = currencyName(own, formats);
  const asked = askedBy(currency, data.newest(), request.target);
  const { series } = asked;
  const hasEnded = lifetimeOf(own).until !== undefined;
  const [chart, month, conversion] = await Promise.all([
    chartSection(
      { request: series, start: data.daysOf(series)[0], hasEnded, address: `/currency/${own}` },
      data,
      request,
    ),
    data.month({ base: own, newest: series.newest }, context),
    convert(asked, { amount: USUAL_AMOUNT, ...(asked.date && { date: asked.date }) }, data, request),
  ]);
  const newest = hasEnded ? undefined : month.get(series.quote)?.at(-1);
  const price = newest && formats.shown(shownRate(newest, pegText(series.quote)));
  return {
    title: `${name} (${own})${price !== undefined ? `: ${formats.count(1)} ${own} = ${price} ${series.quote}` : ''} · Almanac`,
    summary: say('currency.summary', { name, code: own, start: formats.date(currency.start_date) }),
    path: `/currency/${own}`,
    section: 'currencies',
    script: 'currency.ts',
    body: html`<p class="crumbs"><a href="/currencies">${say('frame.currencies')}</a></p>
<h1><span class="code">${own}</span> ${name}</h1>
${!hasEnded && dataAge(data, reader)}
${hasEnded ? ending(own, reader) : peg(currency, reader)}
${converter(asked, conversion, data, reader)}
${chart}
${!hasEnded && newestRates(own, data.currencies(), month, reader)}
${factsOf(currency, reader)}
${publishers(currency, data, reader)}`,
  };
}

/** The price of the currency: that of an ended one on its last day. */
function askedBy(currency: DescribedCurrency, newest: string, target: string): Asked {
  const { iso_code: own, end_date: end, peg } = currency;
  const { until } = lifetimeOf(own);
  // Not the currency that it is pegged to, at one rate for years.
  const pair = { base: own, quote: [own, peg?.base].includes('USD') ? 'EUR' : 'USD' };
  const chart = lookOf(Object.fromEntries(parametersOf(target)), until === undefined ? '1y' : 'all');
  return {
    typed: USUAL_AMOUNT,
    amount: USUAL_AMOUNT,
    ...pair,
    date: until === undefined ? undefined : end,
    series: { ...pair, newest: earlier(end, newest), ...chart },
  };
}

function factsOf(
  { iso_code: own, iso_numeric: number, symbol, start_date: start, end_date: end }: DescribedCurrency,
  { formats, say }: Reader,
): Html {
  return facts(
    {
      [say('currencies.symbol')]: symbol !== own && symbol,
      [say('currency.number')]: number ?? say('currency.none'),
      [say('currency.since')]: formats.date(start),
      [say(lifetimeOf(own).until === undefined ? 'currency.newest' : 'currency.last')]: formats.date(end),
    },
    'facts card',
  );
}

function ending(own: string, { formats, say }: Reader): Html {
  const { until = '', replacedBy } = lifetimeOf(own);
  const { code: successor = '', ratio = 1 } = replacedBy ?? {};
  const law = replacedBy?.fixed ?? replacedBy?.law;
  const became = { ratio: formats.decimal(String(ratio)), code: own, successor: '|' };
  const [before, after] = say('currency.successor', became).split('|');
  const link = html`<a href="/currency/${successor}" title="${currencyName(successor, formats)}">${successor}</a>`;
  return html`<p class="card note">${say('currency.until', { date: formats.date(until) })} ${
    replacedBy && html`${before}${link}${after}`
  }${law && html` ${say('rules.law')}: <a href="${law.source}" rel="noreferrer" lang="en">${unbroken(law.regulation)}</a>`}</p>`;
}

function peg({ iso_code: own, peg }: DescribedCurrency, { formats, say }: Reader): Html | undefined {
  if (!peg) return undefined;
  const { rate, base, authority, source } = peg;
  return html`<p class="card note">${say('currency.held', { rate: `${formats.shown(rate)} ${own}`, base, authority })} ${say('currency.follows')} <a href="${source}" rel="noreferrer">${say('currency.statement')}</a></p>`;
}

function publishers({ providers }: DescribedCurrency, data: PageData, { formats, say }: Reader): Html {
  if (providers.length === 0)
    return html`<section class="card"><h2>${say('currency.heading')}</h2><p>${say('currency.noSource')}</p></section>`;
  const names = new Map(data.providers().map(({ key, name }) => [key, name]));
  return html`<details class="card"${providers.length <= MOST_OPEN && html` open`}><summary><h2>${say('currency.heading')} (${formats.count(providers.length)})</h2></summary>
<ul class="links">${providers.map((key) => html`<li><a href="/provider/${key}">${names.get(key)}</a></li>`)}</ul></details>`;
}
