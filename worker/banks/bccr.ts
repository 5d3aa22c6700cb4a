import * as z from 'zod';
import { addDays } from '../../core/domain/dates.js';
import { excerpt, type Feed, FeedError, noData, ratesFrom, withSides } from '../feeds/feed.js';
import type { HttpClient } from '../feeds/http/client.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { textOf } from '../feeds/toolbox/page-guard.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const SERVICE = 'https://apim.bccr.fi.cr/SDDE/api/Bccr.GE.SDDE.IndicadoresSitioExterno';
const TOKEN = `${SERVICE}.ServiciosUsuario.API/Token/GenereCSRF`;
const TABLE = `${SERVICE}.GrupoVariables.API/CuadroGrupoVariables/ObtenerDatosCuadro`;
const ORIGIN = 'https://sdd.bccr.fi.cr';
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** The table of the dollar's reference rates, and its rows with the buying and the selling rate. */
const REFERENCE_RATES = 1;
const [BUYING, SELLING] = [317, 318];

/** The maximum number of days in the table. It always ends on the last requested day and always has this length. */
const MOST_COLUMNS = 100;
const STEP_DAYS = 90;
/** Until 1992-03-01 the figures are those of the interbank market. */
const FIRST_DAY = '1983-01-01';

const schema = z.object({
  columnas: z.array(z.object({ field: z.string(), tituloIngles: z.string().nullish() })),
  indicadoresRaiz: z.array(
    z.object({
      idIndicador: z.number(),
      series: z.record(z.string(), z.union([z.string(), z.number()]).nullish()),
    }),
  ),
});

/** Central Bank of Costa Rica: the selling reference rate, colones for a dollar, for every calendar day. */
export const feed: Feed = {
  key: 'BCCR',
  reading: 2,
  backfillDays: STEP_DAYS,
  blank: 'a day without a value is blank',

  async *read(window, { http, navigation }) {
    const token = await tokenFrom(navigation);
    for (const { from, to } of stepsOf(window, STEP_DAYS)) {
      const response = await http.get(TABLE, {
        query: {
          IdGrupoVariable: REFERENCE_RATES,
          FechaInicio: `${from}T00:00:00`,
          FechaFin: to,
          CantidadSeriesAMostrar: MOST_COLUMNS,
        },
        headers: { token_csrf: token, origin: ORIGIN },
      });
      const { columnas, indicadoresRaiz } = parseJson(response, schema);
      const [buying, selling] = [BUYING, SELLING].map(
        (row) => indicadoresRaiz.find(({ idIndicador }) => idIndicador === row)?.series,
      );
      if (!selling) throw new FeedError(`${response.url}: no row ${SELLING}, the selling rate, in the table`);
      const days = columnas.filter(({ field }) => field !== 'nombre');
      if (days.length === 0 && to < FIRST_DAY) {
        yield noData(response, 'before the first day of its series the table has no days');
        continue;
      }
      const records = days.map(({ field, tituloIngles }) => ({
        tituloIngles,
        buy: buying?.[`${field}Ingles`] ?? null,
        sell: selling[`${field}Ingles`],
      }));
      yield ratesFrom(
        response,
        { from: addDays(to, 1 - MOST_COLUMNS), to },
        records,
        ({ tituloIngles, buy, sell }) => ({
          date: parseDate(tituloIngles, 'D Mon YYYY'),
          base: 'USD',
          quote: 'CRC',
          ...withSides(numberOrMissing, sell, buy, sell),
        }),
      );
    }
  },
};

/** The service gives every client a token for a day. */
async function tokenFrom(navigation: HttpClient): Promise<string> {
  const response = await navigation.get(TOKEN);
  const token = textOf(response, 'a token').trim();
  if (!JWT.test(token)) throw new FeedError(`${response.url}: responded with no token (${excerpt(token)})`);
  return token;
}
