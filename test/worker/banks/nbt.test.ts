import { feed } from '../../../worker/banks/nbt.js';
import { casesOf } from './cases.js';

const entry = (code: string, nominal: string, value: string) =>
  `<Valute ID="810"><CharCode>${code}</CharCode><Nominal>${nominal}</Nominal><Value>${value}</Value></Valute>`;
const table = (date: string, ...entries: string[]) =>
  `<?xml version="1.0" encoding="utf-8" ?><ValCurs Date="${date}" name="Market">${entries.join('')}</ValCurs>`;
const RUB = entry('RUB', '1', '0.1277');
const { reads, empty } = casesOf(feed, '2026-05-17..2026-05-18', 'GET www.nbt.tj/en/kurs/export_xml.php');
reads('somoni for one unit, every day of the week, odd entries left out', {
  given: [
    table('2026-05-17', RUB),
    table(
      '2026-05-18',
      entry('KRW', '100', '0.6183'),
      entry('EUR', '1', '-'),
      entry('USD', '1.5', '0'),
      entry('', '1', '2'),
    ),
  ],
  rates: ['2026-05-17 RUB/TJS 0.1277', '2026-05-18 KRW/TJS 0.006183'],
  asks: ['date=2026-05-17&export=xmlout', 'date=2026-05-18&export=xmlout'],
});
empty(
  'a table of another day, and one without entries, have no rows',
  [table('2026-05-18', RUB), table('2001-01-01')],
  '2000-12-31..2001-01-01',
);
reads('a table of another day costs itself', {
  given: [table('2026-05-16', RUB), table('2026-05-18', RUB)],
  rates: ['2026-05-18 RUB/TJS 0.1277'],
  unread: [/^2026-05-17..2026-05-17 .*the table of 2026-05-16/],
});
