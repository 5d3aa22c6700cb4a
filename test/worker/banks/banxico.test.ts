import { feed } from '../../../worker/banks/banxico.js';
import { CredentialsRefused, casesOf } from './cases.js';

const IDS = ['SF43718', 'SF46410', 'SF46407', 'SF46406', 'SF60632'];
/** The observations of 2 March 2026 and of the day after, by series. */
const series = (values: Record<string, (string | null)[]>) =>
  JSON.stringify({
    bmx: {
      series: [...new Set([...Object.keys(values), ...IDS])].map((idSerie) => ({
        ...{ idSerie, titulo: 'Tipo de cambio' },
        datos: values[idSerie]?.map((dato, day) => ({ fecha: `0${day + 2}/03/2026`, dato })),
      })),
    },
  });
const PLACE = `GET www.banxico.org.mx/SieAPIRest/service/v1/series/${IDS}/datos/2026-03-02/2026-03-03`;
const { reads, nothing, refuses } = casesOf(feed, '2026-03-02..2026-03-03', PLACE);
reads('pesos for one unit, by the id of the series and not by its place', {
  given: series({ SF46406: ['0.1105', '0.1124'], SF43718: ['1,017.3485', 'N/E'], SF1: ['2', '2'] }),
  rates: ['2026-03-02 JPY/MXN 0.1105', '2026-03-03 JPY/MXN 0.1124', '2026-03-02 USD/MXN 1017.3485'],
  asks: ['bmx-token: <BANXICO_API_KEY>'],
});
nothing('days without a rate are not listed', series({ SF46410: [] }));
nothing('days without a rate are marked N/E ("no existe")', series({ SF43718: ['N/E', ''] }));
const refused = (mensaje: string) => ({ status: 400, body: JSON.stringify({ error: { mensaje } }) });
refuses([
  ['status 400 that names the token', refused('Token inválido: <BANXICO_API_KEY>'), CredentialsRefused],
  ['another bad request', refused('Serie'), /400.*Serie/],
]);
