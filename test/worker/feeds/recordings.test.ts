import { expect, test } from 'vitest';
import { recordedSpan } from '../../../worker/feeds/recordings.js';

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
])('a recording whose requests name %s', (_, urls, span) => {
  expect(recordedSpan(recording(...urls))).toEqual(span);
});
