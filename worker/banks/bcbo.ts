import { type CalendarDate, earlier, isCalendarDate, later } from '../../core/domain/dates.js';
import { type Feed, FeedError, type RateRow } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { dateOrNone } from '../feeds/toolbox/dates.js';
import { clean } from '../feeds/toolbox/html.js';
import { midpoint } from '../feeds/toolbox/midpoint.js';
import { numberOrNaN, readable } from '../feeds/toolbox/readable.js';
import { weekdaysOf, yearsOf } from '../feeds/toolbox/windows.js';
import { type Cell, readWorkbook } from '../feeds/toolbox/workbook.js';

const YEARS = 'https://www.bcb.gob.bo/tiposDeCambioHistorico/xls.php';
const DAYS = 'https://www.bcb.gob.bo/librerias/indicadores/otras/otras_imprimir2XLS.php';
const [LAST_YEARLY, FIRST_DAILY] = ['2007-12-31', '2008-01-01'];

const CODE = /^[A-Z]{3}$/;
const TITLE = /COTIZACIONES .*?(\d{1,2} DE \p{L}+ DEL? \d{4})/u;
const METALS: Readonly<Record<string, string>> = { ORO: 'XAU', PLATA: 'XAG' };
/** A unit of inflation and an interest rate, which stand also in a sheet without rates of exchange. */
const NO_CURRENCY = /UFV|SOFR/;

type Row = readonly Cell[];

/**
 * Central Bank of Bolivia: bolivianos for one unit; the SDR and metals, per troy ounce, in dollars. Until 2007 the
 * dollar alone, a workbook a year; from 2008 a sheet a day, from July 2026 in a new layout with one dollar rate in
 * place of a selling and a buying one.
 */
export const feed: Feed = {
  key: 'BCBO',
  backfillDays: 30,

  async *rows({ from, to }, { http }) {
    for (const { year } of yearsOf({ from, to: earlier(to, LAST_YEARLY) })) {
      const answer = await http.get(YEARS, { query: { anio: year } });
      yield* yearlyRates(await firstSheet(answer), year, answer);
      await http.pause(500);
    }
    for (const day of weekdaysOf({ from: later(from, FIRST_DAILY), to })) {
      const [qaa, qmm, qdd] = day.split('-').map(Number);
      const answer = await http.get(DAYS, { query: { qdd, qmm, qaa } });
      yield* dailyRates(await firstSheet(answer), day, answer);
      await http.pause(500);
    }
  },
};

async function firstSheet(answer: HttpAnswer): Promise<readonly Row[]> {
  const sheet = (await readWorkbook(answer))[0];
  if (!sheet) throw new FeedError(`${answer.url}: a workbook without a sheet`);
  return sheet.rows;
}

/** Days down, months across, each with the selling and the buying rate. */
function* yearlyRates(rows: readonly Row[], year: number, answer: HttpAnswer): Generator<RateRow> {
  const header = rows.findIndex((row) => textOf(row[1]) === 'VENTA' && textOf(row[24]) === 'COMPRA');
  if (header < 0)
    throw new FeedError(`${answer.url}: no row with VENTA and COMPRA for each of twelve months`);
  for (const [day, ...cells] of rows.slice(header + 1)) {
    for (let month = 0; typeof day === 'number' && month < 12; month++) {
      const [selling, buying] = [numberIn(cells[2 * month]), numberIn(cells[2 * month + 1])];
      const date = [year, month + 1, day].map((part) => String(part).padStart(2, '0')).join('-');
      if (!(selling > 0 && buying > 0) || !isCalendarDate(date)) continue;
      yield { date, base: 'USD', quote: 'BOB', rate: midpoint(buying, selling) };
    }
  }
}

function* dailyRates(rows: readonly Row[], date: CalendarDate, answer: HttpAnswer): Generator<RateRow> {
  const title = rows.flat().flatMap((cell) => TITLE.exec(textOf(cell)) ?? [])[1];
  if (title !== undefined && dateOrNone(title.replace(' DEL ', ' DE '), 'D [DE] Mon [DE] YYYY') !== date)
    throw new FeedError(`${answer.url}: the sheet of ${title}, not of ${date}`);
  const isCurrent = rows.some((row) => CODE.test(textOf(row[2])));
  const rates = rows.flatMap((row) => (isCurrent ? currentRate(row) : legacyRate(row)));
  const selling = rows.find((row) => textOf(row[3]) === 'USD.VENTA');
  const buying = rows.find((row) => textOf(row[3]) === 'USD.COMPRA');
  if (!isCurrent && selling && buying) {
    const middle = [numberIn(selling[4]), numberIn(buying[4])] as const;
    rates.push({
      base: 'USD',
      quote: 'BOB',
      rate: Math.min(...middle) > 0 ? midpoint(...middle) : Number.NaN,
    });
  }
  const others = rows.filter((row) => !NO_CURRENCY.test(textOf(row[0])));
  if (rates.length === 0 && others.some((row) => row.slice(1).some((cell) => numberIn(cell) > 0)))
    throw new FeedError(`${answer.url}: a table in neither of the two known layouts`);
  yield* readable(
    rates.map((rate) => ({ date, ...rate })),
    answer,
  );
}

type Rate = Omit<RateRow, 'date'>;

function currentRate(row: Row): Rate[] {
  const [place = '', name = '', code = ''] = row.map(textOf);
  const rate = numberIn(row[3]);
  if (CODE.test(code)) return [{ base: code, quote: 'BOB', rate }];
  const base = name.includes('DERECHO ESPECIAL DE GIRO') ? 'XDR' : METALS[place];
  return base ? [{ base, quote: 'USD', rate }] : [];
}

/** A mark in the fourth column says what the row is; `USD` alone is Ecuador's dollar. */
function legacyRate(row: Row): Rate[] {
  const [name, mark] = [textOf(row[0]), textOf(row[3])];
  if (mark === 'USD/D.E.G.') return [{ base: 'XDR', quote: 'USD', rate: numberIn(row[5]) }];
  if (CODE.test(mark) && mark !== 'USD') return [{ base: mark, quote: 'BOB', rate: numberIn(row[4]) }];
  const base = mark === 'USD./O.T.F.' && METALS[/ORO|PLATA/.exec(name)?.[0] ?? ''];
  return base ? [{ base, quote: 'USD', rate: numberIn(row[4]) }] : [];
}

function textOf(cell: Cell): string {
  return typeof cell === 'string' ? clean(cell) : '';
}

function numberIn(cell: Cell): number {
  return typeof cell === 'number' ? cell : numberOrNaN(cell);
}
