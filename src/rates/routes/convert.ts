import { z } from 'zod';
import { amountIn, converted } from '../../../core/domain/amount.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { type Clock, todayNumber } from '../../../core/domain/clock.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import { receiptSchema } from '../../../core/domain/receipt/schema.js';
import { roundForStorage } from '../../../core/domain/rounding.js';
import { currencyCode, dateParameter, listOf, oneOf, providerList } from '../../http/currency-parameters.js';
import { errorResponses } from '../../http/error-responses.js';
import { HttpError, parameterError } from '../../http/errors.js';
import { excerpt } from '../../http/excerpt.js';
import type { HeaderList } from '../../http/header-list.js';
import { strictQuery } from '../../http/query.js';
import { FORMATS, type Format, formatFor } from '../../http/record-formats.js';
import { type Content, type DeferredReply, JSON_TYPE, type Reply } from '../../http/reply.js';
import { CLOSED, moving, NO_STORE, PAST } from '../../http/representation.js';
import { defineRoute, type RequestContext, type Route } from '../../http/route.js';
import { type Conversion, encodeConvertedLines } from '../convert/converted-lines.js';
import { type Line, readLines } from '../convert/lines.js';
import { MOST_LINES } from '../convert/records.js';
import type { PairRate } from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { BLEND_METHOD_HEADER } from './describe.js';
import { type LookUps, lookUpsOf } from './look-ups.js';
import { METHOD_HEADERS, ratesTag } from './method.js';
import { type Past, pastAt } from './past.js';
import { codeIn } from './path-codes.js';
import { encodeWithReceipt, pin, pinnedUrl } from './receipt.js';
import { CONTENT_TYPES, type RatesDependencies } from './reply.js';
import { clockAt, stopped } from './request.js';
import { asOf } from './schemas.js';
import { replyOfSnapshot, withSnapshot } from './with-snapshot.js';

const amount = z
  .string()
  .transform((text, issues) => {
    const found = amountIn(text);
    if (found !== undefined) return found;
    issues.addIssue({ code: 'custom', message: `invalid amount: ${excerpt(text)}` });
    return z.NEVER;
  })
  .meta({
    type: 'string',
    description:
      'A decimal number of up to 30 digits; may be negative, and have an exponent: 1e-7 is 0.0000001, of eight digits',
    examples: ['1250.00'],
  });
const when = oneOf(['before'])
  .optional()
  .meta({
    type: 'string',
    enum: ['before'],
    description: 'before: the newest rate strictly before `date`, as some tax rules want it',
  });
const date = dateParameter.optional().meta({
  format: 'date',
  description: 'The newest rate as of this day instead of today',
  examples: ['2026-03-02'],
});
const providers = providerList.optional().meta({
  description: 'Only these sources, commas between keys',
  examples: ['ECB'],
});
const manyQuery = z.object({ date, when, providers, as_of: asOf });
const expand = listOf(['receipt'])
  .optional()
  .meta({
    type: 'string',
    description:
      'receipt: every row behind the rate with its evidence, and how the rate is computed from them',
    examples: ['receipt'],
  });
const oneQuery = manyQuery.extend({ amount, expand });

const convertPath = z.object({
  base: currencyCode.meta({ description: 'Currency of the amount', examples: ['EUR'] }),
  quote: currencyCode.meta({ description: 'Currency of the result', examples: ['USD'] }),
});

const conversion = z
  .object({
    amount: z.string(),
    base: z.string(),
    quote: z.string(),
    date: z.iso.date().meta({ description: 'The day that the rate was looked up for' }),
    observed: z.iso.date().meta({ description: 'The date of the rate' }),
    rate: z.number().meta({ description: 'Twelve significant digits' }),
    result: z.string().meta({
      description:
        'amount x rate, rounded half away from zero to the minor units of the quote; exact for metals',
    }),
    receipt: receiptSchema.optional(),
  })
  .meta({ id: 'Conversion' });

const convertedLine = z.union([
  conversion.extend({ id: z.unknown().optional() }),
  z
    .looseObject({ error: z.string() })
    .meta({ description: 'A line that can not be converted, as it was sent' }),
]);

const exampleConversion: Conversion = {
  amount: '1250.00',
  base: 'EUR',
  quote: 'USD',
  date: '2026-03-20',
  observed: '2026-03-20',
  rate: 1.1537,
  result: '1442.13',
};
const exampleLines = [
  { amount: '1250.00', base: 'EUR', quote: 'USD', date: '2026-03-20', id: 'invoice 1' },
  { amount: '10', base: 'EUR', quote: 'XXY', id: 'invoice 2' },
];
const exampleConverted = [
  { ...exampleConversion, id: 'invoice 1' },
  { amount: '10', base: 'EUR', quote: 'XXY', error: 'invalid currency: XXY', id: 'invoice 2' },
];

const LARGEST_BODY = 2 * 1024 * 1024;
const TAGS = ['Rates'];
const ROUNDING =
  'The product is computed in decimal arithmetic with the rate in twelve significant digits, which the response shows.';

type Dependencies = RatesDependencies & { clock: Clock };
type LookUpDay = { day: number | undefined; isBefore: boolean };

/** `GET /v2/convert/{base}/{quote}` and `POST /v2/convert`. */
export function convertRoutes(dependencies: Dependencies): Route[] {
  const { snapshot: holder, raw, clock, eventLoop } = dependencies;

  const one = defineRoute({
    method: 'get',
    path: '/v2/convert/:base/:quote',
    limit: 'currency',
    query: strictQuery(oneQuery, { joined: ['providers'] }),
    description: {
      summary: 'An amount in another currency',
      description: ROUNDING,
      tags: TAGS,
      params: convertPath,
      responses: {
        200: {
          description: 'The amount converted',
          headers: BLEND_METHOD_HEADER,
          content: { 'application/json': { schema: conversion, example: exampleConversion } },
        },
        ...errorResponses({
          404: 'no rate for EUR/KPW',
          422: 'invalid amount: 12,5',
          503: 'the first rates are being loaded',
        }),
      },
    },
    handle(query, context) {
      const line = {
        amount: query.amount,
        base: codeIn(context.params.base),
        quote: codeIn(context.params.quote),
      };
      const when = whenOf(query);
      const days = { from: when.day, to: when.day };
      const format = formatFor(context.headers.accept);
      const parts = [
        ...Object.values(line),
        query.date ?? '',
        query.when ?? '',
        query.providers?.toSorted().join() ?? '*',
        format,
      ];
      const now = stopped(clock);
      const today = todayNumber(now);
      const vary = ['accept'];
      const convertAt = async (source: RateSource): Promise<Content> => {
        const found = convertLine(line, when, await lookUpsOf({ raw, clock: now }, source, context));
        if ('error' in found) throw new HttpError(404, found.error);
        return { type: CONTENT_TYPES[format], body: encodeOne(found, format) };
      };

      function begin(snapshot: Snapshot): DeferredReply {
        const { version: dataVersion } = snapshot;
        const isClosed = when.day !== undefined && when.day < today;
        const validity = {
          tag: ratesTag('convert', dataVersion, ...parts, isClosed ? '' : today),
          cacheControl: isClosed ? CLOSED : () => moving(clock),
          vary,
        };
        const source = { snapshot, providers: query.providers, days };
        const make = async () => ({ validity, dataVersion, content: await convertAt(source) });
        return { validity, dataVersion, make };
      }

      async function beginPast(current: Snapshot, instant: number): Promise<DeferredReply> {
        const { version: dataVersion } = current;
        const past = await pastAt(dependencies, current, { instant, parameter: 'as_of' });
        const day = todayNumber(clockAt(instant, clock));
        const tag = ratesTag('convert as of', past.known.change.name, day, ...parts);
        const validity = { tag, cacheControl: PAST, vary };
        const pair = { base: line.base, quotes: [line.quote], providers: query.providers, as_of: instant };
        async function make(): Promise<Reply> {
          const source = await pastSource(past, { ...pair, days }, context);
          const [content, headers] = [await convertAt(source), await pastHeaders(past, context)];
          return { validity, dataVersion, content: { ...content, headers } };
        }
        return { validity, dataVersion, make };
      }

      function beginWithReceipt(current: Snapshot): DeferredReply {
        const { version: dataVersion } = current;
        const { amount, base, quote } = line;
        const providers = query.providers?.toSorted();
        const isPinned = when.day !== undefined && query.as_of !== undefined;
        const tag = ratesTag('convert receipt', dataVersion, today, query.as_of ?? '', ...parts);
        const validity = { tag, cacheControl: isPinned ? PAST : () => moving(clock), vary };
        async function make(): Promise<Reply> {
          const request = { base, quote, providers, ...when, asOf: query.as_of, current };
          const pinned = await pin({ ...dependencies, clock: now }, request, context);
          const parameters = { amount, when: query.when, providers: providers?.join() };
          const url = pinnedUrl(`/v2/convert/${base}/${quote}`, pinned, parameters);
          const found = conversionOf(line, pinned.day, pinned.found);
          const body = encodeWithReceipt({ ...found, receipt: await pinned.receipt(url) }, format);
          const content = { type: CONTENT_TYPES[format], body, headers: METHOD_HEADERS };
          return { validity, dataVersion, content };
        }
        return { validity, dataVersion, make };
      }

      return replyOfSnapshot(holder, (snapshot) => {
        if (query.expand?.includes('receipt')) return beginWithReceipt(snapshot);
        return query.as_of === undefined ? begin(snapshot) : beginPast(snapshot, query.as_of);
      });
    },
  });

  const many = defineRoute({
    method: 'post',
    path: '/v2/convert',
    limit: 'currency',
    query: strictQuery(manyQuery, { joined: ['providers'] }),
    cost: () => ({ rows: MOST_LINES, rawDays: 0 }),
    body: 'text',
    largestBody: LARGEST_BODY,
    description: {
      summary: 'Many amounts in other currencies',
      description: `Up to ${MOST_LINES} lines as a JSON array, NDJSON or CSV with the columns amount, base, quote and, where wanted, date and id. The response has the form of the request, line for line; a line that can not be converted has an \`error\`. ${ROUNDING}`,
      tags: TAGS,
      body: z.array(
        z.object({
          amount: z.union([z.string(), z.number()]),
          base: z.string(),
          quote: z.string(),
          date: z.string().optional(),
          id: z.unknown().optional(),
        }),
      ),
      bodyExample: exampleLines,
      responses: {
        200: {
          description: 'The lines converted',
          headers: BLEND_METHOD_HEADER,
          content: { 'application/json': { schema: z.array(convertedLine), example: exampleConverted } },
        },
        ...errorResponses({
          413: 'the body is too large',
          415: 'the body must be JSON, NDJSON or CSV',
          422: 'line 3: is no JSON',
          503: 'the first rates are being loaded',
        }),
      },
    },
    handle(query, context) {
      const when = whenOf(query);
      const format = formatOf(context);
      const make = () => withSnapshot(holder, convert);
      async function convert(snapshot: Snapshot): Promise<Reply> {
        const yieldNow = eventLoop.createYielder(context.client, context.signal);
        const lines = await readLines(String(context.body ?? ''), format, yieldNow);
        const days = lines.days.map((day) => day ?? when.day);
        const { as_of: instant } = query;
        const past =
          instant === undefined
            ? undefined
            : await pastAt(dependencies, snapshot, { instant, parameter: 'as_of' });
        const request = { providers: query.providers, days: spanOf(days) };
        const source = past
          ? await pastSource(past, { ...request, as_of: instant, base: '', quotes: undefined }, context)
          : { ...request, snapshot };
        const lookUps = await lookUpsOf(dependencies, source, context);
        const body = encodeConvertedLines(lines, (line) => convertLine(line, when, lookUps), {
          format,
          yieldNow,
        });
        const headers = past ? await pastHeaders(past, context) : [];
        return { validity: NO_STORE, content: { type: CONTENT_TYPES[format], body, headers } };
      }
      return { validity: NO_STORE, make };
    },
  });

  return [one, many];
}

type RateSource = Parameters<typeof lookUpsOf>[1];

interface PastQuery extends Omit<RateSource, 'snapshot' | 'asOf'> {
  base: string;
  quotes: readonly string[] | undefined;
  as_of?: number | undefined;
}

/** Where past rates are looked up: from two weeks before the first day, as `when=before` looks a day further back. */
async function pastSource(past: Past, query: PastQuery, reader: RequestContext): Promise<RateSource> {
  const { base, quotes, providers, days, as_of: instant } = query;
  const newest = providers || days.to !== undefined ? days.to : await past.newestDay(reader);
  const to = newest ?? days.from;
  const when =
    to === undefined
      ? ({ form: 'newest' } as const)
      : ({
          form: 'range',
          from: Math.min(days.from ?? to, to) - WINDOW_DAYS - 1,
          to,
          period: 'day',
        } as const);
  const snapshot = await past.snapshotFor({ base, quotes, providers, when }, reader);
  return { snapshot, providers, days, asOf: instant };
}

async function pastHeaders(past: Past, reader: RequestContext): Promise<HeaderList> {
  const newest = await past.newestDay(reader);
  return [...METHOD_HEADERS, ...(newest === undefined ? [] : ['x-rates-as-of', fromDayNumber(newest)])];
}

function convertLine(
  line: Line,
  { day, isBefore }: LookUpDay,
  { newest, find }: LookUps,
): Conversion | { error: string } {
  const { base, quote } = line;
  const asked = line.on?.day ?? day ?? newest;
  const found = asked === undefined ? undefined : find(base, quote, isBefore ? asked - 1 : asked);
  if (asked === undefined || !found) return { error: `no rate for ${base}/${quote}` };
  return conversionOf(line, asked, found);
}

/** `asked` is the day number that the rate was looked up for. */
function conversionOf(
  { amount, base, quote, on }: Line,
  asked: number,
  { day, rate: found }: PairRate,
): Conversion {
  const rate = roundForStorage(found);
  const date = on?.date ?? fromDayNumber(asked);
  return {
    amount,
    base,
    quote,
    date,
    observed: day === asked ? date : fromDayNumber(day),
    rate,
    result: converted(amount, rate, quote),
  };
}

function whenOf({ date, when }: z.output<typeof manyQuery>): LookUpDay {
  if (when !== undefined && date === undefined) {
    throw parameterError(422, 'when', 'when needs date');
  }
  return { day: date === undefined ? undefined : dayNumber(date), isBefore: when === 'before' };
}

/** The first and the last day; undefined where a line has none, as it is then for the newest rates. */
function spanOf(days: readonly (number | undefined)[]): { from: number | undefined; to: number | undefined } {
  let from: number | undefined;
  let to: number | undefined;
  for (const day of days) {
    if (day === undefined) continue;
    from = Math.min(from ?? day, day);
    to = Math.max(to ?? day, day);
  }
  return { from, to: days.includes(undefined) ? undefined : to };
}

/** The format of the body. Throws an HttpError 415 for any other. */
function formatOf({ headers }: RequestContext): Format {
  const [type = ''] = (headers['content-type'] ?? JSON_TYPE).split(';');
  const found = FORMATS.find((format) => CONTENT_TYPES[format].startsWith(`${type.trim().toLowerCase()};`));
  if (!found) {
    throw new HttpError(415, 'the body must be application/json, application/x-ndjson or text/csv');
  }
  return found;
}

function encodeOne(found: Conversion, format: Format): Buffer {
  if (format === 'csv') {
    return Buffer.from(`${Object.keys(found).join(',')}\n${Object.values(found).join(',')}\n`);
  }
  return Buffer.from(JSON.stringify(found) + (format === 'ndjson' ? '\n' : ''));
}
