import { providerOf } from '../../../core/domain/providers.js';
import { feed } from '../../../worker/banks/bccr.js';
import { type Answer, casesOf } from './cases.js';

const API = 'GET apim.bccr.fi.cr/SDDE/api/Bccr.GE.SDDE.IndicadoresSitioExterno';
const TABLE = `${API}.GrupoVariables.API/CuadroGrupoVariables/ObtenerDatosCuadro`;
const name = { field: 'nombre', tituloEspanol: 'Indicadores', tituloIngles: 'Indicators' };
const table = (selling: Record<string, string>, days = ['23 mar 2026', '24 mar 2026'], id = 318) =>
  JSON.stringify({
    columnas: [
      name,
      ...days.map((day, at) => ({ field: `serie${at + 1}`, tituloEspanol: day, tituloIngles: day })),
    ],
    indicadoresRaiz: [
      { idIndicador: 317, series: { serie1Ingles: '463.24', serie2Ingles: '463.50' } },
      { idIndicador: id, series: selling },
    ],
  });
const prices = (serie1Ingles: string, serie2Ingles: string) => ({ serie1Ingles, serie2Ingles });
const answers = ([given, token = 'eyJh.eyJp.nDX-x_t\n']: readonly [Answer, Answer?]) => ({
  ...{ [`${API}.ServiciosUsuario.API/Token/GenereCSRF`]: token, [TABLE]: given },
});
const LATER = { today: '2026-05-22' };
const { reads, empty, nothing, refuses } = casesOf(feed, '2026-03-21..2026-03-24', answers, LATER);
reads('the selling rate in colones for a dollar, with a token', {
  given: [table({ serie1: '469,49', serie2: '468,29', ...prices('469.49', '468.29') })],
  rates: ['2026-03-23 USD/CRC 469.49', '2026-03-24 USD/CRC 468.29'],
  sides: ['2026-03-23 USD/CRC 463.24 469.49'],
  asks: [
    [],
    [
      'token_csrf: eyJh.eyJp.nDX-x_t & origin: https://sdd.bccr.fi.cr',
      'IdGrupoVariable=1&FechaInicio=2026-03-21T00:00:00&FechaFin=2026-03-24&CantidadSeriesAMostrar=100',
    ],
  ],
});

const none = table({}, []);
nothing('before the first day of its series the table has no days', [none], '1982-12-01..1982-12-31');
reads('days of 1982 without a figure stand beside the first of the series', {
  days: `1982-12-31..${providerOf(feed.key)?.coverage_start}`,
  given: [table(prices('', '40.50'), ['31 dec 1982', '1 jan 1983'])],
  rates: ['1983-01-01 USD/CRC 40.5'],
});
reads('a long window is asked for in parts that the table can hold', {
  days: '2026-01-01..2026-05-22',
  given: [table(prices('', ''))],
  asks: [[], 'FechaFin=2026-03-31', 'FechaFin=2026-05-22'],
});
empty('days without a value are left out', [table(prices('', '0.00'))]);
refuses([
  ['another token', [table({}), 'please log in'], /no token/],
  ['a table without days', [none], /no records that hold a rate/],
  ['a table without the selling rate', [table({}, undefined, 319)], /no row 318/],
]);
