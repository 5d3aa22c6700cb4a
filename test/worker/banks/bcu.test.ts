import { feed } from '../../../worker/banks/bcu.js';
import { type Answer, casesOf, type SeenRequest, soapAnswer } from './cases.js';

const answer = (code: string, ...days: [string, string, string, string][]) =>
  soapAnswer(
    `<wsbcucotizaciones.ExecuteResponse xmlns="Cotiza"><Salida><respuestastatus><status>1</status><codigoerror>${code}</codigoerror><mensaje>No</mensaje></respuestastatus><datoscotizaciones>${days
      .map(
        ([date, item, buying, selling]) =>
          `<datoscotizaciones.dato><Fecha>${date}</Fecha><Moneda>${item}</Moneda><CodigoISO>DLS.</CodigoISO><TCC>${buying}</TCC><TCV>${selling}</TCV></datoscotizaciones.dato>`,
      )
      .join('')}</datoscotizaciones></Salida></wsbcucotizaciones.ExecuteResponse>`,
  );
/** One answer for a currency, by its number, and an empty one for all others. */
const forItem = (item: string, given: Answer) => ({
  'POST cotizaciones.bcu.gub.uy/wscotizaciones/servlet/awsbcucotizaciones': ({ body }: SeenRequest) =>
    body.includes(`<item>${item}</item>`) ? given : answer('100'),
});
const { reads, empty, refuses } = casesOf(feed, '2026-03-27..2026-03-30');
reads('midpoints in pesos, the currency by its number without leading zeros', {
  given: forItem(
    '0500',
    answer(
      '0',
      ['2026-03-27', '500', '0.029320', '0.029321'],
      ['2026-03-30', '501', '1', '1'],
      ['2026-03-30', '500', '0', '1'],
    ),
  ),
  rates: ['2026-03-27 ARS/UYU 0.0293205'],
  sides: ['2026-03-27 ARS/UYU 0.02932 0.029321'],
  count: 27,
  asks: [/<FechaDesde>2026-03-27<\/FechaDesde><FechaHasta>2026-03-30<\/FechaHasta>/],
});
empty('error 100 is an empty window', forItem('', answer('100')));
const dollar = (given: Answer) => forItem('2225', given);
refuses([['another error', dollar(answer('101')), /error 101, No/]]);
