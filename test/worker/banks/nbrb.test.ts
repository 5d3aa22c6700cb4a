import { feed } from '../../../worker/banks/nbrb.js';
import { casesOf } from './cases.js';

const TODAY = 'GET api.nbrb.by/exrates/rates';
const ALL = 'GET api.nbrb.by/exrates/currencies';
const series = (id: number) => `GET api.nbrb.by/exrates/rates/dynamics/${id}`;
const quoted = (Cur_ID: number, Cur_Abbreviation: string | undefined, Cur_Scale: number) => ({
  ...{ Cur_ID, Cur_Abbreviation, Cur_Scale, Cur_OfficialRate: 3.67 },
});
const today = JSON.stringify([quoted(456, 'RUB', 100)]);
const rates = (id: number, days: Record<string, number>) =>
  JSON.stringify(
    Object.entries(days).map(([day, rate]) => ({
      ...{ Cur_ID: id, Date: `${day}T00:00:00`, Cur_OfficialRate: rate },
    })),
  );
/** A currency that was quoted from one day to another, daily unless its periodicity is 1. */
const ended = (id: number, code: string, scale: number, from: string, to: string, Cur_Periodicity = 0) => ({
  ...quoted(id, code, scale),
  ...{ Cur_DateStart: from, Cur_DateEnd: `${to}T00:00:00`, Cur_Periodicity },
});
const LATER = { today: '2026-03-17' };
const { reads, refuses } = casesOf(feed, '2026-03-06..2026-03-09', undefined, LATER);
reads('roubles for one unit, without what repeats on weekends', {
  given: {
    [TODAY]: today,
    [series(456)]: rates(456, { '2026-03-06': 3.7488, '2026-03-07': 3.7488, '2026-03-09': 3.75 }),
  },
  rates: ['2026-03-06 RUB/BYN 0.037488', '2026-03-09 RUB/BYN 0.0375'],
  asks: ['/exrates/rates', '/exrates/rates/dynamics/456'],
});
reads('a Saturday that is a working day has a rate of its own, which the Sunday repeats', {
  given: {
    [TODAY]: today,
    [series(456)]: rates(456, { '2026-03-06': 3.7488, '2026-03-07': 3.76, '2026-03-08': 3.76 }),
  },
  rates: ['2026-03-06 RUB/BYN 0.037488', '2026-03-07 RUB/BYN 0.0376'],
});
const START = '2016-07-01T00:00:00';
reads('days from before an id began are read under its earlier ids, with their own nominals', {
  given: {
    [TODAY]: today,
    [series(456)]: rates(456, { '2021-07-09': 3.4 }),
    [ALL]: JSON.stringify([
      ended(298, 'RUB', 1000, START, '2021-07-08'),
      ended(1, 'RUB', 1000, START, '2020-01-01'),
      ended(2, 'RUB', 1000, START, '2021-07-08', 1),
    ]),
    [series(298)]: rates(298, { '2021-07-08': 33 }),
  },
  rates: ['2021-07-09 RUB/BYN 0.034', '2021-07-08 RUB/BYN 0.033'],
  count: 4,
});
reads('the former rouble is not asked for', { days: '2016-06-01..2016-06-30', asks: [] });
const rouble = (answer: string) => ({ [TODAY]: today, [series(456)]: answer });
refuses([
  ['an empty list', { [TODAY]: '[]' }, /documented form/],
  ['a nominal of nothing', { [TODAY]: today.replace('100', '0') }, /Cur_Scale/],
  ['a series of another id', rouble(rates(1, { '2026-03-06': 1 })), /the id 1/],
]);
