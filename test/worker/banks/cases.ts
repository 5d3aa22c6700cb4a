import { expect, test } from 'vitest';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';
import { CredentialsRefused, type Feed, FeedError } from '../../../worker/feeds/feed.js';
import {
  type Answer,
  type Answers,
  type FeedReading,
  type ReadOptions,
  readFeed,
  type SeenRequest,
} from '../feeds/support.js';
import { inSystemOf1904, isWorkbook } from '../feeds/support-files.js';

// All that a bank's cases need comes from here.
export { CredentialsRefused } from '../../../worker/feeds/feed.js';
export { formatDate } from '../../../worker/feeds/toolbox/dates.js';
export type { Answer, Answers, SeenRequest } from '../feeds/support.js';
export { blockedPage, makePdf, makeXls, makeXlsx, readFeed, soapAnswer } from '../feeds/support.js';

/**
 * Its method, path, query or one of its parameters, a header, its body or a field of it, as `name=value` or `name: value`; the
 * number of its `fields`, or of one by name (`18 times Code`); several of these with ` & ` between them; or a pattern of one.
 */
type Fact = string | RegExp;

/** What is expected of a reading. Whatever is left out is not compared, except the rates. */
interface Expected {
  /** A line for each day: `2026-05-22 USD/MOP 8.07, JPY/MOP 0.05`, in the order of the feed. None where left out. */
  rates?: readonly string[];
  /** Of some of the rates: `2026-05-22 USD/BIF 2975.4 3005.3`, the buying and the selling price, `-` for none. */
  sides?: readonly string[];
  skipped?: Readonly<Record<string, number>>;
  dropped?: Readonly<Record<string, number>>;
  noData?: readonly string[];
  unread?: readonly RegExp[];
  /** The number of requests. */
  count?: number;
  /** What is true of each request: of all of them, or of the first ones where there is a count. */
  asks?: readonly (Fact | readonly Fact[])[];
}

interface Case<Given> extends Expected, ReadOptions {
  /** What the bank answers. Where left out, it is not asked. */
  given?: Given;
  /** Where left out: the usual ones, or from the first to the last of the rates where these are others. */
  days?: string;
}

type Refusal<Given> = readonly [
  what: string,
  given: Given,
  error: RegExp | typeof CredentialsRefused,
  days?: string,
];

/** A price as a bank prints it, on a day, under a code, for a number of units. */
interface Printed {
  day: string;
  code: string;
  price: number;
  units: number;
}

interface Cases<Given> {
  /** The bank's response gives these rates, and a workbook gives the same ones in either date system. */
  reads(name: string, one: Case<Given>): void;
  /** The bank's response gives no rates, as the name says. */
  empty(name: string, given: Given, days?: string): void;
  /** There are no rates, for this documented reason: in the response, or where nothing is asked. */
  nothing(reason: string, given?: Given, days?: string): void;
  /** Each of these responses is an error of the feed, with this message. */
  refuses(refusals: readonly Refusal<Given>[]): void;
  /**
   * What a printed code, price and number of units mean on a day: a pair and its rate, or nothing, as
   * `2015-03-09 ISK 35.12 10 ISK/AMD 3.512`. A dollar beside them is passed over.
   */
  codes(given: (printed: Printed) => Given, ...rows: readonly string[]): void;
}

/** What a bank answers at its first and at its second place. */
export type Two = readonly [first: Answer, second: Answer];

type Responses = Answer | readonly Answer[];

/**
 * The cases of one feed, on these days unless they say others. What the bank answers is given as what it answers at one
 * place, as whatever a function makes answers of, or as answers by their places.
 */
export function casesOf(feed: Feed, days: string, place: string, options?: ReadOptions): Cases<Responses>;
export function casesOf<Given>(
  feed: Feed,
  days: string,
  answersOf: (given: Given) => Answers,
  options?: ReadOptions,
): Cases<Given>;
export function casesOf(feed: Feed, days: string, answers?: undefined, options?: ReadOptions): Cases<Answers>;
export function casesOf<Given>(
  feed: Feed,
  days: string,
  answersOf?: string | ((given: Given) => Answers),
  usual: ReadOptions = {},
): Cases<Given> {
  const answered = (given: Given | undefined): Answers => {
    if (given === undefined) return {};
    if (typeof answersOf === 'string') return { [answersOf]: given as Responses };
    return answersOf ? answersOf(given) : (given as Answers);
  };
  return {
    reads(name, { given, days: stated, today, credentials, ...expected }) {
      const own = stated ?? windowOf(days, expected.rates ?? []);
      const options = { ...usual, ...(today && { today }), ...(credentials && { credentials }) };
      const answers = answered(given);
      test(name, async () => expectReading(await readFeed(feed, own, answers, options), expected));
      if (!Object.values(answers).flat().some(holdsWorkbook)) return;
      test(`${name}, in the date system of 1904`, async () => {
        const others = Object.entries(answers).map(([place, turns]) => [place, [turns].flat().map(in1904)]);
        expectReading(await readFeed(feed, own, Object.fromEntries(others), options), expected);
      });
    },
    empty(name, given, own = days) {
      test(name, async () => expectReading(await readFeed(feed, own, answered(given), usual), {}));
    },
    nothing(reason, given, own = days) {
      test(`no rates: ${reason}`, async () => {
        const reading = await readFeed(feed, own, answered(given), usual);
        expectReading(reading, { noData: [reason], ...(given === undefined && { asks: [] }) });
      });
    },
    refuses(refusals) {
      for (const [what, given, expected, own = days] of refusals)
        test(`${what} is an error`, async () => {
          const error = await errorOf(readFeed(feed, own, answered(given), usual));
          expect(error instanceof CredentialsRefused).toBe(expected === CredentialsRefused);
          if (expected instanceof RegExp) expect(error.message).toMatch(expected);
          for (const name of feed.credentials ?? []) expect(error.message).not.toContain(`<${name}>`);
        });
    },
    codes(given, ...rows) {
      test.each(rows)('%s', async (line) => {
        const [day = '', code = '', price, units, ...rate] = line.split(' ');
        const answers = answered(given({ day, code, price: Number(price), units: Number(units) }));
        const read = await readFeed(feed, `${day}..${day}`, answers, { today: '2026-05-22', ...usual });
        const others = read.rows.filter(([, base, quote]) => base !== 'USD' && quote !== 'USD');
        expect(linesOf(others)).toEqual(rate.length > 0 ? [`${day} ${rate.join(' ')}`] : []);
      });
    },
  };
}

function holdsWorkbook(answer: Answer): boolean {
  return isWorkbook(bodyOf(answer));
}

function bodyOf(answer: Answer): unknown {
  return typeof answer === 'object' && 'body' in answer ? answer.body : answer;
}

/** The answer with its workbook, if it is one, in the date system of 1904. */
function in1904(answer: Answer): Answer {
  const body = bodyOf(answer);
  if (!isWorkbook(body)) return answer;
  const other = inSystemOf1904(body);
  return typeof answer === 'object' && 'body' in answer ? { ...answer, body: other } : other;
}

function expectReading(reading: FeedReading, { rates = [], ...expected }: Expected): void {
  const { requests, unread, skipped, dropped, noData } = reading;
  expect(linesOf(reading.rows)).toEqual(rates);
  if (expected.sides) expect(reading.sides).toEqual(expect.arrayContaining([...expected.sides]));
  if (expected.skipped) expect(skipped).toEqual(expected.skipped);
  if (expected.dropped) expect(dropped).toEqual(expected.dropped);
  if (expected.noData) expect(noData).toEqual(expected.noData);
  if (expected.unread) expect(unread).toEqual(expected.unread.map((one) => expect.stringMatching(one)));
  const count = expected.count ?? expected.asks?.length;
  if (count !== undefined) expect(requests).toHaveLength(count);
  for (const [index, asked] of expected.asks?.entries() ?? []) {
    const facts = factsOf(requests[index]);
    const wanted = typeof asked === 'string' || asked instanceof RegExp ? [asked] : asked;
    for (const one of wanted)
      for (const fact of typeof one === 'string' ? one.split(' & ') : [expect.stringMatching(one)])
        expect(facts).toContainEqual(fact);
  }
}

/** The usual window, or that of the rates where they are of other days. */
function windowOf(usual: string, rates: readonly string[]): string {
  const dates = rates.map((line) => line.slice(0, 10)).sort();
  const [from = '', to = ''] = usual.split('..');
  const isUsual = dates.every((date) => date >= from && (to === '' || date <= to));
  return isUsual ? usual : `${dates[0]}..${dates.at(-1)}`;
}

/** Rates of one day on one line, in the feed's order. */
function linesOf(rows: FeedReading['rows']): string[] {
  const lines: string[] = [];
  for (const [date, base, quote, rate] of rows) {
    const last = lines.at(-1);
    const price = `${base}/${quote} ${rate}`;
    if (last?.startsWith(date)) lines[lines.length - 1] = `${last}, ${price}`;
    else lines.push(`${date} ${price}`);
  }
  return lines;
}

function factsOf(request: SeenRequest | undefined): string[] {
  if (!request) throw new Error('no such request');
  const { method, path, query, form, headers, body } = request;
  const fields = [...query, ...form].map(([name, value]) => `${name}=${value}`);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const whole = [...query].map(([name, value]) => `${name}=${value}`).join('&');
  const times = [...new Set(form.keys())].map((name) => `${form.getAll(name).length} times ${name}`);
  return [method, path, whole, body, `${form.size} fields`, ...fields, ...times, ...lines];
}

async function errorOf(reading: Promise<FeedReading>): Promise<Error> {
  const error: unknown = await reading.then(
    ({ rows }) => rows,
    (thrown: unknown) => thrown,
  );
  if (error instanceof FeedError || error instanceof HttpClientError) return error;
  throw new Error(`it is not refused, but gives ${JSON.stringify(error)}`, { cause: error });
}

/** A row of a table in HTML. */
export const htmlRow = (cells: readonly string[], tag = 'td') =>
  `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
