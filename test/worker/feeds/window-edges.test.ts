import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { describe, expect, it, test } from 'vitest';
import { addDays } from '../../../core/domain/dates.js';
import { providers } from '../../../core/domain/providers.js';
import { roundForStorage } from '../../../core/domain/rounding.js';
import { projectFolder } from '../../../core/process/project-files.js';
import { readExpectations } from '../../../tools/feeds-check/check.js';
import { feed as bcp } from '../../../worker/banks/bcp.js';
import { feed as bnr } from '../../../worker/banks/bnr.js';
import type { Feed, RateRow } from '../../../worker/feeds/feed.js';
import { type NamedRecording, readRecordings, recordedSpan } from '../../../worker/feeds/recordings.js';
import { loadFeeds } from '../../../worker/feeds/registry.js';
import { byDateBaseQuote, replayRecording } from '../../../worker/feeds/replay.js';
import { nextBackfill } from '../../../worker/ingest/windows.js';
import { readFeed, type SeenRequest } from './support.js';

const RECORDINGS = join(projectFolder, '..', 'shared', 'feeds');
const log = pino({ level: 'silent' });

const feeds = [...(await loadFeeds()).values()];
/** A response of TCMB has an item for each day asked for, and no recording stands for a shorter window: see tcmb.test.ts. */
const recorded = feeds.filter(({ key }) => key !== 'TCMB');

describe.skipIf(!existsSync(RECORDINGS))('a window that begins and ends on days with rates', () => {
  it.each(recorded.map((feed) => [feed.key, feed] as const))(
    '%s: has the rates of both days',
    async (key, feed) => {
      const recording = await mainRecording(key);
      const all = (await expectedRows(key, recording.name)) ?? (await recordedRows(feed, recording));
      const days = [...new Set(all.map(({ date }) => date))].sort();
      // Inside of what was recorded, where there is more than a day or two.
      const first = days.length > 3 ? days[1] : days[0];
      const last = days.length > 3 ? days.at(-2) : days.at(-1);
      if (first === undefined || last === undefined) throw new Error(`${key}: no rates in the recording`);
      const read = await replayRecording(feed, recording, { after: first, upto: last }, log);
      for (const day of [first, last]) expect(on(day, read), day).toEqual(on(day, all));
      expect(read.every(({ date }) => date >= first && date <= last)).toBe(true);
    },
    120_000,
  );
});

/** The recording that is named after the provider, or the first. */
async function mainRecording(key: string): Promise<NamedRecording> {
  const recordings = await readRecordings(RECORDINGS, key);
  const recording = recordings.find(({ name }) => name === key.toLowerCase()) ?? recordings[0];
  if (!recording) throw new Error(`${key}: no recording`);
  return recording;
}

/** What should be stored of the recording, which `feeds:check` compares with what is. */
async function expectedRows(key: string, name: string): Promise<RateRow[] | undefined> {
  const expectations = await readExpectations(join(RECORDINGS, key.toLowerCase(), 'expected.json'));
  const expectation = expectations?.find((one) => one.recording === name && one.ambiguous.length === 0);
  const rows = expectation?.rows.map(([date, base, quote, rate]) => ({
    date,
    base,
    quote,
    rate: roundForStorage(rate),
  }));
  return rows?.sort(byDateBaseQuote);
}

async function recordedRows(feed: Feed, recording: NamedRecording): Promise<RateRow[]> {
  const span = recordedSpan(recording);
  return replayRecording(feed, recording, { after: span?.from, upto: span?.to }, log);
}

function on(day: string, rows: readonly RateRow[]): RateRow[] {
  return rows.filter(({ date }) => date === day);
}

describe('a backfill', () => {
  it.each(feeds.map((feed) => [feed.key, feed] as const))(
    '%s: asks for every day, and for none twice',
    (key, feed) => {
      const start = providers.find((provider) => provider.key === key)?.coverage_start ?? null;
      let asked = '2026-05-22';
      for (let window = nextBackfill(asked, start, feed.backfillDays); window; ) {
        expect(window.to).toBe(addDays(asked, -1));
        asked = window.from;
        window = nextBackfill(asked, start, feed.backfillDays);
      }
      if (start !== null) expect(asked).toBe(start);
    },
  );
});

describe('days that a year or a step begins with', () => {
  test.each(['2001-01-01', '2002-01-01', '2004-12-31'])(
    'BCP: %s is read where the window begins with it, and where it ends with it',
    async (day) => {
      const answers = { 'GET www.bcp.gov.py/webapps/web/cotizacion/monedas-historica': paraguayanYear };
      for (const window of [`${day}..${addDays(day, 364)}`, `${addDays(day, -365)}..${day}`]) {
        const { rows } = await readFeed(bcp, window, answers, { today: '2026-05-22' });
        const [from, to] = window.split('..');
        const days = rows.map(([date]) => date).sort();
        expect([days[0], days.at(-1)]).toEqual([from, to]);
      }
    },
  );

  test('BNR: the first and the last day of a year', async () => {
    const cube = (date: string) => `<Cube date="${date}"><Rate currency="EUR">4.4</Rate></Cube>`;
    const year = (number: number, ...days: string[]) => ({
      [`GET /files/xml/years/nbrfxrates${number}.xml`]: `<DataSet xmlns="https://www.bnr.ro/xsd"><Header/><Body>${days.map(cube).join('')}</Body></DataSet>`,
    });
    const answers = {
      ...year(2013, '2013-01-03', '2013-12-31'),
      ...year(2014, '2014-01-03', '2014-12-31'),
    };
    const days = async (window: string) =>
      (await readFeed(bnr, window, answers, { today: '2026-05-22' })).rows.map(([date]) => date);
    expect(await days('2013-12-31..2014-01-03')).toEqual(['2013-12-31', '2014-01-03']);
    expect(await days('2014-01-03..2014-12-31')).toEqual(['2014-01-03', '2014-12-31']);
    expect(await days('2013-01-03..2013-12-31')).toEqual(['2013-01-03', '2013-12-31']);
  });
});

/** The page of a year of dollars, with a price for the ends of its months; other currencies are marked ND throughout. */
function paraguayanYear({ query }: SeenRequest): string {
  const names = new Map([...bcpTitles].map((title) => [title.slice(0, 3), title.slice(4)]));
  const code = query.get('moneda') ?? '';
  const months = 'ENE FEB MAR ABR MAY JUN JUL AGO SEP OCT NOV DIC'.split(' ');
  const cell = code === 'USD' ? '<td>3.500,00</td>' : '<td>ND</td>';
  const isDay = (month: number, day: number) =>
    new Date(Date.UTC(Number(query.get('anho')), month, day)).getUTCMonth() === month;
  // Only the ends of months, between which the test has its windows.
  const days = [1, 2, 30, 31].map(
    (day) =>
      `<tr><th>${day}</th>${months.map((_, month) => (isDay(month, day) ? cell : '<td>ND</td>')).join('')}</tr>`,
  );
  return `<html><body><table id="cotizacion-interbancaria"><thead><tr><th>PLANILLA DE COTIZACIONES DEL A&Ntilde;O ${query.get('anho')} DE MONEDA ${names.get(code)}</th></tr></thead></table><table id="cotizacion-interbancaria"><tbody><tr><th>#</th>${months.map((month) => `<th>${month}</th>`).join('')}</tr>${days.join('')}</tbody></table></body></html>`;
}

const bcpTitles = [
  'USD DOLAR AMERICANO',
  'EUR EURO',
  'GBP LIBRA ESTERLINA',
  'JPY YEN JAPONES',
  'CHF FRANCO SUIZO',
  'CAD DOLAR CANADIENSE',
  'AUD DOLAR AUSTRALIANO',
  'CNY YUAN CHINO',
  'BRL REAL BRASILERO',
  'ARS PESO ARGENTINO',
  'CLP PESO CHILENO',
  'MXN PESO MEXICANO',
  'UYU PESO URUGUAYO',
  'COP PESO COLOMBIANO',
  'BOB BOLIVIAN BOLIVIANO',
  'NZD DOLAR NEOZELANDES',
  'ZAR RAND SUDAFRICANO',
  'SEK CORONA SUECA',
  'DKK CORONA DANESA',
  'NOK CORONA NORUEGA',
  'AED UAE DIRHAM',
  'PEN PERUVIAN NUEVO SOL',
  'SGD SINGAPORE DOLLAR',
  'TWD NEW TAIWAN DOLLAR',
  'XAU ORO',
];
