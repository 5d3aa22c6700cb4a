import { feed } from '../../../worker/banks/boe.js';
import { casesOf } from './cases.js';

const SERIES =
  'XUDLUSS,XUDLERS,XUDLJYS,XUDLCDS,XUDLSFS,XUDLADS,XUDLNDS,XUDLNKS,XUDLSKS,XUDLDKS,XUDLHDS,XUDLSGS,XUDLSRS,XUDLZRS,' +
  'XUDLTWS,XUDLBK25,XUDLBK33,XUDLBK47,XUDLBK78,XUDLBK83,XUDLBK87,XUDLBK89,XUDLBK93,XUDLBK95,XUDLBK97,XUDLZOS4';
const day = (date: string, ...values: string[]) =>
  [date, ...values, ...Array(26 - values.length).fill('')].join(',');
const table = (...days: string[]) => [`DATE,${SERIES}`, ...days, ''].join('\r\n');
const PLACE = 'GET www.bankofengland.co.uk/boeapps/database/_iadb-fromshowcolumns.asp';
const { reads, empty, refuses } = casesOf(feed, '2026-03-17..2026-03-18', PLACE);
reads('what one pound costs, blanks and zeros left out, asked for with the days before', {
  given: table(
    day('9 Mar 2026', '1.3'),
    day('17 Mar 2026', '1.3343', '', '212.1937'),
    day('18 Mar 2026', '..', '0'),
  ),
  rates: ['2026-03-17 GBP/USD 1.3343, GBP/JPY 212.1937'],
  // A short window is widened backwards, so that it holds a business day.
  asks: [`SeriesCodes=${SERIES} & Datefrom=08/Mar/2026 & Dateto=18/Mar/2026`],
});
empty('a header alone is an empty window', table(), '2026-03-14..2026-03-15');
reads('a day without a figure may stand beside others', {
  given: table(day('17 Mar 2026'), day('18 Mar 2026', '1.3343')),
  rates: ['2026-03-18 GBP/USD 1.3343'],
});
refuses([
  ['a table of blanks', table(day('17 Mar 2026'), day('18 Mar 2026')), /none of the 2 lines .*has a figure/],
  ['a table without one of the series', `DATE,XUDLUSS\r\n17 Mar 2026,1.3\r\n`, /XUDLERS/],
]);
