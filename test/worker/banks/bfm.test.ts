import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bfm.js';
import { type Answer, blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'POST www.banky-foibe.mg/admin/wp-json/bfm/cours_mid_en_ar_filter';
const DAYS = '2026-09-21..2026-09-22';
const answer = (coursMid: unknown, grapheData: unknown = [], status: unknown = 200) =>
  JSON.stringify({ code: 'x', message: '', data: { status, data: { coursMid, grapheData } } });
/** One answer for a currency, an empty one for all others. */
const only =
  (code: string, given: Answer): Answer =>
  (request) =>
    request.form.get('filterData') === code ? given : answer([]);

test('ariary for one unit, asked for by currency', async () => {
  const { rows, skipped, requests } = await readFeed(feed, DAYS, {
    [PLACE]: only(
      'EUR',
      answer({ '2026-09-22': '4\u202f994,66', '2026-09-21': 'N/A' }, { '2026-09-22': '4994.66' }),
    ),
  });
  expect(rows).toEqual([['2026-09-22', 'EUR', 'MGA', 4994.66]]);
  expect(skipped).toEqual({ 'no rate': 1 });
  expect(requests).toHaveLength(19);
  expect(requests[0]?.body).toBe(
    'dateFilterDebut=2026%2F09%2F21&dateFilterFin=2026%2F09%2F22&filterData=EUR',
  );
});

test('empty lists are an empty window', async () => {
  expect(await readFeed(feed, DAYS, { [PLACE]: answer([]) })).toMatchObject({
    rows: [],
    noData: ['a window without rates is an empty list'],
  });
});

test.each<[string, Answer, RegExp]>([
  ['a blocked page', blockedPage, /HTML page/],
  ['a status of its own', answer([], [], 500), /data\.status/],
  ['a changed layout', answer([]).replace('coursMid', 'cours'), /coursMid/],
  ['a list of figures', answer(['4 994,66']), /coursMid/],
  ['a key that is no date', answer({ lundi: '4 994,66' }), /not a date/],
  [
    'another figure in the graph',
    answer({ '2026-09-22': '4 994,66' }, { '2026-09-22': '4995' }),
    /in the graph/,
  ],
])('%s is an error', async (_, given, message) => {
  await expect(readFeed(feed, DAYS, { [PLACE]: only('USD', given) })).rejects.toThrow(message);
});
