import { z } from 'zod';
import { currencies as currencyFacts } from '../../core/domain/currencies.js';
import { providers } from '../../core/domain/providers.js';
import { HttpError } from '../http/errors.js';
import { originOf } from '../http/route.js';
import { excerpt } from '../parameters/excerpt.js';
import { nearest } from '../parameters/hints.js';
import { chartSection } from './chart-section.js';
import { type Asked, converter } from './converter.js';
import type { PageData } from './data.js';
import { howOld } from './how-old.js';
import { html } from './html.js';
import type { Page } from './layout.js';
import { newestRates } from './newest-rates.js';
import { pegText } from './peg-text.js';
import type { PageRequest, Reader } from './reader.js';
import { requestBuilder } from './request-builder.js';
import { amountIn, amountProblem } from './shared/amount.js';
import { isSpan, SPANS } from './shared/requests.js';
import type { Conversion } from './shared/result.js';
import { shownOf } from './shared/rows.js';
import { shownRate } from './shared/shown-rate.js';
import { conversionSnippets, seriesSnippets } from './shared/snippets.js';
import { sentenceOf } from './shared/words.js';

const parameter = (description: string, example: string, more: { format?: string; enum?: string[] } = {}) =>
  z
    .string()
    .optional()
    .meta({ description: `Page: ${description}`, ...more, examples: [example] });

/** What the page shows; anything that can't be read counts as not given, but an amount, a date or a currency. */
export const homeQuery = z.object({
  amount: parameter('the amount to convert', '100'),
  base: parameter('the currency of the amount', 'EUR'),
  quote: parameter('the currency of the result', 'USD'),
  date: parameter('the day of the rate', '2026-03-02', { format: 'date' }),
  span: parameter('how far back the chart goes', '1y', { enum: [...SPANS] }),
  swap: parameter('1 exchanges the two currencies', '1'),
});

export type HomeQuery = z.output<typeof homeQuery>;

/** `GET /` for readers: a converter, the chart of a pair, a builder of requests, and the newest rates. */
export async function homePage(
  query: HomeQuery,
  data: PageData,
  { reader, context }: PageRequest,
): Promise<Page> {
  const { formats, messages } = reader;
  const newest = data.newest();
  const unknown = [query.base ?? '', query.quote ?? ''].filter((text) => text.trim() !== '' && !codeOf(text));
  const asked = askedBy(query, newest);
  const { base, quote } = asked;
  const listed = data.currencies();
  const amount = amountIn(asked.typed, reader.locale);
  const [converted, rows, month] = await Promise.all([
    unknown.length > 0
      ? noSuchCurrency(unknown, asked, reader)
      : convert(asked, amount, { data, reader, context }),
    data.series(asked.series, context),
    data.month({ base, newest }, context),
  ]);
  const origin = originOf(context);
  const form = converter(asked, { listed, conversion: converted, today: data.today() }, reader);
  const chart = chartSection({
    request: asked.series,
    rows: shownOf(rows, asked.series.span),
    reader,
    hrefOf: (span) =>
      `/?${new URLSearchParams({ amount: asked.typed, base, quote, span, ...(asked.date && { date: asked.date }) })}`,
  });
  const builder = requestBuilder(
    {
      origin,
      base,
      newest,
      listed,
      conversion: conversionSnippets(origin, { ...asked, amount: amount ?? '1' }),
      series: seriesSnippets(origin, asked.series),
    },
    reader,
  );
  const newestTable = newestRates(base, listed, month, reader);
  const counts = [formats.count(listed.length), formats.count(providers.length)] as const;
  return {
    title: messages.home.title,
    summary: messages.home.summary(...counts),
    path: '/',
    // The page that is sent to others is one of a pair.
    ...((query.base || query.quote) && 'rate' in converted && titleOf(converted, reader)),
    section: 'rates',
    script: 'home.ts',
    ...('problem' in converted && { status: converted.status }),
    body: html`<h1>${messages.home.heading}</h1>
<p class="lead">${messages.home.lead(...counts, formats.date(newest))}</p>
${howOld(data, reader)}
${form}
${chart}
${builder}
${newestTable}`,
  };
}

function askedBy(query: HomeQuery, newest: string): Asked {
  const given = { base: codeOf(query.base), quote: codeOf(query.quote) };
  const first = given.base ?? (given.quote === 'EUR' ? 'USD' : 'EUR');
  const pair = { base: first, quote: given.quote ?? (first === 'USD' ? 'EUR' : 'USD') };
  const { base, quote } = query.swap ? { base: pair.quote, quote: pair.base } : pair;
  const span = isSpan(query.span) ? query.span : '1m';
  return {
    typed: query.amount?.trim() ?? '100',
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

/** Why there is no result, and with which status the page says so. */
interface Problem {
  problem: string;
  status: number;
}

function noSuchCurrency(texts: readonly string[], { base, quote }: Asked, { messages }: Reader): Problem {
  const { unknown, meant, instead } = messages.converter;
  const near = texts.flatMap((text) => nearest(text, currencyFacts.keys()));
  const sentences = [
    ...texts.map((text) => unknown(excerpt(text.trim().toUpperCase()))),
    ...(near.length > 0 ? [meant(near.join(', '))] : []),
    instead(base, quote),
  ];
  return { problem: sentences.join(' '), status: 404 };
}

/** The conversion, or why there is none: a wrong amount or date is for the reader to mend. */
async function convert(
  { typed, base, quote, date }: Asked,
  amount: string | undefined,
  { data, reader, context }: { data: PageData } & PageRequest,
): Promise<Conversion | Problem> {
  if (amount === undefined) return { problem: amountProblem(typed, reader.messages), status: 422 };
  try {
    return await data.convert({ amount, base, quote, date }, context);
  } catch (error) {
    if (!(error instanceof HttpError) || error.status >= 500) throw error;
    return { problem: sentenceOf(error.message), status: error.status };
  }
}

/** How a page of a pair is called where it is shared. */
function titleOf(
  conversion: Conversion,
  { formats, messages }: Reader,
): Pick<Page, 'title' | 'summary' | 'path'> {
  const { base, quote, observed } = conversion;
  const shown = formats.shown(shownRate(conversion, pegText(quote)));
  return {
    title: messages.home.pairTitle(base, quote, shown),
    summary: messages.home.pairSummary(base, shown, quote, formats.date(observed)),
    path: `/?base=${base}&quote=${quote}`,
  };
}
