import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/dnb.js';
import { type Answer, casesOf, readFeed } from './cases.js';

const PLACE = 'POST api.statbank.dk/v1/data';
const LIST = 'GET api.statbank.dk/v1/tableinfo/DNVALD';
const refused = { status: 400, body: '{"errorTypeCode":"EXTRACT-NOTFOUND","message":"Tid"}' };
const list = (...values: string[]) =>
  JSON.stringify({
    id: 'DNVALD',
    variables: [
      { id: 'KURTYP', text: 'exchange rate type', values: ['KBH'] },
      { id: 'Tid', text: 'time', time: true, values },
    ],
  });
const csv = (...lines: string[]) => ['\ufeffVALUTA;KURTYP;TID;INDHOLD', ...lines, ''].join('\r\n');
const DAYS = '2025-12-30..2026-01-02';
const { reads, nothing, refuses } = casesOf(feed, DAYS);
/** Today may not be in the table yet: a last day would be refused. */
const since = (day: string) => new RegExp(`"code":"Tid","values":\\[">=${day}"\\]`);

reads('kroner for one unit', {
  given: {
    [PLACE]: csv(
      'IDR;KBH;2026M01D02;0.0391',
      'BGN;KBH;2025M12D30;381.8800',
      'USD;KBH;2025M12D30;744.92',
      'BGN;KBH;2026M01D02;..',
    ),
  },
  rates: ['2026-01-02 IDR/DKK 0.000391', '2025-12-30 BGN/DKK 3.8188, USD/DKK 7.4492'],
  asks: [since('2025M12D30')],
});
test('a request names every variable', async () => {
  const { requests } = await readFeed(feed, DAYS, { [PLACE]: csv() });
  const asked = JSON.parse(requests[0]?.body ?? '');
  expect(asked).toMatchObject({ table: 'DNVALD', format: 'BULK', valuePresentation: 'Code' });
  expect(asked.variables[0].values).toHaveLength(44);
});
reads('days after the window come too and are left out', {
  days: '2025-12-30..2025-12-31',
  today: '2026-02-03',
  given: { [PLACE]: csv('USD;KBH;2025M12D30;744.92', 'USD;KBH;2026M02D02;744.92') },
  rates: ['2025-12-30 USD/DKK 7.4492'],
  skipped: {},
});
reads('a first day that the table lacks is refused, and its next day asked for', {
  days: '2025-12-25..2025-12-30',
  given: {
    [PLACE]: [refused, csv('USD;KBH;2025M12D29;744.92')],
    [LIST]: list('2025M12D23', '2025M12D30', '2025M12D29'),
  },
  rates: ['2025-12-29 USD/DKK 7.4492'],
  asks: [since('2025M12D25'), 'lang=en', since('2025M12D29')],
});
const absent = (...days: string[]) =>
  nothing(
    'the table has no day of these',
    { [PLACE]: refused, [LIST]: list(...days) },
    '2025-12-25..2025-12-28',
  );
absent('2025M12D23');
absent('2025M12D23', '2026M01D02');
reads('nothing is asked for before the first day', { days: '1976-12-01..1977-01-02', asks: [] });
const short = csv('USD;KBH;2026M01D02;744', 'EUR;KBH;2026M01D02;746', 'USD;KBH;2025M12D30;744');
const days = (answer: Answer) => ({ [PLACE]: refused, [LIST]: answer });
refuses([
  ['another header', { [PLACE]: 'CURRENCY;TYPE;TIME;VALUE\nUSD;KBH;2026M01D02;744\n' }, /VALUTA/],
  ['an error in JSON', { [PLACE]: '{"errorTypeCode":"EXTRACT-NOTFOUND"}' }, /its last line does not end/],
  ['a file cut short', { [PLACE]: short }, /1 lines of 2025M12D30, and 2 of another day: cut short/],
  ['a list without days', days(list()), /lists no days under Tid/],
  ['no time', days('{"variables":[{"id":"KURTYP","values":["KBH"]}]}'), /lists no days under Tid/],
]);
