import { feed } from '../../../worker/banks/banguat.js';
import { casesOf, soapAnswer } from './cases.js';

const rate = (day: string, selling: string, buying = selling, currency = '2') =>
  `<Var><moneda>${currency}</moneda><fecha>${day}</fecha><venta>${selling}</venta><compra>${buying}</compra></Var>`;
const answer = (rates: string[], total = rates.length) =>
  soapAnswer(
    `<TipoCambioRangoResponse xmlns="http://www.banguat.gob.gt/variables/ws/"><TipoCambioRangoResult><Vars>${rates.join('')}</Vars><TotalItems>${total}</TotalItems></TipoCambioRangoResult></TipoCambioRangoResponse>`,
  );
const PLACE = 'POST www.banguat.gob.gt/variables/ws/TipoCambio.asmx';
const { reads, nothing, refuses } = casesOf(feed, '2026-03-01..2026-03-02', PLACE);
reads('the middle of both rates, on Sundays too', {
  given: answer([
    rate('01/03/2026', '7.66476'),
    rate('02/03/2026', '7.6616', '7.6614'),
    rate('02/03/2026', '8', '8', '24'),
    rate('02/03/2026', ''),
  ]),
  rates: ['2026-03-01 USD/GTQ 7.66476', '2026-03-02 USD/GTQ 7.6615'],
  sides: ['2026-03-02 USD/GTQ 7.6614 7.6616'],
  skipped: { 'another currency than the dollar': 1, 'no rate': 1 },
  asks: [/<fechainit>01\/03\/2026<\/fechainit><fechafin>02\/03\/2026<\/fechafin>/],
});
nothing('a window without rates has TotalItems 0', answer([]));
refuses([['another number of items', answer([rate('01/03/2026', '7.66')], 2), /1 of 2 rates/]]);
