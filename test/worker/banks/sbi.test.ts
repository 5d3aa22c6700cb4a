import { feed } from '../../../worker/banks/sbi.js';
import { casesOf, type SeenRequest } from './cases.js';

const series = (id: number, entries: Record<string, string> = {}) =>
  `<TimeSeries ID="${id}"><Name><![CDATA[Bandaríkjadalur]]></Name><TimeSeriesData>${Object.entries(entries)
    .map(([date, value]) => `<Entry><Date>${date}</Date><Value>${value}</Value></Entry>`)
    .join('')}</TimeSeriesData></TimeSeries>`;
const IDS: Readonly<Record<number, number[]>> = {
  9: [4055, 4061, 4064, 4085, 4088, 4091, 4097, 4103, 4106, 4109],
  7: [29, 31, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 48, 50, 52, 53, 74, 288, 3503, 19254],
};
const alone = (id: number, ...list: string[]) =>
  `<?xml version="1.0" encoding="utf-8"?><Group ID="${id}">${list.join('')}</Group>`;
/** A group with the series given here, and without entries all others that are read. */
const group = (id: number, ...list: string[]) =>
  alone(
    id,
    ...list,
    ...(IDS[id] ?? []).filter((one) => !list.join().includes(`"${one}"`)).map((one) => series(one)),
  );
const PLACE = 'GET sedlabanki.is/xmltimeseries/Default.aspx';
const { reads, empty, refuses } = casesOf(feed, '2026-03-24..2026-03-25', PLACE);
const [FIRST, SECOND] = ['3/24/2026 12:00:00 AM', '3/25/2026 12:00:00 AM'] as const;
reads('krónur for one unit, each list with its own group', {
  given: [
    group(
      9,
      series(4054, { [FIRST]: '123.000000' }),
      series(4055, { [FIRST]: '124.440000', [SECOND]: '' }),
      series(29, { [FIRST]: '1.000000' }),
    ),
    group(7, series(29, { [FIRST]: '17.100000', [SECOND]: '0.000000' })),
  ],
  rates: ['2026-03-24 USD/ISK 124.44, CNY/ISK 17.1'],
  asks: [
    'DagsFra=2026-03-24&DagsTil=2026-03-25&GroupID=9&Type=xml',
    'DagsFra=2026-03-24&DagsTil=2026-03-25&GroupID=7&Type=xml',
  ],
});
empty('empty series are an empty window', ({ query }: SeenRequest) => group(Number(query.get('GroupID'))));
refuses([['a group without series', alone(9), /0 of 10 series/]]);
