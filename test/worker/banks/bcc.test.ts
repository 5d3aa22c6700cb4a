import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bcc.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET api.bc.gob.cu/v1/tasas-de-cambio/historico';
const history =
  (values: Record<string, [string, number | null][]>) =>
  ({ query }: { query: URLSearchParams }) =>
    JSON.stringify(
      (values[query.get('codigoMoneda') ?? ''] ?? []).map(([fecha, tasaEspecial]) => ({
        fecha,
        tasaOficial: 24,
        tasaPublica: 120,
        tasaEspecial,
      })),
    );

test('the special rate in pesos for one unit, the yen turned round', async () => {
  const { rows, requests } = await readFeed(feed, '2026-05-19..2026-05-20', {
    [PLACE]: history({
      USD: [
        ['2026-05-19', 502],
        ['2026-05-20', 503.5],
      ],
      JPY: [['2026-05-19', 0.31668]],
    }),
  });
  expect(rows).toEqual([
    ['2026-05-19', 'USD', 'CUP', 502],
    ['2026-05-20', 'USD', 'CUP', 503.5],
    ['2026-05-19', 'JPY', 'CUP', 3.15776177845],
  ]);
  expect(requests).toHaveLength(13);
  expect(requests[0]?.query.toString()).toBe('fechaInicio=2026-05-19&fechaFin=2026-05-20&codigoMoneda=USD');
});

test('a yen that is printed the right way round, or that no dollar confirms, is not turned', async () => {
  const { rows, dropped } = await readFeed(feed, '2026-05-19..2026-05-21', {
    [PLACE]: history({
      USD: [
        ['2026-05-19', 502],
        ['2026-05-20', 502],
      ],
      JPY: [
        ['2026-05-19', 0.31668],
        ['2026-05-20', 3.15776],
        ['2026-05-21', 0.31668],
      ],
    }),
  });
  expect(rows.filter(([, base]) => base === 'JPY')).toEqual([['2026-05-19', 'JPY', 'CUP', 3.15776177845]]);
  expect(dropped).toEqual({ malformed: 2 });
});

test('a bank that has turned the yen round is an error', async () => {
  const turned = readFeed(feed, '2026-05-19..2026-05-19', {
    [PLACE]: history({ USD: [['2026-05-19', 502]], JPY: [['2026-05-19', 3.15776]] }),
  });
  await expect(turned).rejects.toThrow(/1585\.\d+ yen for a dollar: is the yen printed in pesos now\?/);
});

test('nothing is asked for before the first day', async () => {
  const before = await readFeed(feed, '2025-11-01..2025-12-18', {});
  expect(before).toMatchObject({ rows: [], requests: [] });
  const across = await readFeed(feed, '2025-11-01..2025-12-20', { [PLACE]: '[]' });
  expect(across.requests[0]?.query.get('fechaInicio')).toBe('2025-12-19');
  expect(across.rows).toEqual([]);
});

test('days without a special rate are left out', async () => {
  const { rows } = await readFeed(feed, '2026-05-19..2026-05-20', {
    [PLACE]: history({
      JPY: [['2026-05-19', 0]],
      USD: [['2026-05-20', null]],
    }),
  });
  expect(rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['an error object', '{"statusCode":400,"message":"codigoMoneda"}', /documented form/],
  ['a value that is no number', '[{"fecha":"2026-05-19","tasaEspecial":"n/d"}]', /tasaEspecial/],
  ['a date in another form', '[{"fecha":"19/05/2026","tasaEspecial":502}]', /not a date/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-05-19..2026-05-20', { [PLACE]: answer })).rejects.toThrow(message);
});
