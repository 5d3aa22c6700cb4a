import { addDays, type CalendarDate, eachDay, isoWeekday, isWeekend } from '../../core/domain/dates.js';
import { needsKeyError } from '../../core/domain/provider-status.js';
import { type Provider, providers } from '../../core/domain/providers.js';
import { HEADER, importRates } from '../../worker/import/import.js';
import { randomNumbers } from '../support/changing-store.js';
import type { TestDatabase } from '../support/postgres.js';
import type { World } from './site.js';

/** A Friday afternoon, after most sources have published. */
export const NOW = new Date('2026-03-20T17:30:00Z');

const TODAY = '2026-03-20';
const RECENT_FROM = addDays(TODAY, -200);
const LONG_FROM = '1999-01-08';

/** Units per dollar at the end, about, and by how many tenths of a percent they move in a day. */
const LEVELS: Readonly<Record<string, readonly [rate: number, move: number]>> = Object.fromEntries(
  [
    'EUR 0.8668 3.5, GBP 0.7476 3.5, JPY 158.4 4, CHF 0.7891 3.5, CNY 6.894 1, AUD 1.4102 5, CAD 1.3716 3, NZD 1.6935 5',
    'SEK 9.2417 5, NOK 9.6803 5, DKK 6.4762 3.5, PLN 3.6904 4, CZK 21.172 4, HUF 334.1 5, RON 4.4128 3.5, TRY 43.92 1',
    'INR 92.61 2, KRW 1482.5 4, SGD 1.2788 2, HKD 7.8301 0.3, MXN 17.694 5, BRL 5.2143 6, ZAR 16.742 7, ILS 3.0817 4',
    'THB 32.41 3, UAH 43.61 2, IDR 16895 2, PHP 59.7 2, MYR 3.941 2, VND 26290 0.5',
  ].flatMap((line) =>
    line.split(', ').map((one) => {
      const [code = '', rate, move] = one.split(' ');
      return [code, [Number(rate), Number(move) / 1_000]] as const;
    }),
  ),
);
const PICKED = 16;

/** Sources in other states than fresh, for the status page. */
const LATE = ['RBM', 'CBE', 'BCEAO', 'NBRM', 'BOB'];
const PENDING = ['BCC'];
const FAILING = [
  ['BNRRW', 'HTTP 503 from https://www.bnr.rw/'],
  ['CBK', 'the request took longer than 30000 ms'],
];
const NEEDS_KEY = new Set(['BAM', 'BCCH', 'TCMB']);

/**
 * Fills a database with made rates that look like real ones: random walks of thirty currencies, which all sources publish
 * with a little noise of their own for 200 days, and three of them on Fridays since 1999; and with sources that are late,
 * failing or without a key. The same each time.
 */
async function fill(database: TestDatabase): Promise<void> {
  await importRates(database, csv(), { today: TODAY });
  const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000);
  const read = { lastAttemptAt: NOW, lastSuccessAt: hoursAgo(1), backfilledTo: new Date('1900-01-01') };
  await database.prisma.provider.updateMany({ data: read });
  const needingKey = [...NEEDS_KEY].map((key) => [key, needsKeyError([`${key}_API_KEY`])]);
  for (const [key = '', lastError = ''] of [...FAILING, ...needingKey]) {
    const error = { lastError };
    await database.prisma.provider.upsert({ where: { key }, create: { key, ...error }, update: error });
  }
  const sources = providers.filter(({ key }) => !NEEDS_KEY.has(key)).map(({ key }) => key);
  const plan = { sources: sources.join(), since: hoursAgo(2), seenAt: NOW };
  await database.prisma.readingPlan.create({ data: plan });
  await database.pool.query(
    `update providers set backfilled_to = '2013-05-01' where key = 'NBU';
     update providers set last_attempt_at = '2026-03-19' where key = 'BOB';
     insert into thin_days (provider, date, currencies, usual)
     values ('BOC', '2026-02-11', 4, 16), ('BOC', '2026-02-12', 4, 16);
     insert into suspects (provider, date, base, quote, rate, reason, expected, others)
     values ('CNB', '2026-03-18', 'CZK', 'TRY', 0.207, 'jump', 2.07, 9)`,
  );
}

async function* csv(): AsyncGenerator<string> {
  yield `${HEADER}\n`;
  const random = randomNumbers(7);
  const publishers = providers.filter(isShown).map((provider) => ({ provider, ...pick(provider, random) }));
  const paths = walks(random);
  for (const [date, rates] of paths) {
    let lines = '';
    for (const { provider, pivot, quotes, noise } of publishers) {
      if (!publishes(provider, date)) continue;
      for (const quote of quotes) {
        const rate = (of(rates, quote) / of(rates, pivot)) * (1 + noise * (random() - 0.5));
        lines += `${provider.key},${date},${pivot},${quote},${Number(rate.toPrecision(7))}\n`;
      }
    }
    yield lines;
  }
}

function isShown({ key, period, blend_currencies }: Provider): boolean {
  return !period && !blend_currencies && !NEEDS_KEY.has(key) && !PENDING.includes(key);
}

function publishes({ key, publish_cadence: cadence }: Provider, date: CalendarDate): boolean {
  if (cadence === null) return date < '2000-01-01';
  if (date < RECENT_FROM) return ['ECB', 'BOE', 'BOC'].includes(key);
  if (LATE.includes(key) && date > '2026-03-04') return false;
  if (cadence === 'weekly') return isoWeekday(date) === 5;
  if (cadence === 'daily') return true;
  return date.endsWith('-02') || date.endsWith('-27');
}

function pick({ pivot_currency: own }: Provider, random: () => number) {
  const pivot = own !== null && (own === 'USD' || own in LEVELS) ? own : 'USD';
  const quotes = new Set(['USD', 'EUR', 'GBP', 'JPY', 'CHF'].filter((code) => code !== pivot));
  const codes = Object.keys(LEVELS).filter((code) => code !== pivot);
  while (quotes.size < PICKED) quotes.add(codes[Math.floor(random() * codes.length)] ?? 'USD');
  return { pivot, quotes: [...quotes], noise: 10 ** (random() * 1.6 - 4.4) };
}

/** The rates of each day, walked backwards from the levels: Fridays at first, later every working day. */
function walks(random: () => number): Map<CalendarDate, Map<string, number>> {
  const days = [...eachDay(LONG_FROM, TODAY)].filter(
    (date) => !isWeekend(date) && (date >= RECENT_FROM || isoWeekday(date) === 5),
  );
  const rates = new Map(Object.entries(LEVELS).map(([code, [rate]]) => [code, rate]));
  const byDay: [CalendarDate, Map<string, number>][] = [];
  for (const date of days.reverse()) {
    byDay.push([date, new Map(rates)]);
    const step = date < RECENT_FROM ? 2.2 : 1;
    for (const [code, [level, move]] of Object.entries(LEVELS)) {
      const rate = rates.get(code) ?? level;
      // Drawn back to the level, so that decades stay within what is plausible.
      const pull = -0.004 * step * Math.log(rate / level);
      rates.set(code, rate * Math.exp(pull + move * step * (random() + random() + random() - 1.5)));
    }
  }
  return new Map(byDay.reverse());
}

function of(rates: ReadonlyMap<string, number>, code: string): number {
  return code === 'USD' ? 1 : (rates.get(code) ?? Number.NaN);
}

export const madeUpWorld: World = { fill, now: NOW };
