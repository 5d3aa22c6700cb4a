import { expect, test } from 'vitest';
import { providerOf } from '../../../core/domain/providers.js';
import { feed } from '../../../worker/banks/bccr.js';
import { type Answer, type Answers, blockedPage, readFeed } from '../feeds/support.js';

const API = 'GET apim.bccr.fi.cr/SDDE/api/Bccr.GE.SDDE.IndicadoresSitioExterno';
const TOKEN = `${API}.ServiciosUsuario.API/Token/GenereCSRF`;
const TABLE = `${API}.GrupoVariables.API/CuadroGrupoVariables/ObtenerDatosCuadro`;
const WINDOW = '2026-03-21..2026-03-24';
const bank = (table: Answer, token: Answer = 'eyJh.eyJp.nDX-x_t\n'): Answers => ({
  [TOKEN]: token,
  [TABLE]: table,
});
const table = (selling: Record<string, string>, id = 318) =>
  JSON.stringify({
    columnas: [
      { field: 'nombre', tituloEspanol: 'Indicadores', tituloIngles: 'Indicators' },
      { field: 'serie1', tituloEspanol: '23 mar 2026', tituloIngles: '23 mar 2026' },
      { field: 'serie2', tituloEspanol: '24 mar 2026', tituloIngles: '24 mar 2026' },
    ],
    indicadoresRaiz: [
      { idIndicador: 317, series: { serie1Ingles: '460.00', serie2Ingles: '460.00' } },
      { idIndicador: id, series: selling },
    ],
  });

test('the selling rate in colones for a dollar, with a token', async () => {
  const { rows, requests } = await readFeed(
    feed,
    WINDOW,
    bank(table({ serie1: '469,49', serie1Ingles: '469.49', serie2: '468,29', serie2Ingles: '468.29' })),
  );
  expect(rows).toEqual([
    ['2026-03-23', 'USD', 'CRC', 469.49],
    ['2026-03-24', 'USD', 'CRC', 468.29],
  ]);
  expect(requests[1]?.headers).toMatchObject({
    token_csrf: 'eyJh.eyJp.nDX-x_t',
    origin: 'https://sdd.bccr.fi.cr',
  });
  expect(Object.fromEntries(requests[1]?.query ?? [])).toEqual({
    IdGrupoVariable: '1',
    FechaInicio: '2026-03-21T00:00:00',
    FechaFin: '2026-03-24',
    CantidadSeriesAMostrar: '100',
  });
});

test('the table has no days before the first one of its series, and is no table without them later', async () => {
  const none = bank(
    JSON.stringify({
      columnas: [{ field: 'nombre', tituloEspanol: 'Indicadores', tituloIngles: 'Indicators' }],
      indicadoresRaiz: [{ idIndicador: 318, series: {} }],
    }),
  );
  const before = await readFeed(feed, '1982-12-01..1982-12-31', none, { today: '2026-03-24' });
  expect(providerOf(feed.key)?.coverage_start).toBe('1983-01-01');
  expect(before.noData).toEqual(['before the first day of its series the table has no days']);
  await expect(readFeed(feed, WINDOW, none)).rejects.toThrow(/no records that hold a rate/);
});

test('days of 1982 without a figure stand beside the first of the series', async () => {
  const first = table({ serie1Ingles: '', serie2Ingles: '40.50' })
    .replaceAll('23 mar 2026', '31 dec 1982')
    .replaceAll('24 mar 2026', '1 jan 1983');
  const { rows } = await readFeed(feed, '1982-12-31..1983-01-01', bank(first), { today: '2026-03-24' });
  expect(rows).toEqual([['1983-01-01', 'USD', 'CRC', 40.5]]);
});

test('a long window is asked for in parts that the table can hold', async () => {
  const { requests } = await readFeed(
    feed,
    '2026-01-01..2026-05-22',
    bank(table({ serie1Ingles: '', serie2Ingles: '' })),
  );
  expect(requests.slice(1).map(({ query }) => query.get('FechaFin'))).toEqual(['2026-03-31', '2026-05-22']);
});

test('days without a value are left out', async () => {
  const { rows } = await readFeed(feed, WINDOW, bank(table({ serie1Ingles: '', serie2Ingles: '0.00' })));
  expect(rows).toEqual([]);
});

test.each([
  ['a blocked page for the token', bank(table({}), blockedPage), /a token was meant/],
  ['another token', bank(table({}), 'please log in'), /no token/],
  ['a blocked page for the table', bank(blockedPage), /HTML page/],
  ['another form', bank('{"columnas":[]}'), /indicadoresRaiz/],
  ['a table without the selling rate', bank(table({}, 319)), /no row 318/],
  ['a value that is no number', bank(table({ serie1Ingles: 'n.d.' })), /not a number/],
  [
    'a day in another form',
    bank(table({ serie1Ingles: '469.49' }).replaceAll('23 mar 2026', '2026/03/23')),
    /not a date/,
  ],
])('%s is an error', async (_, answers, message) => {
  await expect(readFeed(feed, WINDOW, answers)).rejects.toThrow(message);
});
