import { isCurrency } from '../../../core/domain/currencies.js';
import { type CalendarDate, mondayOf } from '../../../core/domain/dates.js';
import { excerpt } from '../../parameters/excerpt.js';
import { noSuchCurrency } from '../../parameters/hints.js';
import {
  type Dialect,
  type DialectAnswer,
  type DialectRequest,
  figures,
  noFile,
  noRates,
  ofDay,
} from './dialect.js';
import { codeIn } from './parameters.js';

const YUAN = 'CNY';
/** The code of the renminbi in many installations of Firefly III. */
const RENMINBI = 'RMB';

/** Files of weekly rates, in the form that Firefly III downloads: https://github.com/firefly-iii/exchange-rates */
export const firefly: Dialect = {
  name: 'Firefly III',
  folders: ['/firefly'],
  routes: [
    {
      path: ':year/:week/:file',
      summary: 'The rates of a currency on the Monday of a week, for Firefly III',
      answer: ratesOfWeek,
    },
  ],
  indent: () => 4,
  errors: [noRates('2026/60')],
};

function ratesOfWeek({ params, today }: DialectRequest): DialectAnswer {
  const { year = '', week = '', file = '' } = params;
  const [, code] = /^([a-z]+)\.json$/i.exec(file) ?? [];
  if (code === undefined) throw noFile(file);
  const named = codeIn(code);
  const base = named === RENMINBI ? YUAN : named;
  if (!isCurrency(base)) throw noSuchCurrency(named);
  const date = mondayFor(year, week, today);
  if (date === undefined) throw noRates(excerpt(`${year}/${week}`));
  const none = () => noRates(`${named} on ${date}`);
  return ofDay({ base, date }, none, ({ rates }) => {
    const { [base]: _, ...others } = figures(rates);
    return { date, rates: withRenminbi(others) };
  });
}

/** The Monday of an ISO 8601 week; undefined if in the future. */
// Around New Year, clients request week 52 or 53 with the new year, and week 1 with the old one.
function mondayFor(year: string, week: string, today: CalendarDate): CalendarDate | undefined {
  if (!/^[12]\d{3}$/.test(year) || !/^\d{1,2}$/.test(week)) return undefined;
  const mondays = yearsMeant(Number(year), Number(week), today).map((each) => mondayOf(each, Number(week)));
  return mondays.find((monday) => monday !== undefined && monday <= today);
}

function yearsMeant(year: number, week: number, today: CalendarDate): number[] {
  if (week === 1 && today.startsWith(`${year}-12`)) return [year + 1, year];
  return week >= 52 ? [year, year - 1] : [year];
}

function withRenminbi(rates: Record<string, number>): Record<string, number> {
  const { [YUAN]: yuan } = rates;
  const all = yuan === undefined ? rates : { ...rates, [RENMINBI]: yuan };
  return Object.fromEntries(Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1)));
}
