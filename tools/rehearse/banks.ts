import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CalendarDate, eachDay, isWeekend } from '../../core/domain/dates.js';

/** One unit of `base` costs `rate` units of `quote` on `date`. */
export interface Published {
  date: CalendarDate;
  base: string;
  quote: string;
  rate: number;
}

/** A bank with synthetic rates. It publishes them as a recording, which the feed reads in bankFolder of the network. */
export interface Bank {
  key: string;
  /** All rows that it publishes now, by `date base quote`. */
  rows: Map<string, Published>;
  /** How many of its rows it has corrected so far. */
  corrected: number;
  /** Publishes a new rate for one of its rows. */
  correct(row: Published, rate: number): Promise<void>;
}

interface Format {
  key: string;
  url: string;
  contentType: string;
  pairs: readonly (readonly [base: string, quote: string])[];
  body(rows: readonly Published[]): string;
}

/** Approximate units per US dollar. None of them is pegged, and all have existed since 2008. */
const LEVELS: Readonly<Record<string, number>> = {
  USD: 1,
  EUR: 0.87,
  GBP: 0.75,
  JPY: 158,
  CHF: 0.79,
  CAD: 1.37,
  AUD: 1.5,
  NZD: 1.7,
  SEK: 9.4,
  NOK: 10,
  PLN: 3.7,
  HUF: 340,
  CZK: 21,
  INR: 88,
  KRW: 1450,
  THB: 32,
  PHP: 58,
  IDR: 16_600,
  ILS: 3.3,
  MXN: 18.4,
  BRL: 5.3,
  ZAR: 17.2,
};

const others = (but: string) => Object.keys(LEVELS).filter((code) => code !== but);

/** The European Central Bank's format. It leaves out the peso, so that only the other bank publishes it. */
const ECB: Format = {
  key: 'ECB',
  url: 'https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A?format=csvdata',
  contentType: 'text/csv',
  pairs: others('EUR')
    .filter((code) => code !== 'MXN')
    .map((code) => ['EUR', code] as const),
  body: (rows) =>
    `FREQ,CURRENCY,TIME_PERIOD,OBS_VALUE\n${rows.map(({ quote, date, rate }) => `D,${quote},${date},${rate}\n`).join('')}`,
};

const BOC: Format = {
  key: 'BOC',
  url: 'https://www.bankofcanada.ca/valet/observations/group/FX_RATES_DAILY/json',
  contentType: 'application/json',
  pairs: others('CAD').map((code) => [code, 'CAD'] as const),
  body(rows) {
    const days = new Map<CalendarDate, Record<string, unknown>>();
    for (const { date, base, rate } of rows) {
      const day = days.get(date) ?? { d: date };
      days.set(date, { ...day, [`FX${base}CAD`]: { v: String(rate) } });
    }
    return JSON.stringify({ observations: [...days.values()] });
  },
};

/** Creates a bank in the real one's format, with rates for every weekday of the window, in a folder of recordings. */
export async function openBank(
  key: 'ECB' | 'BOC',
  window: { from: CalendarDate; to: CalendarDate },
  folder: string,
): Promise<Bank> {
  const format = key === 'ECB' ? ECB : BOC;
  const bankFolder = join(folder, key.toLowerCase(), 'recorded');
  await mkdir(bankFolder, { recursive: true });
  const rows = new Map<string, Published>();
  for (const row of syntheticRates(format, window)) rows.set(keyOf(row), row);
  const bank: Bank = {
    key,
    rows,
    corrected: 0,
    async correct(row, rate) {
      rows.set(keyOf(row), { ...row, rate });
      bank.corrected++;
      await publish();
    },
  };
  // The worker reads the file at each ingest: it is replaced as a whole, by a rename.
  async function publish(): Promise<void> {
    const draft = join(bankFolder, 'body.draft');
    await writeFile(draft, format.body([...rows.values()]));
    await rename(draft, join(bankFolder, 'body'));
  }
  await publish();
  await writeFile(join(bankFolder, 'all.index.json'), JSON.stringify([interaction(format)]));
  return bank;
}

/** A key that is unique among the bank's rows. */
export function keyOf({ date, base, quote }: Pick<Published, 'date' | 'base' | 'quote'>): string {
  return `${date} ${base} ${quote}`;
}

/** The days from the first row to the last. */
export function windowOf(rows: Iterable<Published>): { from: CalendarDate; to: CalendarDate } {
  const dates = [...rows].map(({ date }) => date);
  return { from: dates[0] ?? '', to: dates.at(-1) ?? '' };
}

function interaction({ url, contentType }: Format) {
  return {
    method: 'GET',
    url,
    requestBody: null,
    status: 200,
    responseHeaders: { 'content-type': contentType },
    bodyFile: 'body',
    recordedAt: new Date().toISOString(),
  };
}

function* syntheticRates(
  { pairs }: Format,
  { from, to }: { from: CalendarDate; to: CalendarDate },
): Generator<Published> {
  for (const date of eachDay(from, to)) {
    if (isWeekend(date)) continue;
    for (const [base, quote] of pairs) {
      const level = (LEVELS[quote] ?? 1) / (LEVELS[base] ?? 1);
      const drift = 1 + 0.05 * Math.sin(Date.parse(date) / 5e9 + base.charCodeAt(0) + quote.charCodeAt(1));
      yield { date, base, quote, rate: Number((level * drift).toPrecision(6)) };
    }
  }
}
