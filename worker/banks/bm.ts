import {
  type Feed,
  FeedError,
  mismatch,
  noData,
  oneOfMany,
  type Reading,
  ratesFrom,
  sidesOf,
  skipped,
} from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { datedBulletins } from '../feeds/toolbox/bulletins.js';
import { dateOrNone } from '../feeds/toolbox/dates.js';
import { htmlPage, linksOf } from '../feeds/toolbox/html.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { type PdfLine, pdfLines } from '../feeds/toolbox/pdf.js';

const SITE = 'https://www.bancomoc.mz';
const INDEX = `${SITE}/pt/areas-de-actuacao/mercados/mercado-cambial/`;
const LIST = /^\/pt\/tabelas-de-taxas-de-cambio-de-referencia-diarias\/(\d{4})-(\d{4})\/$/;
const BULLETIN = /^\/media\/.*\D(\d{8})\.pdf$/;
const STEP_DAYS = 60;

/** The form is monospaced: the width of a character and the start of the lines, in points. */
const CHARACTER = 6.9;
const LEFT = 24.9;

const CODES: Readonly<Record<string, string>> = {
  'Estados Unidos': 'USD',
  'Àfrica do Sul': 'ZAR',
  Botswana: 'BWP',
  eSwatini: 'SZL',
  Swazilândia: 'SZL',
  Mauricias: 'MUR',
  Zâmbia: 'ZMW',
  Malawi: 'MWK',
  Tanzânia: 'TZS',
  Japão: 'JPY',
  Brasil: 'BRL',
  Canada: 'CAD',
  'China/Offshore': 'CNH',
  China: 'CNY',
  Dinamarca: 'DKK',
  Inglaterra: 'GBP',
  Noruega: 'NOK',
  Suécia: 'SEK',
  Suíça: 'CHF',
  'União Europeia': 'EUR',
};

/**
 * Banco de Moçambique: the middle rate in meticais, for one or a thousand units, from the daily bulletin, a PDF that is
 * linked in lists of several years. Until October 2020 it only has a buying and a selling rate.
 */
export const feed: Feed = {
  key: 'BM',
  reading: 2,
  dayByDay: true,
  backfillDays: STEP_DAYS,

  async *read(window, { http, navigation }) {
    const index = await navigation.get(INDEX);
    const lists = linksOf(htmlPage(index), LIST).map(([path, one, other]) => ({
      path,
      first: Math.min(Number(one), Number(other)),
      last: Math.max(Number(one), Number(other)),
    }));
    if (lists.length === 0) throw new FeedError(`${index.url}: links no list: blocked, moved or redesigned`);
    const newest = Math.max(...lists.map(({ last }) => last));
    const [from, to] = [window.from, window.to].map((day) => Number(day.slice(0, 4))) as [number, number];
    const bulletins = new Map<string, string>();
    let list: HttpAnswer | undefined;
    // The list of the newest years is continued by the next one.
    for (const { path, first, last } of lists.filter(
      (one) => one.first <= to && (one.last >= from || one.last === newest),
    )) {
      list = await navigation.get(SITE + path);
      const links = linksOf(htmlPage(list), BULLETIN);
      if (links.length === 0) throw new FeedError(`${list.url}: lists no bulletin of ${first} to ${last}`);
      const entries = links.map(([link, day = '']) => ({ day, path: new URL(link, SITE).href }));
      for (const { date, path: address } of datedBulletins(entries, 'DDMMYYYY', list))
        if (!bulletins.has(date)) bulletins.set(date, address);
    }
    if (!list) throw new FeedError(`${index.url}: links no list of ${from} to ${to}`);
    const wanted = [...bulletins].filter(([date]) => date >= window.from && date <= window.to).sort();
    if (wanted.length === 0) yield noData(list, 'no bulletin is listed for the window');
    for (const [date, address] of wanted) {
      yield await oneOfMany({ from: date, to: date }, async () => ratesOf(await http.get(address), date));
    }
  },
};

async function ratesOf(response: HttpAnswer, date: string): Promise<Reading> {
  const lines = (await pdfLines(response)).map(inColumns);
  const printed = /DO DIA +(\d{1,2}) +(?:de +)?(\p{L}+) +de +(\d{4})/iu.exec(
    lines.map((line) => line.trim()).join(' '),
  );
  const headline = printed && dateOrNone(printed.slice(1).join(' '), 'D Mon YYYY');
  if (headline !== null && headline !== date) return mismatch(response, `it is of ${headline}, not ${date}`);
  const heading = lines.find((line) => /COMPRA +VENDA/i.test(line));
  if (heading === undefined) throw new FeedError(`${response.url}: no headings COMPRA and VENDA: redesigned`);
  const figures = /VENDA +M[ÉE]DIA/i.test(heading) ? 3 : 2;
  const end = lines.findIndex((line) => /^\s*3\. +OUTRAS INFORMA/i.test(line));
  if (end < 0) throw new FeedError(`${response.url}: no section 3 below the rates: cut short or redesigned`);
  let units = 1;
  const records: { country: string; prices: number[]; units: number }[] = [];
  for (const line of lines.slice(0, end)) {
    const nominal = /Meticais +por +(1000 +)?Unidades?\b/i.exec(line);
    if (nominal) units = nominal[1] === undefined ? 1 : 1000;
    const [, label = '', prices] = /^ *(\D.*?)((?: +[\d.]+,\d+)+) *$/u.exec(line) ?? [];
    if (prices === undefined) continue;
    const country = label.split(/ {2,}/)[0] ?? '';
    records.push({
      country: country.replace(/\s*\(\w\)$/, '').trim(),
      prices: prices
        .trim()
        .split(/ +/)
        .map((price) => numberOf(price, ',')),
      units,
    });
  }
  return ratesFrom(response, { from: date, to: date }, records, ({ country, prices, units }) => {
    // About 167 meticais for a thousand since 2019, which matches neither the old nor the new dollar.
    if (country.startsWith('Zimbab')) return skipped("Zimbabwe's figure, which is no currency's");
    if (prices.length !== figures)
      throw new FeedError(`${prices.length} figures for ${country}, not ${figures}`);
    const [buying = 0, selling = 0, mid] = prices;
    if (mid !== undefined && (mid < buying || mid > selling))
      throw new FeedError(`${mid} is not between ${buying} and ${selling}`);
    const { rate = 0, ...sides } = sidesOf(buying, selling);
    return { date, base: CODES[country], quote: 'MZN', ...sides, rate: mid ?? rate, units };
  });
}

/** The line as typed. Its pieces start at their columns, and may be split within a word. */
function inColumns({ pieces }: PdfLine): string {
  return pieces.reduce((line, { x, text }) => line.padEnd(Math.round((x - LEFT) / CHARACTER)) + text, '');
}
