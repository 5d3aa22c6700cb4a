import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bcu.js';
import { type Answer, blockedPage, readFeed, soapAnswer } from '../feeds/support.js';

const PLACE = 'POST cotizaciones.bcu.gub.uy/wscotizaciones/servlet/awsbcucotizaciones';
const answer = (code: string, ...days: [string, string, string, string][]) =>
  soapAnswer(
    `<wsbcucotizaciones.ExecuteResponse xmlns="Cotiza"><Salida><respuestastatus><status>1</status><codigoerror>${code}</codigoerror><mensaje>No</mensaje></respuestastatus><datoscotizaciones>${days
      .map(
        ([date, item, buying, selling]) =>
          `<datoscotizaciones.dato><Fecha>${date}</Fecha><Moneda>${item}</Moneda><CodigoISO>DLS.</CodigoISO><TCC>${buying}</TCC><TCV>${selling}</TCV></datoscotizaciones.dato>`,
      )
      .join('')}</datoscotizaciones></Salida></wsbcucotizaciones.ExecuteResponse>`,
  );
const NOTHING = answer('100');
const forItem =
  (item: string, given: Answer): Answer =>
  (request) =>
    request.body.includes(`<item>${item}</item>`) ? given : NOTHING;

test('midpoints in pesos, the currency told by its number without leading zeros', async () => {
  const { rows, requests } = await readFeed(feed, '2026-03-27..2026-03-30', {
    [PLACE]: forItem(
      '0500',
      answer(
        '0',
        ['2026-03-27', '500', '0.029320', '0.029321'],
        ['2026-03-30', '501', '1', '1'],
        ['2026-03-30', '500', '0', '1'],
      ),
    ),
  });
  expect(rows).toEqual([['2026-03-27', 'ARS', 'UYU', 0.0293205]]);
  expect(requests).toHaveLength(27);
  expect(requests[0]?.body).toContain(
    '<FechaDesde>2026-03-27</FechaDesde><FechaHasta>2026-03-30</FechaHasta>',
  );
});

test('error 100 is an empty window', async () => {
  expect((await readFeed(feed, '2026-03-28..2026-03-29', { [PLACE]: NOTHING })).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /Envelope|HTML page/],
  ['another error', answer('101'), /error 101, No/],
  [
    'no status',
    soapAnswer('<wsbcucotizaciones.ExecuteResponse xmlns="Cotiza"/>'),
    /0 elements Salida in wsbcucotizaciones\.ExecuteResponse/,
  ],
  ['a price that is no number', answer('0', ['2026-03-27', '2225', 'x', '1']), /not a number/],
])('%s is an error', async (_, given, message) => {
  await expect(readFeed(feed, '2026-03-27..2026-03-30', { [PLACE]: forItem('2225', given) })).rejects.toThrow(
    message,
  );
});
