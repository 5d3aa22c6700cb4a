import { feed } from '../../../worker/banks/bm.js';
import { casesOf, makePdf } from './cases.js';

const INDEX = 'GET www.bancomoc.mz/pt/areas-de-actuacao/mercados/mercado-cambial/';
const LISTS = '/pt/tabelas-de-taxas-de-cambio-de-referencia-diarias';
const LIST = `GET www.bancomoc.mz${LISTS}/2026-2025/`;
const PDF = 'GET www.bancomoc.mz/media/prub/taxas-do-câmbio-02092026.pdf';
const page = (...links: string[]) =>
  `<!DOCTYPE html><html><body>${links.map((link) => `<a href="${link}">x</a>`).join('')}</body></html>`;
const index = page(`${LISTS}/2026-2025/`, `${LISTS}/2022-2024/`);
const links = [
  '/media/abcd/taxas-do-c&#226;mbio-03092026.pdf',
  '/media/prub/taxas-do-c&#226;mbio-02092026.pdf',
];

/** Lines of the form: words at their columns, cut after 31 characters as the bank's printer cuts its lines. */
function bulletin(...lines: string[]): Uint8Array {
  const texts = lines.flatMap((line, row) =>
    [...line.matchAll(/\S+/g)].flatMap(({ 0: word, index: at }) => {
      const cut = 31 - (at % 31);
      return [word.slice(0, cut), word.slice(cut)].flatMap((text, part) =>
        text === '' ? [] : [{ x: 24.9 + 6.9 * (at + part * cut), y: 700 - 12 * row, text }],
      );
    }),
  );
  return makePdf(texts);
}

const TITLE = '1. TAXAS DE REFERENCIA EM METICAIS DO DIA 02 Setembro de 2026';
const HEADINGS = 'PAISES                 MOEDAS          COMPRA          VENDA      MEDIA';
const END = '3. OUTRAS INFORMACOES';
const lines = [
  TITLE,
  HEADINGS,
  'Estados Unidos(a)                       63,27           64,54     63,91',
  '2.1.1 Meticais por Unidade de Moeda',
  'Brasil       Real              12,30            12,49     12,39',
  'Zimbabwe      Dolar              160,30            170,49     167,39',
  'Atlantis      Dolar              1,30            1,49     1,39',
  '2.1.2 Meticais por 1000 Unidades de Moeda',
  'Malawi       Kwacha            36,85            37,59     37,22',
  END,
  'Ouro       USD              1.000,30            1.010,49     1.005,39',
];
const answers = (...printed: string[]) => ({
  [INDEX]: index,
  [LIST]: page(...links),
  [PDF]: bulletin(...printed),
});
const { reads, nothing, refuses } = casesOf(feed, '2026-09-02..2026-09-02');
reads('the middle rate by country, for one and for a thousand units', {
  given: answers(...lines),
  rates: ['2026-09-02 USD/MZN 63.91, BRL/MZN 12.39, MWK/MZN 0.03722'],
  sides: ['2026-09-02 USD/MZN 63.27 64.54', '2026-09-02 MWK/MZN 0.03685 0.03759'],
  skipped: { "Zimbabwe's figure, which is no currency's": 1, 'unknown name': 1 },
  count: 3,
});
const old = 'Brasil       Real              12,30            12,50';
reads('without a middle column the middle of both rates', {
  given: answers(TITLE, HEADINGS.replace('MEDIA', ''), old, END),
  rates: ['2026-09-02 BRL/MZN 12.4'],
});
nothing('no bulletin is listed for the window', answers(), '2026-09-05..2026-09-06');
reads('a misprinted bulletin costs itself, a link without a day and a missing rate are counted', {
  days: '2026-09-02..2026-09-03',
  given: {
    ...answers(...lines.map((line) => (line.startsWith('Brasil') ? line.slice(0, -5) : line))),
    [LIST]: page(...links, '/media/prub/taxas-do-c&#226;mbio-31092026.pdf'),
    'GET www.bancomoc.mz/media/abcd/taxas-do-câmbio-03092026.pdf': bulletin(...lines),
  },
  rates: ['2026-09-02 USD/MZN 63.91, MWK/MZN 0.03722'],
  unread: [/^2026-09-03..2026-09-03 .*it is of 2026-09-02, not 2026-09-03/],
  dropped: { malformed: 2 },
});
refuses([
  ['a list without bulletins', { [INDEX]: index, [LIST]: page() }, /lists no bulletin/],
  ['a changed layout', answers(TITLE, ...lines.slice(2)), /no headings/],
  ['a bulletin cut short', answers(...lines.slice(0, 6)), /no section 3/],
]);
