import { feed } from '../../../worker/banks/banrep.js';
import { casesOf } from './cases.js';

const record = (valor: string | null, from: string, to = from) => ({
  ...{ valor, unidad: 'COP' },
  vigenciadesde: `${from}T00:00:00.000`,
  vigenciahasta: `${to}T00:00:00.000`,
});
const answer = (...records: object[]) => JSON.stringify(records);
const PLACE = 'GET www.datos.gov.co/resource/32sa-8pi3.json';
const { reads, empty, nothing } = casesOf(feed, '2026-03-19..2026-03-24', PLACE);
reads('pesos for a dollar, at the first day of their validity', {
  given: answer(record('3692.48', '2026-03-20'), record('3704.87', '2026-03-21', '2026-03-24')),
  rates: ['2026-03-20 USD/COP 3692.48', '2026-03-21 USD/COP 3704.87'],
  asks: [
    [
      "$where=vigenciadesde>='2026-03-19T00:00:00.000' AND vigenciadesde<='2026-03-26T00:00:00.000'",
      '$limit=50000',
    ],
  ],
});
nothing('a window in which no rate begins to be valid is an empty list', '[]');
empty('no value is no rate', answer(record(null, '2026-03-22'), record('0', '2026-03-23')));
