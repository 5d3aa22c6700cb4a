import { expect, test } from 'vitest';
import { plainRecordings, recordedSpan } from '../../../worker/feeds/recordings.js';

/** Of requests for these paths, on 20 March 2026. */
const recording = (...paths: string[]) => ({
  name: '',
  recordedAt: new Date('2026-03-20T10:00:00Z'),
  interactions: paths.map((path) => ({
    ...{ method: 'GET', url: `https://a.b/${path}`, requestBody: null },
    ...{
      status: 200,
      responseHeaders: {},
      body: new Uint8Array(),
      recordedAt: 'Fri, 20 Mar 2026 10:00:00 GMT',
    },
  })),
});

test.each<[what: string, span: string | undefined, ...paths: string[]]>([
  ['days', '2026-03-02 2026-03-06', 'x?from=2026-03-02&to=2026-03-06'],
  ['days of several requests', '2026-03-02 2026-03-13', 'p?d=02.03.2026', 'p?d=13.03.2026'],
  ['days with slashes', '2026-03-01 2026-03-02', 'p?a=01/03/2026&b=02/03/2026'],
  ['a start', '2026-03-01 2026-03-20', 'p?from=2026-03-01'],
  ['a start that ends a month', '2026-02-28 2026-03-20', '?date=gte%3A2026-02-28'],
  ['an end ahead of the recording', '2026-03-10 2026-03-20', 'p?to=2026-12-31&from=2026-03-10'],
  ['a month by its last day', '2026-02-01 2026-02-28', 'p?month=2026-02-28'],
  ['a year in a parameter', '2024-01-01 2024-12-31', 'p?year=2024'],
  ['months up to that of recording', '2026-02-01 2026-03-20', 'x', 'year/2026/month/2', 'year/2026/month/3'],
  ['years', '2025-01-01 2025-12-31', 'rates/2025.csv'],
  ['nothing', undefined, 'rates.csv'],
  ['a day with the name of its month', '2026-03-02 2026-03-13', '02Mar2026', '13Mar2026'],
  ['days in parameters', '2026-02-03 2026-02-13', '?qdd=3&qmm=2&qaa=2026', '?year=2026&month=2&day=13'],
  ['months in parameters', '2026-01-01 2026-02-28', '?mm=1&aa=2026', '?mm=2&aa=2026'],
  ['a file of a month', '2026-02-01 2026-02-28', 'monthly_2026-2.csv'],
  ['a file of a quarter', '2025-10-01 2025-12-31', '2_1_2d25_smc.xls'],
  ['short days', '2026-03-02 2026-03-04', '2026/DO260302%2015.00%20uur.pdf', '2026/DO260304.pdf', 'DO1.pdf'],
  ['a file of a week', '2026-01-04 2026-01-10', '20260104-0110.pdf'],
  ['documents of days', '2026-02-04 2026-03-02', '?from=2026-01-01', '04.02.2026.xml', 'dia-02032026.pdf'],
  ['a month before its day', '2026-01-01 2026-02-12', '01/01/2026', '01/02/2026', '12/02/2026'],
  ['a day before its month', '2026-01-01 2026-02-12', '01/01/2026', '02/01/2026', '02/12/2026'],
  ['a day that is none', '2026-02-02 2026-02-03', '2026-02-02', '2026-02-03', '2026-02-31'],
  ['a document alone', '2026-02-04 2026-02-04', '04.02.2026.xml'],
  ['days of SDMX', '2026-02-03 2026-02-05', '2026M02D03..2026M02D05'],
  ['a namespace', undefined, '?x=xmlns:a="http://w3.org/2001/x"'],
  ['days of any time', '2026-02-02 2026-02-03', '1901-01-01/2026-02-02/2026-02-03/2099-12-31'],
  ['badly encoded text', '2026-02-02 2026-02-03', '%E0%A4%A?2026-02-02/2026-02-03'],
])('a recording whose requests name %s', (_, span, ...paths) => {
  const [from, to] = span?.split(' ') ?? [];
  expect(recordedSpan(recording(...paths))).toEqual(span && { from, to });
});

test('recordings named after more than the provider count where there are no others', () => {
  const names = (...given: string[]) => {
    const named = given.map((name) => ({ ...recording(''), name }));
    return plainRecordings(named, 'ECB').map(({ name }) => name);
  };
  expect(names('ecb', 'ecb_empty')).toEqual(['ecb']);
  expect(names('ecb_2022', 'ecb_2026')).toEqual(['ecb_2022', 'ecb_2026']);
});
