import * as z from 'zod';
import { currencies as currencyFacts } from '../../core/domain/currencies.js';
import { providers } from '../../core/domain/providers.js';
import { originOf } from '../http/route.js';
import { excerpt } from '../parameters/excerpt.js';
import { nearest } from '../parameters/hints.js';
import { lenientQuery } from '../parameters/query.js';
import { chartSection } from './chart-section.js';
import { type Asked, askedOf, codeOf, converter, didYouMean, type Problems } from './converter.js';
import { FREQUENT } from './currency-name.js';
import type { Conversion, PageData } from './data.js';
import { dataAge, firstRatesPage } from './data-age.js';
import type { Page } from './layout.js';
import { newestRates } from './newest-rates.js';
import type { PageRequest, Reader } from './reader.js';
import { requestBuilder } from './request-builder.js';
import { convert, shownRate } from './result.js';
import { html } from './shared/html.js';
import { type Pair, SPANS } from './shared/requests.js';

const parameter = (description: string, example: string, more: { format?: string; enum?: string[] } = {}) =>
  z
    .string()
    .optional()
    .meta({ description: `Page: ${description}`, ...more, examples: [example] });

/** An invalid span counts as missing; an invalid amount, date or currency is an error. */
export const homeQuery = z.object({
  amount: parameter('the amount to convert', '100'),
  base: parameter('the currency of the amount', 'EUR'),
  quote: parameter('the currency of the result', 'USD'),
  date: parameter('the day of the rate', '2026-03-02', { format: 'date' }),
  span: parameter('how far back the chart goes', '1y', { enum: [...SPANS] }),
  scale: parameter('the scale of the chart', 'log', { enum: ['linear', 'log'] }),
  locale: parameter('the language that the amount is typed in', 'de-AT'),
  swap: parameter('1 exchanges the two currencies', '1'),
  lang: parameter('the language', 'de'),
});

const { read: readQuery } = lenientQuery(homeQuery);

type HomeQuery = z.output<typeof homeQuery>;

export async function homePage(data: PageData, request: PageRequest): Promise<Page> {
  const { reader, context, target } = request;
  if (!data.hasRates()) return firstRatesPage(data, reader, false);
  const { say } = reader;
  const query = readQuery(target);
  const listed = data.currencies();
  const asked = askedOf(query, usualPair(query), data);
  const { amount, base } = asked;
  const problems = problemsOf(query, asked, reader);
  const [conversion, chart, month] = await Promise.all([
    convert(asked, asked.parameters, data, request),
    chartSection(asked.chart, data, request),
    data.month({ base, quotes: FREQUENT.join(','), newest: data.newest() }, context),
  ]);
  const failed = 'problem' in conversion ? conversion.status : amount === undefined && 422;
  const status = problems.base || problems.quote ? 404 : failed;
  const counts = { currencies: listed.length, sources: providers.length };
  return {
    title: say('home.title'),
    summary: say('home.summary', counts),
    // The title of a shared page names its pair.
    ...((query.base || query.quote) && !status && 'rate' in conversion && titleOf(conversion, reader)),
    section: 'rates',
    script: 'home.ts',
    ...(status && { status }),
    body: html`<h1>${say('home.heading')}</h1>
<p class="lead">${say('home.lead', counts)} <a href="/docs">${say('home.api')}</a></p>
${dataAge(data, reader)}
${converter(asked, conversion, data, reader, problems)}
${chart}
${requestBuilder(asked, originOf(context), data, reader)}
${newestRates(base, listed, month, reader)}`,
  };
}

/** The euro in US dollars, or the one that is asked for in the other. */
function usualPair(query: HomeQuery): Pair {
  const base = codeOf(query.base) ?? (codeOf(query.quote) === 'EUR' ? 'USD' : 'EUR');
  return { base, quote: base === 'USD' ? 'EUR' : 'USD' };
}

/** With links to the currencies that each may mean. */
function problemsOf(query: HomeQuery, { typed, base, quote }: Asked, { say }: Reader): Problems {
  const problems: Problems = {};
  for (const name of ['base', 'quote'] as const) {
    const text = query[name]?.trim().toUpperCase() ?? '';
    if (text === '' || codeOf(text)) continue;
    const near = nearest(text, currencyFacts.keys()).map((code) => {
      const href = `/?${new URLSearchParams({ amount: typed, base, quote, [name]: code })}`;
      return html`<a href="${href}">${code}</a>`;
    });
    problems[name] =
      html`${say('converter.unknown', { code: excerpt(text) })} ${didYouMean(near, say)} ${say('converter.instead', { base, quote })}`;
  }
  return problems;
}

function titleOf(conversion: Conversion, { formats, say }: Reader): Pick<Page, 'title' | 'summary' | 'path'> {
  const { base, quote, observed } = conversion;
  const shown = formats.shown(shownRate(conversion));
  return {
    title: say('home.pairTitle', { base, quote, rate: shown }),
    summary: say('home.pairSummary', { base, rate: shown, quote, date: formats.date(observed) }),
    path: `/?base=${base}&quote=${quote}`,
  };
}
