import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/banxico.js';
import { CredentialsRefused } from '../../../worker/feeds/feed.js';
import { type Answer, type Answers, blockedPage, readFeed } from '../feeds/support.js';

const WINDOW = '2026-03-02..2026-03-03';
const PATH =
  '/SieAPIRest/service/v1/series/SF43718,SF46410,SF46407,SF46406,SF60632/datos/2026-03-02/2026-03-03';
const bank = (answer: Answer): Answers => ({ [`GET www.banxico.org.mx${PATH}`]: answer });
const NONE: Record<string, (string | null)[] | undefined> = {
  SF43718: undefined,
  SF46410: undefined,
  SF46407: undefined,
  SF46406: undefined,
  SF60632: undefined,
};
const series = (values: Record<string, (string | null)[] | undefined>) =>
  JSON.stringify({
    bmx: {
      series: Object.entries({ ...values, ...NONE, ...values }).map(([idSerie, datos]) => ({
        idSerie,
        titulo: 'Tipo de cambio',
        datos: datos?.map((dato, day) => ({ fecha: `0${day + 2}/03/2026`, dato })),
      })),
    },
  });

test('pesos for one unit, by the id of the series and not by its place', async () => {
  const { rows, requests } = await readFeed(
    feed,
    WINDOW,
    bank(series({ SF46406: ['0.1105', '0.1124'], SF43718: ['1,017.3485', 'N/E'], SF1: ['2', '2'] })),
  );
  expect(rows).toEqual([
    ['2026-03-02', 'JPY', 'MXN', 0.1105],
    ['2026-03-03', 'JPY', 'MXN', 0.1124],
    ['2026-03-02', 'USD', 'MXN', 1017.3485],
  ]);
  expect(requests[0]?.headers['bmx-token']).toBe('<BANXICO_API_KEY>');
});

test('series without observations are an empty window', async () => {
  const { rows } = await readFeed(feed, WINDOW, bank(series({ SF43718: undefined, SF46410: [] })));
  expect(rows).toEqual([]);
});

test('no value is no row, and what is no number is counted', async () => {
  const { rows, dropped } = await readFeed(
    feed,
    WINDOW,
    bank(series({ SF43718: ['', 'closed'], SF46410: ['0', '20.1'] })),
  );
  expect(rows).toEqual([['2026-03-03', 'EUR', 'MXN', 20.1]]);
  expect(dropped).toEqual({ malformed: 1 });
});

test.each([
  [
    'status 400 that names the token',
    { status: 400, body: '{"error":{"mensaje":"Token inválido: <BANXICO_API_KEY>"}}' },
  ],
  ['status 401', { status: 401, body: '{}' }],
])('%s is a refused key', async (_, answer) => {
  const reading = readFeed(feed, WINDOW, bank(answer));
  await expect(reading).rejects.toThrow(CredentialsRefused);
  await expect(reading).rejects.not.toThrow(/BANXICO_API_KEY/);
});

test('another bad request is no refusal', async () => {
  const reading = readFeed(feed, WINDOW, bank({ status: 400, body: '{"error":{"mensaje":"Serie"}}' }));
  await expect(reading).rejects.not.toThrow(CredentialsRefused);
  await expect(reading).rejects.toThrow(/400.*Serie/);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['an answer without series', '{"bmx":{}}', /bmx\.series/],
  ['a date in another form', series({ SF43718: ['17'] }).replace('02/03/2026', '2026-03-02'), /not a date/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, WINDOW, bank(answer))).rejects.toThrow(message);
});
