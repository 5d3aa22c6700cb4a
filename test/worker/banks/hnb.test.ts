import { feed } from '../../../worker/banks/hnb.js';
import { casesOf } from './cases.js';

const list = (...rows: [string | null, string, string | null, string?, string?][]) =>
  JSON.stringify(
    rows.map(([datum_primjene, valuta, srednji_tecaj, kupovni_tecaj = '', prodajni_tecaj = '']) => ({
      ...{ datum_primjene, valuta, kupovni_tecaj, srednji_tecaj, prodajni_tecaj, drzava: 'SAD' },
    })),
  );
const { reads, nothing } = casesOf(feed, '2023-01-02..2023-01-03', 'GET api.hnb.hr/tecajn-eur/v3');
reads('what one euro costs', {
  given: list(
    ['2023-01-02', 'USD', '1,066600', '1,068200', '1,065000'],
    ['2023-01-02', 'JPY', '140,660000'],
    ['2023-01-02', 'GBP', '0,000000'],
    ['2023-01-02', 'CHF', null],
    [null, 'CHF', '1,0'],
  ),
  rates: ['2023-01-02 EUR/USD 1.0666, EUR/JPY 140.66'],
  sides: ['2023-01-02 EUR/USD 1.065 1.0682'],
  asks: ['datum-primjene-od=2023-01-02&datum-primjene-do=2023-01-03'],
});
nothing('a window without lists is an empty list', '[]');
