import * as z from 'zod';
import type { CustomReading, CustomSource } from '../../core/sources/custom-sources.js';
import { type AskedDays, type Feed, FeedError, ratesFrom, type Window } from './feed.js';
import type { HttpAnswer } from './http/client.js';
import { csvRecords } from './toolbox/csv.js';
import { formatDate, parseDate } from './toolbox/dates.js';
import { parseJson } from './toolbox/json.js';
import { numberOf, numberOrMissing } from './toolbox/numbers.js';
import { daysOf, stepsOf } from './toolbox/windows.js';
import { type XmlElement, xmlRoot } from './toolbox/xml.js';

type Values = Readonly<Record<string, string | number | null | undefined>>;

/** Creates the feed of a source that the operator describes, with the same contract as the others. */
export function customFeed({ key, first_day }: CustomSource, read: CustomReading): Feed {
  return {
    key,
    ...(read.step_days !== undefined && { backfillDays: read.step_days }),
    ...(read.empty !== undefined && { empty: read.empty }),
    ...(first_day !== null && { firstDay: first_day }),

    async *read(window, { http }) {
      for (const { url, asked } of requestsFor(window, read)) {
        const response = await http.get(url, { headers: read.headers });
        yield ratesFrom(response, asked, recordsIn(response, read), (values) => figureOf(values, read));
      }
    },
  };
}

interface Request {
  url: string;
  asked: AskedDays | 'any day';
}

/** One request per day, per step, or for everything, depending on the placeholders in the URL. */
function* requestsFor(window: Window, { url, url_dates, step_days }: CustomReading): Generator<Request> {
  const written = (date: string) => encodeURIComponent(formatDate(date, url_dates));
  if (url.includes('{day}')) {
    for (const day of daysOf(window))
      yield { url: url.replaceAll('{day}', written(day)), asked: { from: day, to: day } };
  } else if (url.includes('{from}')) {
    for (const asked of step_days === undefined ? [window] : stepsOf(window, step_days)) {
      const address = url.replaceAll('{from}', written(asked.from)).replaceAll('{to}', written(asked.to));
      yield { url: address, asked };
    }
  } else {
    yield { url, asked: 'any day' };
  }
}

function recordsIn(response: HttpAnswer, read: CustomReading): Iterable<Values> {
  const names = Object.values(read.columns).filter((name) => name !== undefined);
  if (read.format === 'csv') {
    const { separator, charset } = read;
    // A body with an announced length has arrived whole, as the client verifies that. Its end needs no line break (RFC 4180).
    const endsOpen = response.headers.has('content-length');
    return csvRecords(response, names, { separator, endsOpen, ...(charset !== undefined && { charset }) });
  }
  return read.format === 'json' ? jsonRecords(response, names, read) : xmlRecords(response, names, read);
}

function jsonRecords(response: HttpAnswer, names: readonly string[], read: CustomReading): Values[] {
  const path = read.records?.split('/') ?? [];
  const value = z.union([z.string(), z.number()]).nullable();
  const memberOf = (name: string) => (isSide(name, read) ? value.optional() : value);
  const list = z.array(z.object(Object.fromEntries(names.map((name) => [name, memberOf(name)]))));
  const within = (inner: z.ZodType, key: string) =>
    z.object({ [key]: inner }).transform((object) => object[key]);
  return parseJson(response, path.reduceRight<z.ZodType>(within, list)) as Values[];
}

function xmlRecords(response: HttpAnswer, names: readonly string[], read: CustomReading): Values[] {
  const [rootName = '', ...path] = read.records?.split('/') ?? [];
  const valueIn = (element: XmlElement, name: string) => {
    const value = name.startsWith('@') ? element.attribute(name.slice(1)) : element.text(name);
    if (value === undefined && !isSide(name, read))
      throw new FeedError(`no ${name} in ${JSON.stringify(element)}`);
    return value;
  };
  const root = xmlRoot(response, rootName, read.charset);
  return root
    .all(path.join('/'))
    .map((element) => Object.fromEntries(names.map((name) => [name, valueIn(element, name)])));
}

/** Not every record needs to have the buying and selling rates. */
function isSide(name: string, { columns: { buy, sell } }: CustomReading): boolean {
  return name === buy || name === sell;
}

function figureOf(values: Values, read: CustomReading) {
  const { columns, decimal_mark, missing, direction } = read;
  const text = (column: string | undefined) =>
    column === undefined ? undefined : String(values[column] ?? '').trim();
  const price = (column: string | undefined) =>
    column === undefined ? undefined : numberOrMissing(values[column] ?? null, decimal_mark, missing);
  const [base, quote] = [read.base ?? text(columns.base), read.quote ?? text(columns.quote)];
  const units =
    columns.units === undefined ? (read.units ?? 1) : numberOf(values[columns.units], decimal_mark);
  return {
    date: parseDate(text(columns.date), read.date_form),
    ...(direction === 'quote_per_base' ? { base, quote } : { base: quote, quote: base }),
    rate: price(columns.rate),
    buy: price(columns.buy),
    sell: price(columns.sell),
    units,
  };
}
