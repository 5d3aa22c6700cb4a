import { expect } from 'vitest';
import { addDays } from '../../../../core/domain/dates.js';
import { startApi } from '../../../support/api.js';
import { apply, applyAll, randomNumbers, someDay, storeEvents } from '../../../support/changing-store.js';
import { testDatabase } from '../../../support/postgres.js';

const CODES = ['EUR', 'USD', 'GBP', 'JPY', 'CHF', 'CAD', 'UAH', 'MWK', 'KWD', 'AED', 'XOF', 'DKK'];
const DAY_MS = 86_400_000;

interface Size {
  /** What is recorded. */
  events: number;
  /** How many questions are asked, or how many copies are kept. */
  count: number;
  seed: number;
}

/** Picks any of some things. */
export type Pick = <T>(items: readonly T[]) => T;

export function pickBy(random: () => number): Pick {
  return <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T;
}

export interface Question {
  path: string;
  /** Sent by POST. */
  body?: string;
}

/** Any list of rates, of the newest, of a day, of a range, of periods or filled forward. */
function anyRates(random: () => number, days: number): string {
  const pick = pickBy(random);
  const code = () => pick(CODES);
  const from = someDay(random, days);
  const range = `&from=${from}&to=${addDays(from, Math.floor(random() * 60))}`;
  const group = pick(['week', 'month', 'quarter', 'range']);
  const date = `&date=${from}${pick(['', '&when=before', '&when=next'])}`;
  const ofPeriods = [`${range}&group=${group}`, `${range}&fill=forward`];
  const when = pick(['', '', date, range, `&from=${from}`, ...ofPeriods]);
  const expand = pick(['', '', '&expand=providers', '&expand=quality', '&expand=providers,quality']);
  const quotes = pick(['', '', `&quotes=${[...new Set([code(), code(), code()])].join()}`]);
  const full = pick(['', '&precision=full', '&precision=full']);
  return `/v2/rates?base=${code()}${quotes}${anySource(pick)}${when.includes('fill') ? '' : expand}${when}${full}`;
}

const anySource = (pick: Pick) =>
  pick(['', '', '', '&providers=ECB', '&providers=BOC,NBU', '&providers=RBM']);

/** Any question about rates that may be asked as of an instant. */
export function anyQuestion(random: () => number, days: number): Question {
  const pick = pickBy(random);
  const code = () => pick(CODES);
  const day = () => someDay(random, days);
  const source = anySource(pick);
  const date = pick(['', `&date=${day()}${pick(['', '&when=before', '&when=next'])}`]);
  const line = () => ({ amount: '1000000', base: code(), quote: code(), date: pick([undefined, day()]) });
  const rates = anyRates(random, days);
  return pick<Question>([
    ...[rates, rates, rates, rates.replace('rates?', 'rates.csv?')].map((path) => ({ path })),
    { path: `/v2/rate/${code()}/${code()}?precision=full${source}${date}` },
    { path: `/v2/convert/${code()}/${code()}?amount=1000000${source}${date}` },
    { path: `/v2/convert?${source.slice(1)}${date}`, body: JSON.stringify([line(), line(), line()]) },
  ]);
}

export async function ask(url: string, { path, body }: Question, extra = '') {
  const address = `${url}${path}${extra && (path.includes('?') ? '&' : '?')}${extra}`;
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(address, body === undefined ? {} : { method: 'POST', body, headers });
  return { status: response.status, body: await response.text(), headers: response.headers };
}

/** Of a past version, other days than those that were asked for are not named. */
const withoutDays = (body: string) => body.replaceAll(/(no rate for [^:"]*): [^"]*/g, '$1');

/**
 * Compares answers as of random instants with those of a second store, into which the same is recorded step by step, at
 * these instants.
 */
export async function compareWithThen({ events: eventCount, count, seed }: Size): Promise<void> {
  const random = randomNumbers(seed);
  const events = storeEvents(random, eventCount);
  const [whole, stepwise] = await Promise.all([testDatabase(), testDatabase()]);
  await applyAll(whole, events);
  let now = new Date();
  const api = await startApi(whole);
  const then = await startApi(stepwise, { clock: () => now });
  const steps = Array.from({ length: count }, () => Math.floor(random() * events.length));
  const seen = { rates: 0, differsNow: 0 };
  for (const [index, event] of events.entries()) {
    await apply(stepwise, event);
    const start = event.at.getTime();
    const end = events[index + 1]?.at.getTime() ?? start + DAY_MS;
    for (const _ of steps.filter((step) => step === index)) {
      const asked = anyQuestion(random, eventCount / 4);
      now = new Date(start + Math.floor(random() * (end - start)));
      await then.catchUp();
      const expected = await ask(then.url, asked);
      const past = await ask(api.url, asked, `as_of=${now.toISOString()}`);
      const context = `${index}: ${asked.path} as of ${now.toISOString()}`;
      const shown = ({ status, body }: typeof past) => ({ context, status, body: withoutDays(body) });
      expect(shown(past)).toEqual(shown(expected));
      const isOfNewest = !/date=|from=|providers=/.test(asked.path) && asked.body === undefined;
      const upTo = expected.headers.get('x-rates-as-of');
      if (upTo && isOfNewest) expect([context, past.headers.get('x-rates-as-of')]).toEqual([context, upTo]);
      if (past.status === 200 && past.body.length > 100) seen.rates++;
      if (past.body !== (await ask(api.url, asked)).body) seen.differsNow++;
    }
  }
  // Many questions have rates, and many other ones by now: else the comparison would show little.
  expect(seen.rates).toBeGreaterThan(count / 3);
  expect(seen.differsNow).toBeGreaterThan(count / 3);
  await Promise.all([api.close(), then.close()]);
  await Promise.all([whole.close(), stepwise.close()]);
}

type Row = { date: string; quote: string; rate: number | null };

export async function rowsAt(url: string, path: string): Promise<{ rows: Row[]; knownAt: string | null }> {
  const { status, body, headers } = await ask(url, { path });
  if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
  return { rows: JSON.parse(body), knownAt: headers.get('x-known-at') };
}

/** A copy of what a request answers, which only ever asks for changes. */
export function createMirror(url: string, path: string) {
  const isNewest = !path.includes('from=');
  const rows = new Map<string, Row>();
  let since = '2000-01-01';
  return {
    path,
    async update() {
      const changes = await rowsAt(url, `${path}&updated_after=${since}`);
      since = changes.knownAt ?? since;
      for (const row of changes.rows) {
        const key = isNewest ? row.quote : `${row.date} ${row.quote}`;
        if (row.rate === null) rows.delete(key);
        else rows.set(key, row);
      }
    },
    since: () => since,
    rows: () =>
      [...rows.values()].sort((one, other) => (one.date + one.quote < other.date + other.quote ? -1 : 1)),
  };
}

/** Keeps copies equal to a store under random corrections, by asking for changes only. */
export async function keepMirrors({ events, count, seed }: Size): Promise<void> {
  const random = randomNumbers(seed);
  const database = await testDatabase();
  const api = await startApi(database);
  const mirrors = Array.from({ length: count }, () => createMirror(api.url, anyRates(random, 10)));
  for (const event of storeEvents(random, events)) {
    await apply(database, event);
    await api.catchUp();
    for (const mirror of mirrors) if (random() < 0.1) await mirror.update();
  }
  let stored = 0;
  for (const mirror of mirrors) {
    await mirror.update();
    const { rows } = await rowsAt(api.url, mirror.path);
    expect([mirror.path, mirror.rows()]).toEqual([mirror.path, rows]);
    const again = await rowsAt(api.url, `${mirror.path}&updated_after=${mirror.since()}`);
    expect([mirror.path, again.rows]).toEqual([mirror.path, []]);
    stored += rows.length;
  }
  expect(stored).toBeGreaterThan(count);
  await api.close();
  await database.close();
}
