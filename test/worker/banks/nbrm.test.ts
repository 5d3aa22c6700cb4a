import { feed } from '../../../worker/banks/nbrm.js';
import { casesOf } from './cases.js';

const list = (...rows: [string, string, number | string, number | string | null][]) =>
  JSON.stringify(
    rows.map(([day, oznaka, nomin, sreden]) => ({
      ...{ datum: `${day}T00:00:00`, oznaka, nomin, sreden, drzava: 'ЕМУ' },
    })),
  );
const PLACE = 'GET www.nbrm.mk/KLServiceNOV/GetExchangeRate';
const { reads, nothing, codes } = casesOf(feed, '2026-03-01..2026-03-02', PLACE);
reads('denars for one unit, weekends kept, in steps of 90 days', {
  given: [
    list(['2026-03-01', 'EUR ', 1, 61.6948], ['2026-03-01', 'MKD', 1, 1]),
    list(['2026-05-30', 'JPY', '100', '33.43']),
  ],
  rates: ['2026-03-01 EUR/MKD 61.6948', '2026-05-30 JPY/MKD 0.3343'],
  asks: ['StartDate=01.03.2026 & EndDate=29.05.2026', 'StartDate=30.05.2026 & EndDate=30.05.2026'],
});
codes(
  ({ day, code, price, units }) => list([day, 'USD', 1, 50], [day, code, units, price]),
  '1998-12-31 XBA 60.6 1 XEU/MKD 60.6',
  '1999-03-01 XBA 60.6 1',
);
nothing('a window without lists is an empty list', '[]');
