import { addDays } from '../../../core/domain/dates.js';
import { feed } from '../../../worker/banks/sarb.js';
import { type Answer, casesOf } from './cases.js';

const IDS =
  'EXCX135D EXCZ001D EXCZ002D EXCB080D EXCB051D EXCB036D EXCB031D EXCB121D EXCB003D EXCB122D EXCB123D EXCB094D ' +
  'EXCB120D EXCB059D EXCB063D EXCB081D EXCB013D EXCB015D EXCB016D EXCB126D EXCB115D EXCB071D EXCB118D';
const observation = (Value: number | string | null, Timeseries: string, Period = '2026-03-23T00:00:00') =>
  JSON.stringify([{ Period, Timeseries, Value }]);
const SERVICE = 'GET custom.resbank.co.za/SarbWebApi/WebIndicators/Shared/GetTimeseriesObservations';
const during = (days: string, answers: Record<string, Answer>) =>
  Object.fromEntries(IDS.split(' ').map((id) => [`${SERVICE}/${id}/${days}`, answers[id] ?? '[]']));
const { reads, empty, refuses } = casesOf(feed, '2026-03-23..2026-03-24', (answers: Record<string, Answer>) =>
  during('2026-03-22/2026-03-24', answers),
);
for (const [id, pair, label] of [
  ['EXCX135D', 'USD/ZAR', 'Rand per US Dollar'],
  ['EXCB120D', 'ZAR/JPY', 'Japan: Yen per Rand'],
] as const)
  reads(`${id} is in its own direction, asked for from the day before`, {
    given: { [id]: observation(17.1302, label) },
    rates: [`2026-03-23 ${pair} 17.1302`],
    count: 23,
  });
casesOf(feed, '').codes(
  ({ day, code, price }) =>
    during(`${addDays(day, -1)}/${day}`, { [code]: observation(price, 'Zambia: Kwacha per Rand', day) }),
  '2012-12-31 EXCB071D 605.2 1 ZAR/ZMK 605.2',
  '2013-01-02 EXCB071D 0.6113 1 ZAR/ZMW 0.6113',
);
empty('no observations, null, blank and zero are no rates', {
  EXCX135D: observation(null, 'Rand per US Dollar'),
  EXCZ001D: observation(' ', 'Rand per British Pound'),
  EXCZ002D: observation(0, 'Rand per Euro'),
});
refuses([
  ['another series', { EXCB118D: observation(1, 'Japan: Yen per Rand') }, /not "South Korea: Won per Rand"/],
]);
