import { expect, test } from 'vitest';
import { plainRecordings, recordedSpan } from '../../../worker/feeds/recordings.js';

const recording = (...urls: string[]) => ({
  folder: '',
  recordedAt: new Date('2026-03-20T10:00:00Z'),
  interactions: urls.map((url) => ({
    method: 'GET',
    url,
    requestBody: null,
    status: 200,
    responseHeaders: {},
    bodyFile: null,
    recordedAt: 'Fri, 20 Mar 2026 10:00:00 GMT',
  })),
});

test.each([
  ['days', ['https://a.b/x?from=2026-03-02&to=2026-03-06'], { from: '2026-03-02', to: '2026-03-06' }],
  [
    'months in paths, not beyond the day of recording',
    ['https://a.b/list', 'https://a.b/USD/year/2026/month/2', 'https://a.b/USD/year/2026/month/3'],
    { from: '2026-02-01', to: '2026-03-20' },
  ],
  ['years', ['https://a.b/rates/2025.csv'], { from: '2025-01-01', to: '2025-12-31' }],
  ['nothing', ['https://a.b/rates.csv'], undefined],
  [
    'a day with the name of its month',
    ['https://a.b/02Mar2026', 'https://a.b/13Mar2026'],
    { from: '2026-03-02', to: '2026-03-13' },
  ],
  [
    'days in parameters',
    ['https://a.b/?qdd=3&qmm=2&qaa=2026', 'https://a.b/?year=2026&month=2&day=13'],
    { from: '2026-02-03', to: '2026-02-13' },
  ],
  [
    'months in parameters',
    ['https://a.b/?mm=1&aa=2026', 'https://a.b/?mm=2&aa=2026'],
    { from: '2026-01-01', to: '2026-02-28' },
  ],
  ['a file of a month', ['https://a.b/monthly_2026-2.csv'], { from: '2026-02-01', to: '2026-02-28' }],
  ['a file of a quarter', ['https://a.b/2_1_2d25_smc.xls'], { from: '2025-10-01', to: '2025-12-31' }],
  [
    'documents with short days',
    ['https://a.b/2026/DO260302%2015.00%20uur.pdf', 'https://a.b/2026/DO260304.pdf', 'https://a.b/DO1.pdf'],
    { from: '2026-03-02', to: '2026-03-04' },
  ],
  ['a file of a week', ['https://a.b/20260104-0110.pdf'], { from: '2026-01-04', to: '2026-01-10' }],
  [
    'documents of days, among others',
    ['https://a.b/?from=2026-01-01', 'https://a.b/04.02.2026.xml', 'https://a.b/dia-02032026.pdf'],
    { from: '2026-02-04', to: '2026-03-02' },
  ],
  [
    'days of which the month stands first or last',
    ['https://a.b/01/01/2026', 'https://a.b/01/02/2026', 'https://a.b/12/02/2026'],
    { from: '2026-01-01', to: '2026-02-12' },
  ],
  [
    'the same, the other way round',
    ['https://a.b/01/01/2026', 'https://a.b/02/01/2026', 'https://a.b/02/12/2026'],
    { from: '2026-01-01', to: '2026-02-12' },
  ],
  [
    'a day that there is and one that is none',
    ['https://a.b/2026-02-02', 'https://a.b/2026-02-03', 'https://a.b/2026-02-31'],
    { from: '2026-02-02', to: '2026-02-03' },
  ],
  ['a document alone', ['https://a.b/04.02.2026.xml'], { from: '2026-02-04', to: '2026-02-04' }],
  [
    'a start that ends a month',
    ['https://a.b/?date=gte%3A2026-02-28'],
    { from: '2026-02-28', to: '2026-03-20' },
  ],
  ['days of SDMX', ['https://a.b/2026M02D03..2026M02D05'], { from: '2026-02-03', to: '2026-02-05' }],
  ['a namespace', ['https://a.b/?x=xmlns:a="http://w3.org/2001/x"'], undefined],
  [
    'years before any rate, and far ahead',
    ['https://a.b/1901-01-01/2026-02-02/2026-02-03/2099-12-31'],
    { from: '2026-02-02', to: '2026-02-03' },
  ],
  [
    'text that is not well encoded',
    ['https://a.b/%E0%A4%A?2026-02-02/2026-02-03'],
    { from: '2026-02-02', to: '2026-02-03' },
  ],
])('a recording whose requests name %s', (_, urls, span) => {
  expect(recordedSpan(recording(...urls))).toEqual(span);
});

test('recordings named after more than the provider count where there are no others', () => {
  const named = (...names: string[]) => names.map((name) => ({ ...recording('https://a.b/'), name }));
  const names = (...given: string[]) => plainRecordings(named(...given), 'ECB').map(({ name }) => name);
  expect(names('ecb', 'ecb_empty')).toEqual(['ecb']);
  expect(names('ecb_2022', 'ecb_2026')).toEqual(['ecb_2022', 'ecb_2026']);
});
