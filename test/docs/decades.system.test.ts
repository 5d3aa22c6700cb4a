import { beforeAll, describe, expect, it } from 'vitest';
import { shippedRatesFolder } from '../../core/process/project-files.js';
import { unzip } from '../../worker/feeds/toolbox/workbook.js';
import { readShippedTables, shippedRows } from '../../worker/import/shipped-rates.js';
import { breaking } from '../src/pages/support.js';
import { firstStart } from './support.js';

describe('on a first start', () => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await firstStart());
  }, 180_000);

  /** The rates of the European Central Bank by day, and their number. */
  async function ratesOfBank() {
    const table = (await readShippedTables(shippedRatesFolder)).find(({ provider }) => provider === 'ECB');
    const published: Record<string, Record<string, number>> = {};
    const rows = table ? [...shippedRows(table, '1999-01-01', '2026-04-17')] : [];
    for (const { date, quote, rate } of rows) published[date] = { ...published[date], [quote]: rate };
    return { published, rows };
  }

  it('/v1 has every rate of the European Central Bank since 1999', async () => {
    const { published, rows } = await ratesOfBank();
    const response = await fetch(`${url}/v1/1999-01-04..2026-04-16`);
    expect(((await response.json()) as { rates: unknown }).rates).toEqual(published);
    expect(rows).toHaveLength(217_642);
  });

  it("/ecb has the bank's history as its own files have it", async () => {
    const { published } = await ratesOfBank();
    const files = `${url}/ecb/stats/eurofxref/eurofxref-hist`;
    const archive = new Uint8Array(await (await fetch(`${files}.zip`)).arrayBuffer());
    const csv = String((await unzip(archive, /./)).get('eurofxref-hist.csv'));
    const [, ...codes] = csv.slice(0, csv.indexOf(',\n')).split(',');
    const days = Object.entries(published).sort(([one], [other]) => (one < other ? 1 : -1));
    const lines = days.map(([date, rates]) => [date, ...codes.map((code) => rates[code] ?? 'N/A')].join());
    expect(csv.split(',\n')).toEqual([['Date', ...codes].join(), ...lines, '']);
    expect(codes).toHaveLength(41);
    const xml = await (await fetch(`${files}.xml`)).text();
    const cubes = days.map(([date, rates]) => {
      const quoted = codes.filter((code) => rates[code] !== undefined);
      return `<Cube time="${date}">${quoted.map((code) => `<Cube currency="${code}" rate="${rates[code]}"/>`).join('')}</Cube>`;
    });
    expect(xml.slice(xml.indexOf('<Cube><Cube ')).split('\n')).toEqual(
      `<Cube>${cubes.join('\n')}</Cube></gesmes:Envelope>`.split('\n'),
    );
  });

  it('the currencies that the euro replaced are pegged to it from its first day', async () => {
    const rates = async (query: string) => {
      const response = await fetch(`${url}/v2/rates.csv?header=off&${query}`);
      return (await response.text()).trimEnd().split('\n');
    };
    const old = 'ATS,BEF,DEM,ESP,FIM,FRF,IEP,ITL,LUF,NLG,PTE';
    const row = (currency: string, rate: number) => `1999-01-04,EUR,${currency},${rate}`;
    expect(await rates(`base=EUR&quotes=${old}&from=1999-01-04&to=1999-01-04`)).toEqual([
      ...[
        row('ATS', 13.7603),
        row('BEF', 40.3399),
        row('DEM', 1.95583),
        row('ESP', 166.386),
        row('FIM', 5.94573),
      ],
      ...[row('FRF', 6.55957), row('IEP', 0.787564), row('ITL', 1936.27), row('LUF', 40.3399)],
      ...[row('NLG', 2.20371), row('PTE', 200.482)],
    ]);
    expect(await rates('base=EUR&quotes=GRD&date=2001-01-02')).toEqual(['2001-01-02,EUR,GRD,340.75']);
    const [lira, ...others] = await rates('base=DEM&quotes=ITL&date=1999-01-04');
    expect([lira?.slice(0, 19), others]).toEqual(['1999-01-04,DEM,ITL,', []]);
    expect(Number(lira?.slice(19))).toBeCloseTo(1936.27 / 1.95583, 2);
  });

  it('/v2/rates has all days since 1971', async () => {
    const response = await fetch(`${url}/v2/rates.csv?base=USD&from=1971-01-01&quotes=GBP,EUR,DEM`);
    const lines = (await response.text()).trimEnd().split('\n').slice(1);
    const days = (quote: string) =>
      lines.filter((line) => line.includes(`,${quote},`)).map((line) => line.slice(0, 10));
    const ends = ['GBP', 'EUR', 'DEM'].map((quote) => [days(quote).at(0), days(quote).at(-1)]);
    expect(ends).toEqual([
      ['1971-01-04', '2026-04-16'],
      ['1999-01-04', '2026-04-16'],
      ['1981-01-01', '2001-12-31'],
    ]);
  });

  it('the errors of the sources themselves are held back, as rates that shipped', async () => {
    const response = await fetch(`${url}/v2/suspects?status=held&limit=1000`);
    const held = (await response.json()) as Record<string, unknown>[];
    const shipped = held.filter((one) => one.shipped === true);
    const named = shipped.map(({ provider, date, quote }) => `${provider} ${date} ${quote}`);
    expect(named).toEqual(
      expect.arrayContaining([
        'FRED 1985-05-14 DKK',
        'FRED 1985-08-26 DKK',
        'FRED 2000-11-28 DKK',
        'SBI 1985-05-30 ISK',
      ]),
    );
  });

  it('the page of a source and the receipt of its rate say that they shipped', async () => {
    const page = await fetch(`${url}/provider/SBI`, { headers: { accept: 'text/html' } });
    expect(breaking(await page.text())).toContain(
      'Never by this server. Its rates were supplied with Almanac.',
    );
    const question = '/v2/rate/EUR/USD?date=2020-02-03&providers=ECB&expand=receipt';
    const { receipt } = (await (await fetch(url + question)).json()) as {
      receipt: { inputs: { evidence: { url: string }[] }[] };
    };
    const urls = receipt.inputs.flatMap(({ evidence }) => evidence.map((one) => one.url));
    expect(urls).toEqual(['shipped:ECB.csv.gz']);
  });
});
