import { z } from 'zod';
import { currencies as currencyFacts } from '../../core/domain/currencies.js';
import { providers } from '../../core/domain/providers.js';
import { HttpError } from '../http/errors.js';
import { originOf } from '../http/origin.js';
import type { RequestContext } from '../http/route.js';
import { chartSection } from './chart-section.js';
import { converter, type Shown } from './converter.js';
import type { Conversion, PageData } from './data.js';
import { howOld } from './how-old.js';
import { html } from './html.js';
import type { Page } from './layout.js';
import { newestRates } from './newest-rates.js';
import type { PageRequest } from './reader.js';
import { requestBox } from './request-box.js';
import {
  conversionSnippets,
  isSpan,
  newestSnippets,
  normalAmount,
  SPANS,
  seriesSnippets,
} from './shared/requests.js';
import { shownOf } from './shared/rows.js';

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

/** `GET /` for readers: a converter, the chart of a pair, the newest rates, and the requests that made them. */
export async function homePage(
  query: HomeQuery,
  data: PageData,
  { reader, context }: PageRequest,
): Promise<Page> {
  const { formats, messages } = reader;
  const newest = data.newest();
  const shown = shownBy(query, { newest, locale: reader.locale });
  const { base, quote } = shown;
  const listed = data.currencies();
  const [conversion, rows, month] = await Promise.all([
    convert(shown, data, context),
    data.series(shown.series, context),
    data.month({ base, newest }, context),
  ]);
  const origin = originOf(context);
  await context.yieldNow('long step');
  const form = converter(shown, listed, conversion, reader, data.today());
  await context.yieldNow();
  const chart = chartSection({
    request: shown.series,
    rows: shownOf(rows, shown.series.span),
    reader,
    hrefOf: (span) =>
      `/?${new URLSearchParams({ amount: shown.typed, base, quote, span, ...(shown.date && { date: shown.date }) })}`,
  });
  await context.yieldNow();
  const newestTable = newestRates(base, listed, month, reader);
  await context.yieldNow();
  const counts = [formats.count(listed.length), formats.count(providers.length)] as const;
  return {
    title: messages.home.title,
    summary: messages.home.summary(...counts),
    path: '/',
    section: 'rates',
    script: 'home.ts',
    ...('error' in conversion && { status: conversion.error.status }),
    body: html`<h1>${messages.home.heading}</h1>
<p class="lead">${messages.home.lead(...counts, formats.date(newest))}</p>
${howOld(data, reader)}
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
