import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CalendarDate, eachDay, isWeekend } from '../core/domain/dates.js';

/** One unit of `base` costs `rate` units of `quote` on `date`. */
export interface Published {
  date: CalendarDate;
  base: string;
  quote: string;
  rate: number;
}

/** A source whose rates are made up, as a recording that its feed is answered from. */
export interface Bank {
  key: string;
  /** All that it publishes now, by `date base quote`. */
  rows: Map<string, Published>;
  /** How many of its rows it has corrected so far. */
  corrected: number;
  /** Publishes another rate for one of its rows. */
  correct(row: Published, rate: number): Promise<void>;
}

interface Form {
  key: string;
  url: string;
  contentType: string;
  pairs: readonly (readonly [base: string, quote: string])[];
  body(rows: readonly Published[]): string;
}

/** Units per dollar, about. None is pegged, all have been there since 2008. */
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

/** The European Central Bank's form; it doesn't speak of the peso, which is the other bank's alone. */
const ECB: Form = {
  key: 'ECB',
  url: 'https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A?format=csvdata',
  contentType: 'text/csv',
  pairs: others('EUR')
    .filter((code) => code !== 'MXN')
    .map((code) => ['EUR', code] as const),
  body: (rows) =>
    `FREQ,CURRENCY,TIME_PERIOD,OBS_VALUE\n${rows.map(({ quote, date, rate }) => `D,${quote},${date},${rate}\n`).join('')}`,
};

/** The Bank of Canada's form. */
const BOC: Form = {
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

/** Opens a bank in the form of the real one, with rates for every weekday of the window, in a folder of recordings. */
export async function openBank(
  key: 'ECB' | 'BOC',
  window: { from: CalendarDate; to: CalendarDate },
  folder: string,
): Promise<Bank> {
  const form = key === 'ECB' ? ECB : BOC;
  const place = join(folder, key.toLowerCase(), 'recorded');
  await mkdir(place, { recursive: true });
  const rows = new Map<string, Published>();
  for (const row of madeUp(form, window)) rows.set(nameOf(row), row);
  const bank: Bank = {
    key,
    rows,
    corrected: 0,
    async correct(row, rate) {
      rows.set(nameOf(row), { ...row, rate });
      bank.corrected++;
      await publish();
    },
  };
  // The worker reads these files whenever it asks the bank: each appears whole or not at all.
  async function publish(): Promise<void> {
    const draft = join(place, 'body.draft');
    await writeFile(draft, form.body([...rows.values()]));
    await rename(draft, join(place, 'body'));
  }
  await publish();
  await writeFile(join(place, 'all.index.json'), JSON.stringify([interaction(form)]));
  return bank;
}

/** A name for a row that no other row of the bank has. */
export function nameOf({ date, base, quote }: Pick<Published, 'date' | 'base' | 'quote'>): string {
  return `${date} ${base} ${quote}`;
}

function interaction({ url, contentType }: Form) {
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

function* madeUp(
  { pairs }: Form,
  { from, to }: { from: CalendarDate; to: CalendarDate },
): Generator<Published> {
  for (const date of eachDay(from, to)) {
    if (isWeekend(date)) continue;
    for (const [base, quote] of pairs) {
      const level = (LEVELS[quote] ?? 1) / (LEVELS[base] ?? 1);
      const wander = 1 + 0.05 * Math.sin(Date.parse(date) / 5e9 + base.charCodeAt(0) + quote.charCodeAt(1));
      yield { date, base, quote, rate: Number((level * wander).toPrecision(6)) };
    }
  }
}
