import { addDays, type CalendarDate, eachDay, isoWeekday, isWeekend } from '../../core/domain/dates.js';
import { type Provider, providers } from '../../core/domain/providers.js';
import { HEADER } from '../../worker/import/csv.js';
import { importRates } from '../../worker/import/import.js';
import type { TestDatabase } from '../support/postgres.js';
import type { World } from './site.js';

/** A Friday afternoon, after most sources have published. */
export const NOW = new Date('2026-03-20T17:30:00Z');

const TODAY = '2026-03-20';
const RECENT_FROM = addDays(TODAY, -200);
const LONG_FROM = '1999-01-08';

/** Units per dollar at the end, about, and how much they move in a day. */
const LEVELS: Readonly<Record<string, readonly [rate: number, move: number]>> = {
  EUR: [0.8668, 0.0035],
  GBP: [0.7476, 0.0035],
  JPY: [158.4, 0.004],
  CHF: [0.7891, 0.0035],
  CNY: [6.894, 0.001],
  AUD: [1.4102, 0.005],
  CAD: [1.3716, 0.003],
  NZD: [1.6935, 0.005],
  SEK: [9.2417, 0.005],
  NOK: [9.6803, 0.005],
  DKK: [6.4762, 0.0035],
  PLN: [3.6904, 0.004],
  CZK: [21.172, 0.004],
  HUF: [334.1, 0.005],
  RON: [4.4128, 0.0035],
  TRY: [43.92, 0.001],
  INR: [92.61, 0.002],
  KRW: [1482.5, 0.004],
  SGD: [1.2788, 0.002],
  HKD: [7.8301, 0.0003],
  MXN: [17.694, 0.005],
  BRL: [5.2143, 0.006],
  ZAR: [16.742, 0.007],
  ILS: [3.0817, 0.004],
  THB: [32.41, 0.003],
  UAH: [43.61, 0.002],
  IDR: [16895, 0.002],
  PHP: [59.7, 0.002],
  MYR: [3.941, 0.002],
  VND: [26290, 0.0005],
};
const PICKED = 16;

/** Sources in other states than fresh, for the status page. */
const LATE = ['RBM', 'CBE', 'BCEAO', 'NBRM'];
const PENDING = ['BCC'];
const FAILING: Readonly<Record<string, string>> = {
  BNRRW: 'HTTP 503 from https://www.bnr.rw/',
  CBK: 'the request took longer than 30000 ms',
};
const NEEDS_KEY: Readonly<Record<string, string>> = {
  BAM: 'BAM_API_KEY',
  BCCH: 'BCCH_USER',
  TCMB: 'TCMB_API_KEY',
};

/**
 * Fills a database with made rates that look like real ones: random walks of thirty currencies, which all sources publish
 * with a little noise of their own for 200 days, and three of them on Fridays since 1999; and with sources that are late,
 * failing or without a key. The same each time.
 */
async function fill(database: TestDatabase): Promise<void> {
  await importRates(database, csv(), { today: TODAY });
  await database.prisma.provider.updateMany({
    data: {
      lastAttemptAt: NOW,
      lastSuccessAt: new Date(NOW.getTime() - 3_600_000),
      backfilledTo: new Date('1900-01-01'),
    },
  });
  const states = [
    ...Object.entries(FAILING),
    ...Object.entries(NEEDS_KEY).map(([key, variable]) => [key, `needs_key: ${variable}`] as const),
  ];
  for (const [key, lastError] of states) {
    await database.prisma.provider.upsert({
      where: { key },
      create: { key, lastError },
      update: { lastError },
    });
  }
  await database.prisma.provider.update({
    where: { key: 'NBU' },
    data: { backfilledTo: new Date('2013-05-01') },
  });
  const sources = providers.filter(({ key }) => !(key in NEEDS_KEY)).map(({ key }) => key);
  await database.prisma.readingPlan.create({
    data: { sources: sources.join(), since: new Date(NOW.getTime() - 7_200_000), seenAt: NOW },
  });
  await database.prisma.thinDay.createMany({
    data: ['2026-02-11', '2026-02-12'].map((date) => ({
      provider: 'BOC',
      date: new Date(date),
      currencies: 4,
      usual: 16,
    })),
  });
  await database.prisma.suspect.create({
    data: {
      provider: 'CNB',
      date: new Date('2026-03-18'),
      base: 'CZK',
      quote: 'TRY',
      rate: 0.207,
      reason: 'jump',
      expected: 2.07,
      others: 9,
    },
  });
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
  return !period && !blend_currencies && !(key in NEEDS_KEY) && !PENDING.includes(key);
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

/** Numbers in [0, 1) from a seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const madeUpWorld: World = { fill, now: NOW };
