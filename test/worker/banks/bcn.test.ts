import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bcn.js';
import { blockedPage, readFeed, soapAnswer } from '../feeds/support.js';

const PLACE = 'POST servicios.bcn.gob.ni/Tc_Servicio/ServicioTC.asmx';
const month = (...days: [string, string][]) =>
  soapAnswer(
    `<RecuperaTC_MesResponse xmlns="http://servicios.bcn.gob.ni/"><RecuperaTC_MesResult><Detalle_TC xmlns="">${days
      .map(([date, value]) => `<Tc><Fecha>${date}</Fecha><Valor>${value}</Valor></Tc>`)
      .join('')}</Detalle_TC></RecuperaTC_MesResult></RecuperaTC_MesResponse>`,
  );

test('córdobas for one dollar, month by month, weekends kept', async () => {
  const { rows, requests } = await readFeed(feed, '2026-02-28..2026-03-01', {
    [PLACE]: [
      month(['2026-02-27', '36.6243'], ['2026-02-28', '36.6243']),
      month(['2026-03-01', '36.6250'], ['2026-03-02', '36.6250'], ['', '1'], ['2026-03-01', '']),
    ],
  });
  expect(rows).toEqual([
    ['2026-02-28', 'USD', 'NIO', 36.6243],
    ['2026-03-01', 'USD', 'NIO', 36.625],
  ]);
  expect(requests.map(({ body }) => /<Ano>(\d+)<\/Ano><Mes>(\d+)</.exec(body)?.slice(1))).toEqual([
    ['2026', '2'],
    ['2026', '3'],
  ]);
  expect(requests[0]?.headers.soapaction).toBe('"http://servicios.bcn.gob.ni/RecuperaTC_Mes"');
});

test('a month without days is an empty window', async () => {
  expect((await readFeed(feed, '2026-03-01..2026-03-02', { [PLACE]: month() })).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /Envelope|HTML page/],
  ['a fault', soapAnswer('<soap:Fault><faultstring>Server was unable</faultstring></soap:Fault>'), /unable/],
  ['another response', soapAnswer('<OtherResponse/>'), /OtherResponse/],
  ['a value that is no number', month(['2026-03-01', 'x']), /not a number/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-03-01..2026-03-02', { [PLACE]: answer })).rejects.toThrow(message);
});
