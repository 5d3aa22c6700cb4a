import { lifetimeOf } from '../../core/domain/currencies.js';
import { earlier } from '../../core/domain/dates.js';
import type { DescribedCurrency } from '../catalogue/schemas.js';
import { chartSection } from './chart-section.js';
import { askedOf, converter } from './converter.js';
import { currencyName, FREQUENT } from './currency-name.js';
import type { PageData } from './data.js';
import { dataAge } from './data-age.js';
import type { Page } from './layout.js';
import { newestRates } from './newest-rates.js';
import { notFoundPage } from './not-found.js';
import { type PageRequest, parametersOf, type Reader } from './reader.js';
import { convert, shownRate } from './result.js';
import { countriesOf } from './shared/currency-search.js';
import { unbroken } from './shared/format.js';
import { type Html, html } from './shared/html.js';
import type { Pair } from './shared/requests.js';

const MOST_COUNTRIES = 4;
/** Longer lists of publishers are closed at first. */
const MOST_OPEN = 12;

export async function currencyPage(data: PageData, request: PageRequest): Promise<Page> {
  const { reader, context } = request;
  const { code = '' } = context.params;
  const currency = data.currency(code);
  if (!currency) return notFoundPage('currency', code, data, reader);
  const { formats, say } = reader;
  const { iso_code: own } = currency;
  const name = currencyName(own, formats);
  const usual = usualPair(currency);
  const asked = askedOf(Object.fromEntries(parametersOf(request.target)), usual, data);
  const isPast = lifetimeOf(own).until !== undefined;
  const [chart, month, conversion] = await Promise.all([
    chartSection(asked.chart, data, request),
    data.month(
      { base: own, quotes: FREQUENT.join(','), newest: earlier(currency.end_date, data.newest()) },
      context,
    ),
    convert(asked, asked.parameters, data, request),
  ]);
  const newest = isPast ? undefined : month.get(usual.quote)?.at(-1);
  const price = newest && formats.shown(shownRate(newest));
  return {
    title: `${name} (${own})${price !== undefined ? `: ${formats.count(1)} ${own} = ${price} ${usual.quote}` : ''} · Almanac`,
    summary: say('currency.summary', { name, code: own, start: formats.date(currency.start_date) }),
    path: `/currency/${own}`,
    section: 'currencies',
    script: 'converter.ts',
    body: html`<p class="crumbs"><a href="/currencies">${say('frame.currencies')}</a></p>
<h1><span class="code">${own}</span> ${name}</h1>
<p class="lead">${isPast && html`${ending(own, reader)}<br>`}${leadOf(currency, reader)}</p>
${!isPast && dataAge(data, reader)}
${!isPast && peg(currency, reader)}
${converter(asked, conversion, data, reader)}
${chart}
${!isPast && newestRates(own, data.currencies(), month, reader)}
${publishers(currency, data, reader)}`,
  };
}

/** Another currency than the one that it is pegged to, at one rate for years. Of the past, what replaced it by law. */
function usualPair({ iso_code: own, end_date: end, peg }: DescribedCurrency): Pair & { date?: string } {
  const { until, successor } = lifetimeOf(own);
  if (successor?.fixed) return { base: own, quote: successor.code };
  const quote = [own, peg?.base].includes('USD') ? 'EUR' : 'USD';
  return { base: own, quote, ...(until !== undefined && { date: end }) };
}

/** Where it is used, and since when it has rates. */
function leadOf(
  { iso_code: own, iso_numeric: number, symbol, start_date: start }: DescribedCurrency,
  { formats, say }: Reader,
): string {
  const countries = lifetimeOf(own).until === undefined ? countriesOf(own) : [];
  const names = countries.slice(0, MOST_COUNTRIES).map(formats.country).join(', ');
  const parts = [
    countries.length > MOST_COUNTRIES ? `${names} …` : names,
    symbol !== own && `${say('currencies.symbol')} ${symbol}`,
    number !== null && `ISO 4217: ${number}`,
    `${say('currency.since')} ${formats.date(start)}`,
  ];
  return parts.filter(Boolean).join(' · ');
}

/** What replaced it, and until when it was in use. */
function ending(own: string, { formats, say }: Reader): Html {
  const { until = '', successor } = lifetimeOf(own);
  // The answer names a law that fixes the rate.
  const { code = '', ratio = 1, law } = successor ?? {};
  const became = { ratio: formats.decimal(String(ratio)), code: own, successor: '|' };
  const [before, after] = say('currency.successor', became).split('|');
  const link = html`<a href="/currency/${code}" title="${currencyName(code, formats)}">${code}</a>`;
  return html`${successor && html`${before}${link}${after}`} ${say('currency.until', { date: formats.date(until) })}${law && html` ${say('rules.law')}: <a href="${law.source}" rel="noreferrer" lang="en">${unbroken(law.regulation)}</a>`}`;
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
