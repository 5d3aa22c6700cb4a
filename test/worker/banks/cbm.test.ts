import { feed } from '../../../worker/banks/cbm.js';
import { casesOf } from './cases.js';

const table = (rates: object, timestamp: string | number = '1775721600') =>
  JSON.stringify({ info: 'x', timestamp, rates });
const { reads, empty } = casesOf(feed, '2026-04-09..2026-04-09', 'GET forex.cbm.gov.mm/api/latest');
reads('kyat for one unit, six currencies being quoted for a hundred', {
  given: table({ USD: '2,100.00', JPY: '1321.88', MMK: '1', EUR: '0' }, 1775721600),
  rates: ['2026-04-09 USD/MMK 2100, JPY/MMK 13.2188'],
});
empty('a later window is empty', table({ USD: '2100' }), '2026-04-11..2026-04-12');
