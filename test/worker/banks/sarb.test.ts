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
const { reads, refuses } = casesOf(feed, '2026-03-23..2026-03-24', (answers: Record<string, Answer>) =>
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
const ofDays = casesOf(feed, '', undefined, { today: '2026-05-22' });
for (const [day, days, pair, value] of [
  ['2012-12-31', '2012-12-30/2012-12-31', 'ZAR/ZMK', 605.2],
  ['2013-01-02', '2013-01-01/2013-01-02', 'ZAR/ZMW', 0.6113],
] as const)
  ofDays.reads(`on ${day} the kwacha is that of the time`, {
    days: `${day}..${day}`,
    given: during(days, { EXCB071D: observation(value, 'Zambia: Kwacha per Rand', day) }),
    rates: [`${day} ${pair} ${value}`],
  });
reads('no observations, null, blank and zero are no rates', {
  given: {
    EXCX135D: observation(null, 'Rand per US Dollar'),
    EXCZ001D: observation(' ', 'Rand per British Pound'),
    EXCZ002D: observation(0, 'Rand per Euro'),
  },
});
const WON = 'South Korea: Won per Rand';
refuses([
  ['an object', { EXCB118D: '{"Message":"x"}' }, /documented form/],
  ['a value that is no number', { EXCB118D: observation('n/a', WON) }, /not a number/],
  ['another series', { EXCB118D: observation(1, 'Japan: Yen per Rand') }, /not "South Korea: Won per Rand"/],
  ['one series that fails', { EXCB118D: { status: 500 } }, /responded with status 500/],
]);
