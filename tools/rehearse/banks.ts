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

/** A bank with synthetic rates. It publishes them as a recording, which the feed of `BOC` reads from the folder. */
export interface Bank {
  key: string;
  /** All rows that it publishes now, by date and base. */
  rows: Map<string, Published>;
  /** Publishes a new rate for one of its rows. */
  correct(row: Published, rate: number): Promise<void>;
}

/** Canadian dollars, approximately, for a unit. None of the currencies is pegged. */
const LEVELS: Readonly<Record<string, number>> = {
  ...{ USD: 1.37, EUR: 1.57, GBP: 1.83, CHF: 1.73, AUD: 0.91, SEK: 0.146 },
  ...{ JPY: 0.0087, INR: 0.0156, KRW: 0.00094, MXN: 0.0745, BRL: 0.258, ZAR: 0.08 },
};

const KEY = 'BOC';
const URL = 'https://www.bankofcanada.ca/valet/observations/group/FX_RATES_DAILY/json';

/** Creates a bank in the format of the Bank of Canada, with rates for every weekday, in a folder of recordings. */
export async function openBank(
  window: { from: CalendarDate; to: CalendarDate },
  folder: string,
): Promise<Bank> {
  const bankFolder = join(folder, KEY.toLowerCase(), 'recorded');
  await mkdir(bankFolder, { recursive: true });
  const rows = new Map<string, Published>();
  const set = (row: Published) => rows.set(`${row.date} ${row.base}`, row);
  for (const row of syntheticRates(window)) set(row);
  // The worker reads the file at each ingest: it is replaced as a whole, by a rename.
  async function publish(): Promise<void> {
    const draft = join(bankFolder, 'body.draft');
    await writeFile(draft, bodyOf(rows.values()));
    await rename(draft, join(bankFolder, 'body'));
  }
  await publish();
  await writeFile(join(bankFolder, 'all.index.json'), JSON.stringify([INTERACTION]));
  return {
    key: KEY,
    rows,
    async correct(row, rate) {
      set({ ...row, rate });
      await publish();
    },
  };
}

/** The days from the first row to the last. */
export function windowOf(rows: Iterable<Published>): { from: CalendarDate; to: CalendarDate } {
  const dates = [...rows].map(({ date }) => date);
  return { from: dates[0] ?? '', to: dates.at(-1) ?? '' };
}

const INTERACTION = {
  method: 'GET',
  url: URL,
  requestBody: null,
  status: 200,
  responseHeaders: { 'content-type': 'application/json' },
  bodyFile: 'body',
  recordedAt: new Date().toISOString(),
};

function bodyOf(rows: Iterable<Published>): string {
  const days = new Map<CalendarDate, Record<string, unknown>>();
  for (const { date, base, rate } of rows)
    days.set(date, { ...(days.get(date) ?? { d: date }), [`FX${base}CAD`]: { v: String(rate) } });
  return JSON.stringify({ observations: [...days.values()] });
}

function* syntheticRates({ from, to }: { from: CalendarDate; to: CalendarDate }): Generator<Published> {
  for (const date of eachDay(from, to)) {
    if (isWeekend(date)) continue;
    for (const [base, level] of Object.entries(LEVELS)) {
      const drift = 1 + 0.05 * Math.sin(Date.parse(date) / 5e9 + base.charCodeAt(0));
      yield { date, base, quote: 'CAD', rate: Number((level * drift).toPrecision(6)) };
    }
  }
}
