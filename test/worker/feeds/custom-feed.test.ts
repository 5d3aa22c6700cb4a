import { writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { isBlended, providerOf, providers } from '../../../core/domain/providers.js';
import { useSources } from '../../../core/sources/custom-sources.js';
import { loadFeed, loadFeeds } from '../../../worker/feeds/registry.js';
import { ownFolder } from '../../core/support.js';
import { type Answer, readFeed } from './support.js';

const folder = ownFolder();
afterEach(() => useSources({}));

async function describeSource(content: string, file = 'desk.yaml'): Promise<void> {
  await writeFile(folder(file), content);
  useSources({ SOURCES_DIR: folder() });
}
const describeReading = (path: string, how: object) => {
  const read = { url: `https://rates.example.com/${path}`, ...how };
  return describeSource(JSON.stringify({ key: 'DESK', name: 'Treasury desk', read }), 'desk.json');
};
const read = async (answers: Record<string, Answer>, days = '2026-03-02..2026-03-03') => {
  const places = Object.entries(answers).map(([place, one]) => [`GET rates.example.com/${place}`, one]);
  const { rows, ...reading } = await readFeed(await loadFeed('DESK'), days, Object.fromEntries(places));
  return { rows: rows.map((one) => one.join(' ')), ...reading };
};

const CSV = `
key: DESK
name: Treasury desk
schedule: "30 6 * * 1-5"
first_day: 2020-01-01
read:
  url: https://rates.example.com/rates.csv?from={from}&to={to}
  url_dates: DD.MM.YYYY
  headers: { authorization: Bearer secret }
  format: csv
  separator: ";"
  decimal_mark: ","
  columns: { date: Day, base: Currency, rate: Price, units: Per }
  quote: EUR
  date_form: DD.MM.YYYY
  missing: [n/a]
  empty: a weekend has the headings alone
`;
const HEADINGS = 'Note;Day;Currency;Price;Per\n';
const lines = (...given: string[]) => ({ 'rates.csv': HEADINGS + given.map((one) => `;${one}\n`).join('') });

describe('a source that the operator describes', () => {
  test('in CSV', async () => {
    await describeSource(CSV);
    const csv = lines('02.03.2026;USD;0,92;1', '02.03.2026;JPY;0,61;100', '03.03.2026;USD;n/a;1');
    const { rows, skipped, requests } = await read(csv);
    expect(rows).toEqual(['2026-03-02 USD EUR 0.92', '2026-03-02 JPY EUR 0.0061']);
    expect(skipped).toEqual({ 'no rate': 1 });
    expect(requests[0]?.query.get('from')).toBe('02.03.2026');
    expect(requests[0]?.headers.authorization).toBe('Bearer secret');
  });

  test('in CSV with the prices at which it buys and sells', async () => {
    await describeSource(CSV.replace('units: Per', 'units: Per, buy: Bid, sell: Ask'));
    const headings = HEADINGS.replace('\n', ';Bid;Ask\n');
    const body = `${headings};02.03.2026;JPY;0,61;100;0,60;0,62\n;03.03.2026;JPY;0,61;100;n/a;\n`;
    const { sides } = await read({ 'rates.csv': body });
    expect(sides).toEqual(['2026-03-02 JPY/EUR 0.006 0.0062', '2026-03-03 JPY/EUR - -']);
    await expect(read(lines('02.03.2026;USD;0,92;1'))).rejects.toThrow('Bid');
  });

  test('in CSV that may end without a line break if its length is announced', async () => {
    await describeSource(CSV);
    const body = `${HEADINGS};02.03.2026;USD;0,92;1`;
    const headers = { 'content-length': String(body.length) };
    expect((await read({ 'rates.csv': { body, headers } })).rows).toEqual(['2026-03-02 USD EUR 0.92']);
    const chunked = { body, headers: { 'transfer-encoding': 'chunked' } };
    await expect(read({ 'rates.csv': chunked })).rejects.toThrow('cut short');
  });

  test.each([
    ['utf16le', Buffer.from([0xff, 0xfe])],
    ['utf16be', Buffer.from([0xfe, 0xff])],
  ])('in CSV in %s, by its byte order mark', async (charset, mark) => {
    await describeSource(`${CSV}  charset: windows-1252\n`);
    const text = Buffer.from(`${HEADINGS};02.03.2026;USD;0,92;1\n`, 'utf16le');
    const body = Buffer.concat([mark, charset === 'utf16be' ? text.swap16() : text]);
    const headers = { 'content-type': 'text/csv; charset=utf-8' };
    expect((await read({ 'rates.csv': { body, headers } })).rows).toEqual(['2026-03-02 USD EUR 0.92']);
  });

  test('in steps of some days, or all at once', async () => {
    await describeSource(CSV);
    expect(await loadFeed('DESK')).not.toHaveProperty('backfillDays');
    await describeSource(CSV.replace('  format:', '  step_days: 2\n  format:'));
    expect(await loadFeed('DESK')).toMatchObject({ backfillDays: 2, firstDay: '2020-01-01' });
    const answer: Answer = ({ query }) => `${HEADINGS};${query.get('to')};USD;0,92;1\n`;
    const { rows } = await read({ 'rates.csv': answer }, '2026-03-02..2026-03-04');
    expect(rows).toEqual(['2026-03-03 USD EUR 0.92', '2026-03-04 USD EUR 0.92']);
  });

  test('in JSON, a request a day, prices the other way round', async () => {
    const columns = { date: 'on', quote: 'code', rate: 'mid' };
    const direction = { base: 'EUR', direction: 'base_per_quote' };
    await describeReading('{day}.json', { format: 'json', records: 'data/rates', columns, ...direction });
    const answer: Answer = ({ path }) =>
      JSON.stringify({ data: { rates: [{ on: path.slice(1, 11), code: 'GBP', mid: 1.15 }] } });
    const { rows } = await read({ '2026-03-02.json': answer, '2026-03-03.json': answer });
    expect(rows).toEqual(['2026-03-02 GBP EUR 1.15', '2026-03-03 GBP EUR 1.15']);
  });

  test('in XML, all that it has in one document', async () => {
    const columns = { date: '@on', base: '@code', rate: 'Mid' };
    await describeReading('all.xml', { format: 'xml', records: 'Rates/Day/Rate', columns, quote: 'USD' });
    const rate = (on: string, mid: number) => `<Rate on="${on}" code="EUR"><Mid>${mid}</Mid></Rate>`;
    const all = `<Rates><Day>${rate('2026-03-01', 1.1)}${rate('2026-03-02', 1.2)}</Day></Rates>`;
    expect((await read({ 'all.xml': all })).rows).toEqual(['2026-03-02 EUR USD 1.2']);
  });

  test.each([
    [
      'json',
      'all',
      '{"all":[{"on":"2026-03-02","code":"EUR","mid":1.2},{"on":"2026-03-03","code":"EUR","mid":1.3,"bid":1.2}]}',
    ],
    [
      'xml',
      'all/x',
      '<all><x on="2026-03-02" code="EUR" mid="1.2"/><x on="2026-03-03" code="EUR" mid="1.3" bid="1.2"/></all>',
    ],
  ])('in %s whose records need not have both sides', async (format, records, body) => {
    const at = format === 'xml' ? '@' : '';
    const columns = {
      date: `${at}on`,
      base: `${at}code`,
      rate: `${at}mid`,
      buy: `${at}bid`,
      sell: `${at}ask`,
    };
    await describeReading('all', { format, records, columns, quote: 'USD' });
    const { rows, sides } = await read({ all: body });
    expect(rows).toEqual(['2026-03-02 EUR USD 1.2', '2026-03-03 EUR USD 1.3']);
    expect(sides).toEqual(['2026-03-02 EUR/USD - -', '2026-03-03 EUR/USD 1.2 -']);
    await expect(read({ all: body.replaceAll('mid', 'middle') })).rejects.toThrow('mid');
  });

  test('is empty only where it says what that means', async () => {
    await describeSource(CSV);
    expect(await read(lines())).toMatchObject({ rows: [], noData: ['a weekend has the headings alone'] });
    await describeSource(CSV.replace(/ {2}empty.*\n/, ''));
    await expect(read(lines())).rejects.toThrow(/no records that hold a rate/);
  });

  test('is a provider, blended only if its file says so', async () => {
    const shipped = providers.length;
    await describeSource(CSV);
    expect(providers).toHaveLength(shipped + 1);
    const described = { pivot_currency: 'EUR', publish_cadence: 'daily', blend: false };
    expect(providerOf('DESK')).toMatchObject(described);
    expect(isBlended('DESK')).toBe(false);
    expect((await loadFeeds()).size).toBe(shipped + 1);
    await describeSource(`${CSV}blend: true\n`);
    expect(isBlended('DESK')).toBe(true);
    useSources({});
    expect(providers).toHaveLength(shipped);
    await expect(loadFeed('DESK')).rejects.toThrow('there is no provider DESK');
  });

  test.each([
    ['key: desk\nname: x', /desk.yaml: key: must be 2 to 16 capital letters/],
    ['key: DESK\nname: x\nschedule: often', /schedule: must be a cron expression/],
    ['key: DESK\nname: x\nperiod: month\nblend: true', /period: rates set for a period are never blended/],
    ['key: DESK\nname: x\ncolour: red', /Unrecognized key: "colour"/],
    [CSV.replace('quote: EUR', 'base: EUR'), /read.base: either base or columns.base/],
    [CSV.replace('https', 'file'), /read.url/],
    ['key: [', /neither YAML nor JSON/],
  ])('is refused with the file and the field at fault: %#', async (content, message) => {
    await expect(describeSource(content)).rejects.toThrow(message);
  });
});
