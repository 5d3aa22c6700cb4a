import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/banrep.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.datos.gov.co/resource/32sa-8pi3.json';
const record = (valor: string, from: string, to = from) => ({
  valor,
  unidad: 'COP',
  vigenciadesde: `${from}T00:00:00.000`,
  vigenciahasta: `${to}T00:00:00.000`,
});

test('pesos for a dollar, at the first day of their validity', async () => {
  const { rows, requests } = await readFeed(feed, '2026-03-19..2026-03-24', {
    [PLACE]: JSON.stringify([record('3692.48', '2026-03-20'), record('3704.87', '2026-03-21', '2026-03-24')]),
  });
  expect(rows).toEqual([
    ['2026-03-20', 'USD', 'COP', 3692.48],
    ['2026-03-21', 'USD', 'COP', 3704.87],
  ]);
  const query = requests[0]?.query;
  expect(query?.get('$where')).toBe(
    "vigenciadesde>='2026-03-19T00:00:00.000' AND vigenciadesde<='2026-03-26T00:00:00.000'",
  );
  expect(query?.get('$limit')).toBe('50000');
});

test('an empty list, and records without a value', async () => {
  const none = await readFeed(feed, '2026-03-22..2026-03-23', { [PLACE]: '[]' });
  expect(none.rows).toEqual([]);
  const gaps = JSON.stringify([
    { valor: null, unidad: 'COP', vigenciadesde: '2026-03-22T00:00:00.000' },
    record('0', '2026-03-23'),
  ]);
  expect((await readFeed(feed, '2026-03-22..2026-03-23', { [PLACE]: gaps })).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  [
    "the service's error",
    '{"code":"query.compiler.malformed","message":"Could not parse"}',
    /documented form/,
  ],
  ['a value that is no number', JSON.stringify([record('n.d.', '2026-03-20')]), /not a number/],
  ['a date in another form', '[{"valor":"3700","unidad":"COP","vigenciadesde":"20/03/2026"}]', /not a date/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-03-20..2026-03-24', { [PLACE]: answer })).rejects.toThrow(message);
});
