import { feed } from '../../../worker/banks/cbtt.js';
import { casesOf } from './cases.js';

const SIDES = ['USD', 'CAD', 'GBP', 'Euro', 'CHF', 'BBD', 'GYD', 'JMD'].flatMap((one) => [
  ...[`${one}_Buying`, `${one}_Selling`],
]);
const NONE = Object.fromEntries(SIDES.map((side) => [side, null]));
const day = (famedate: string, sides: Record<string, string | number | null> = {}) => ({
  ...{ famedate, ...NONE, ...sides },
});
const answer = (cbttdailyforexrates: unknown) => JSON.stringify({ cbttdailyforexrates });
const PLACE = 'GET www.central-bank.org.tt/wp-json/rates/v1/forex-rate/2026-2026';
const { reads, nothing } = casesOf(feed, '2026-01-01..2026-01-06', PLACE);
reads('the middle of both sides, and none where one is missing or they are crossed', {
  given: answer([
    day('2026-01-01'),
    day('2026-01-02', { USD_Buying: '6.7017', USD_Selling: '6.7992', CHF_Selling: '9.0' }),
    day('2026-01-05', { Euro_Buying: '9.2017', Euro_Selling: '8.5197', JMD_Buying: 0.04, JMD_Selling: 0.05 }),
    day('2026-01-06', { XXX_Buying: '1', XXX_Selling: '1' }),
  ]),
  rates: ['2026-01-02 USD/TTD 6.75045', '2026-01-05 JMD/TTD 0.045'],
  sides: ['2026-01-02 USD/TTD 6.7017 6.7992'],
  skipped: { 'unknown name': 1, 'no rate': 29 },
  dropped: { 'contradictory-sides': 1 },
});
nothing('weekends and holidays are rows of nulls', answer([day('2026-01-01')]));
nothing('years without a row are one object of nulls', answer(day('2026-2026')));
