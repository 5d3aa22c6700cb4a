import { earlier, isCalendarDate, later } from '../../core/domain/dates.js';
import {
  type Feed,
  FeedError,
  type Figure,
  noData,
  oneOfMany,
  type Reading,
  ratesFrom,
  type Skip,
  sidesOf,
  skipped,
  type Window,
} from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { dateOrNone, monthNumber } from '../feeds/toolbox/dates.js';
import { weekdaysOf, yearsOf } from '../feeds/toolbox/windows.js';
import { type Cell, firstSheet, numberIn, textIn } from '../feeds/toolbox/workbook.js';

const YEARS = 'https://www.bcb.gob.bo/tiposDeCambioHistorico/xls.php';
const DAYS = 'https://www.bcb.gob.bo/librerias/indicadores/otras/otras_imprimir2XLS.php';
const [LAST_YEARLY, FIRST_DAILY] = ['2007-12-31', '2008-01-01'];

const CODE = /^[A-Z]{3}$/;
const TITLE = /COTIZACIONES .*?(\d{1,2} DE \p{L}+ DEL? \d{4})/u;
/** The heading above the prices since July 2026. */
const PRICES = /^TIPO DE CAMBIO (EN Bs|OFICIAL)/i;
const METALS: Readonly<Record<string, string>> = { ORO: 'XAU', PLATA: 'XAG' };
/** A unit of inflation and an interest rate, which are also in sheets without exchange rates. */
const NO_CURRENCY = /UFV|SOFR/;

type Row = readonly Cell[];

/**
 * Central Bank of Bolivia: bolivianos for one unit; the SDR and metals, per troy ounce, in dollars. Until 2007 only the
 * dollar, in one workbook per year. From 2008 a sheet per day. From July 2026 a new layout with one dollar rate instead of a
 * selling and a buying rate.
 */
export const feed: Feed = {
  key: 'BCBO',
  reading: 2,
  dayByDay: true,
  backfillDays: 30,

  async *read({ from, to }, { http }) {
    for (const { year } of yearsOf({ from, to: earlier(to, LAST_YEARLY) })) {
      yield await oneOfMany({ from: `${year}-01-01`, to: `${year}-12-31` }, async () =>
        yearlyRates(await http.get(YEARS, { query: { anio: year } }), year),
      );
    }
    for (const day of weekdaysOf({ from: later(from, FIRST_DAILY), to })) {
      const [qaa, qmm, qdd] = day.split('-').map(Number);
      const asked = { from: day, to: day };
      yield await oneOfMany(asked, async () =>
        dailyRates(await http.get(DAYS, { query: { qdd, qmm, qaa } }), asked),
      );
    }
  },
};

/** Days in rows, months in columns, each month with a selling and a buying rate. */
async function yearlyRates(response: HttpAnswer, year: number): Promise<Reading> {
  const { rows } = await firstSheet(response);
  const header = rows.findIndex((row) => textIn(row[0]) === 'DIAS');
  const [months = [], sides = []] = rows.slice(header);
  const columns = months.flatMap((cell, at) => {
    const month = at > 0 && monthNumber(textIn(cell));
    return month && textIn(sides[at]) === 'VENTA' && textIn(sides[at + 1]) === 'COMPRA'
      ? [{ month, at }]
      : [];
  });
  if (columns.length < 12)
    throw new FeedError(`${response.url}: no row DIAS with twelve months, each with VENTA and COMPRA`);
  const days = rows.slice(header + 2).filter(([day]) => typeof day === 'number');
  const records = days.flatMap((row) =>
    columns.map(({ month, at }) => ({
      date: [year, month, row[0]].map((part) => String(part).padStart(2, '0')).join('-'),
      selling: row[at],
      buying: row[at + 1],
    })),
  );
  // Cells of days that do not exist in a month are blank.
  const possible = records.filter(({ date, selling }) => isCalendarDate(date) || textIn(selling) !== '');
  return ratesFrom(
    response,
    { from: `${year}-01-01`, to: `${year}-12-31` },
    possible,
    ({ date, selling, buying }) => ({
      date,
      base: 'USD',
      quote: 'BOB',
      ...sidesOf(numberIn(buying), numberIn(selling)),
    }),
  );
}

async function dailyRates(response: HttpAnswer, asked: Window): Promise<Reading> {
  const { rows } = await firstSheet(response);
  const title = rows.flat().flatMap((cell) => TITLE.exec(textIn(cell)) ?? [])[1];
  const day = dateOrNone((title ?? '').replace(' DEL ', ' DE '), 'D [DE] Mon [DE] YYYY');
  if (day !== asked.from) throw new FeedError(`${response.url}: the sheet of ${title}, not of ${asked.from}`);
  const odd = rows.find((row) => textIn(row[2]) === 'Codigo' && !PRICES.test(textIn(row[3])));
  if (odd) throw new FeedError(`${response.url}: "${textIn(odd[3])}" heads the prices, not "${PRICES}"`);
  const isCurrent = rows.some((row) => CODE.test(textIn(row[2])));
  const records = rows.filter(
    (row) => CODE.test(textIn(row[2])) || row.slice(1).some((cell) => /\d/.test(textIn(cell))),
  );
  if (records.every((row) => NO_CURRENCY.test(textIn(row[0])))) {
    return noData(response, 'a sheet without rates of exchange, which prints the UFV alone');
  }
  const selling = records.find((row) => textIn(row[3]) === 'USD.VENTA');
  return ratesFrom(response, asked, records, (row) => {
    const rate = NO_CURRENCY.test(textIn(row[0]))
      ? NOT_READ
      : isCurrent
        ? currentRate(row)
        : legacyRate(row, selling);
    return 'reason' in rate ? rate : { date: asked.from, ...rate };
  });
}

const NOT_READ = skipped('a unit of inflation, an interest rate, or the dollar again');

type Rate = Omit<Figure, 'date'>;

function currentRate(row: Row): Rate {
  const [place = '', name = '', code = ''] = row.map(textIn);
  const rate = numberIn(row[3]);
  if (CODE.test(code)) return { base: code, quote: 'BOB', rate };
  return { base: name.includes('DERECHO ESPECIAL DE GIRO') ? 'XDR' : METALS[place], quote: 'USD', rate };
}

/** A mark in the fourth column says what the row is. `USD` alone is Ecuador's dollar. */
function legacyRate(row: Row, selling: Row | undefined): Rate | Skip {
  const [name, mark] = [textIn(row[0]), textIn(row[3])];
  if (mark === 'USD' || mark === 'USD.VENTA') return NOT_READ;
  const price = numberIn(row[4], ['-']);
  if (mark === 'USD.COMPRA') {
    return { base: 'USD', quote: 'BOB', ...sidesOf(price, numberIn(selling?.[4])) };
  }
  if (mark === 'USD/D.E.G.') return { base: 'XDR', quote: 'USD', rate: numberIn(row[5]) };
  if (CODE.test(mark)) return { base: mark, quote: 'BOB', rate: price };
  return {
    base: mark === 'USD./O.T.F.' ? METALS[/ORO|PLATA/.exec(name)?.[0] ?? ''] : undefined,
    quote: 'USD',
    rate: price,
  };
}
