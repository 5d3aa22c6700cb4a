import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/banguat.js';
import { blockedPage, readFeed, soapAnswer } from '../feeds/support.js';

const PLACE = 'POST www.banguat.gob.gt/variables/ws/TipoCambio.asmx';
const DAYS = '2026-03-01..2026-03-02';
const rate = (day: string, selling: string, buying = selling, currency = '2') =>
  `<Var><moneda>${currency}</moneda><fecha>${day}</fecha><venta>${selling}</venta><compra>${buying}</compra></Var>`;
const answer = (rates: string[], total = rates.length) =>
  soapAnswer(
    `<TipoCambioRangoResponse xmlns="http://www.banguat.gob.gt/variables/ws/"><TipoCambioRangoResult><Vars>${rates.join('')}</Vars><TotalItems>${total}</TotalItems></TipoCambioRangoResult></TipoCambioRangoResponse>`,
  );

test('the middle of both rates, on Sundays too', async () => {
  const { rows, skipped, requests } = await readFeed(feed, DAYS, {
    [PLACE]: answer([
      rate('01/03/2026', '7.66476'),
      rate('02/03/2026', '7.6616', '7.6614'),
      rate('02/03/2026', '8', '8', '24'),
    ]),
  });
  expect(rows).toEqual([
    ['2026-03-01', 'USD', 'GTQ', 7.66476],
    ['2026-03-02', 'USD', 'GTQ', 7.6615],
  ]);
  expect(skipped).toEqual({ 'another currency than the dollar': 1 });
  expect(requests[0]?.body).toContain('<fechainit>01/03/2026</fechainit><fechafin>02/03/2026</fechafin>');
});

test('no items are an empty window', async () => {
  expect(await readFeed(feed, DAYS, { [PLACE]: answer([]) })).toMatchObject({
    rows: [],
    noData: ['a window without rates has TotalItems 0'],
  });
});

test('a rate that is missing is counted', async () => {
  const rates = [rate('01/03/2026', '7.66'), rate('02/03/2026', '')];
  expect(await readFeed(feed, DAYS, { [PLACE]: answer(rates) })).toMatchObject({
    rows: [['2026-03-01', 'USD', 'GTQ', 7.66]],
    skipped: { 'no rate': 1 },
  });
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['a changed layout', answer([rate('01/03/2026', '7.66')]).replaceAll('venta>', 'sale>'), /malformed/],
  ['another number of items', answer([rate('01/03/2026', '7.66')], 2), /1 of 2 rates/],
  ['a fault', soapAnswer('<s:Fault><faultstring>down</faultstring></s:Fault>'), /fault: down/],
])('%s is an error', async (_, given, message) => {
  await expect(readFeed(feed, DAYS, { [PLACE]: given })).rejects.toThrow(message);
});
