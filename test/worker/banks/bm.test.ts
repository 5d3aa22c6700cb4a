import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bm.js';
import { blockedPage, makePdf, readFeed } from '../feeds/support.js';

const INDEX = 'GET www.bancomoc.mz/pt/areas-de-actuacao/mercados/mercado-cambial/';
const LISTS = '/pt/tabelas-de-taxas-de-cambio-de-referencia-diarias';
const LIST = `GET www.bancomoc.mz${LISTS}/2026-2025/`;
const PDF = 'GET www.bancomoc.mz/media/prub/taxas-do-câmbio-02092026.pdf';
const DAY = '2026-09-02..2026-09-02';
const page = (...links: string[]) =>
  `<!DOCTYPE html><html><body>${links.map((link) => `<a href="${link}">x</a>`).join('')}</body></html>`;
const index = page(`${LISTS}/2026-2025/`, `${LISTS}/2022-2024/`);
const list = page(
  '/media/abcd/taxas-do-c&#226;mbio-03092026.pdf',
  '/media/prub/taxas-do-c&#226;mbio-02092026.pdf',
);

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
const answers = (pdf: Uint8Array) => ({ [INDEX]: index, [LIST]: list, [PDF]: pdf });

test('the middle rate by country, for one and for a thousand units', async () => {
  const { rows, skipped, requests } = await readFeed(feed, DAY, answers(bulletin(...lines)));
  expect(rows).toEqual([
    ['2026-09-02', 'USD', 'MZN', 63.91],
    ['2026-09-02', 'BRL', 'MZN', 12.39],
    ['2026-09-02', 'MWK', 'MZN', 0.03722],
  ]);
  expect(skipped).toEqual({ "Zimbabwe's figure, which is no currency's": 1, 'unknown name': 1 });
  expect(requests).toHaveLength(3);
});

test('without a middle column the middle of both rates', async () => {
  const old = [
    TITLE,
    HEADINGS.replace('MEDIA', ''),
    'Brasil       Real              12,30            12,50',
    END,
  ];
  expect((await readFeed(feed, DAY, answers(bulletin(...old)))).rows).toEqual([
    ['2026-09-02', 'BRL', 'MZN', 12.4],
  ]);
});

test('a window without bulletins is empty', async () => {
  const { rows, noData } = await readFeed(feed, '2026-09-05..2026-09-06', { [INDEX]: index, [LIST]: list });
  expect(rows).toEqual([]);
  expect(noData).toEqual(['no bulletin is listed for the window']);
});

test('a rate that is missing is counted', async () => {
  const missing = lines.map((line) => (line.startsWith('Brasil') ? line.slice(0, -5) : line));
  expect(await readFeed(feed, DAY, answers(bulletin(...missing)))).toMatchObject({
    rows: [
      ['2026-09-02', 'USD', 'MZN', 63.91],
      ['2026-09-02', 'MWK', 'MZN', 0.03722],
    ],
    skipped: { malformed: 1 },
  });
});

test.each([
  ['a blocked page', { [INDEX]: blockedPage }, /links no list/],
  ['a list without bulletins', { [INDEX]: index, [LIST]: page() }, /lists no bulletin/],
  ['a page for a bulletin', { [INDEX]: index, [LIST]: list, [PDF]: blockedPage }, /no PDF/],
  ['a changed layout', answers(bulletin(TITLE, ...lines.slice(2))), /no headings/],
  ['a bulletin cut short', answers(bulletin(...lines.slice(0, 6))), /no section 3/],
  [
    'a bulletin of another day',
    answers(bulletin(TITLE.replace('02', '01'), ...lines.slice(1))),
    /of 2026-09-01/,
  ],
  ['a bulletin without rates', answers(bulletin(TITLE, HEADINGS, END)), /no records that hold a rate/],
])('%s is an error', async (_, given, message) => {
  await expect(readFeed(feed, DAY, given)).rejects.toThrow(message);
});

test('a misprinted bulletin costs itself, and a link without a day is counted', async () => {
  const { rows, dropped, unread } = await readFeed(feed, '2026-09-02..2026-09-03', {
    ...answers(bulletin(...lines)),
    [LIST]: page(
      '/media/abcd/taxas-do-c&#226;mbio-03092026.pdf',
      '/media/prub/taxas-do-c&#226;mbio-02092026.pdf',
      '/media/prub/taxas-do-c&#226;mbio-31092026.pdf',
    ),
    'GET www.bancomoc.mz/media/abcd/taxas-do-câmbio-03092026.pdf': bulletin(...lines),
  });
  expect(new Set(rows.map(([date]) => date))).toEqual(new Set(['2026-09-02']));
  expect(unread).toEqual([
    expect.stringMatching(/^2026-09-03..2026-09-03 .*it is of 2026-09-02, not 2026-09-03/),
  ]);
  expect(dropped).toEqual({ malformed: 1 });
});
