import { expect, it } from 'vitest';
import { addressWith } from '../../../src/parameters/addresses.js';
import { hintForPath } from '../../../src/parameters/hints.js';
import { processorMs } from '../../support/processor-time.js';
import { someRates } from '../../support/rates.js';
import { sharedApi } from '../../support/shared.js';
import { ask } from '../http/support.js';

const paths = [
  ...['/v2/rates', '/v2/rates.csv', '/v2/rate/:base/:quote', '/v2/rate/:base/:quote.txt'],
  ...['/v2/convert/:base/:quote', '/v2/coverage', '/v2/currencies', '/v2/currency/:code', '/v2/providers'],
  ...['/v2/providers/:key', '/v2/providers/:key/rates', '/v1/latest', '/weather/current', '/status', '/no'],
];

const MOVED = { status: 308, body: Buffer.alloc(0) };
const hintFor = (target: string) => hintForPath(target, paths);

it.each<[address: string, targets: string[]]>([
  ['/v2/rates', ['/latest', '/api/latest', '/api/latest.json', '/v2/latest', '/v2/latest/']],
  ['/v2/rates?base=USD', ['/api/latest/usd']],
  ['/v2/rates?base=USD&quotes=EUR,GBP', ['/latest.json?app_id=x&base=usd&symbols=EUR,gbp']],
  ['/v2/rates?base=EUR&quotes=USD', ['/latest?from=EUR&to=USD']],
  ['/v2/rates?base=USD&quotes=EUR', ['/live?source=USD&currencies=EUR']],
  ['/v2/rates?date=2026-03-02', ['/2026-03-02', '/v2/2026-03-02']],
  ['/v2/rates?date=2026-03-02', ['/historical/2026-03-02.json', '/historical?date=2026-03-02']],
  ['/v2/rates?quotes=USD&date=2026-03-02', ['/2026-03-02?symbols=USD']],
  ['/v2/rates?from=2026-03-02&to=2026-03-06', ['/2026-03-02..2026-03-06']],
  ['/v2/rates?from=2026-03-02', ['/2026-03-02..']],
  ['/v2/rates?from=2026-03-02&to=2026-03-06', ['/timeseries?start_date=2026-03-02&end_date=2026-03-06']],
  ['/v2/rates?base=CHF&from=2026-03-02', ['/timeseries?start_date=2026-03-02&base=CHF']],
  ['/v2/rates?from=2026-01-01', ['/time-series.json']],
  ['/v2/rates?from=2026-03-02&group=range&expand=stats', ['/fluctuation?start_date=2026-03-02']],
  ['/v2/convert/EUR/USD?amount=1', ['/convert']],
  ['/v2/convert/EUR/USD?amount=2.5', ['/v2/convert?from=EUR&to=USD&amount=2.5']],
  ['/v2/convert/CHF/JPY?amount=1&date=2026-03-02', ['/convert?from=CHF&to=JPY&amount=1&date=2026-03-02']],
  ['/v2/convert/EUR/SEK?amount=100', ['/convert/100/EUR/SEK']],
  ['/v2/convert/CHF/USD?amount=1', ['/v2/convert/CHF?to=USD']],
  ['/v2/currencies', ['/currencies.json', '/symbols', '/currencies']],
  ['/v2/rates?base=EUR', ['/v6/0123456789abcdef/latest/EUR', '/v1/currencies/eur.json']],
  ['/v2/convert/EUR/USD?amount=10', ['/v6/0123456789abcdef/pair/EUR/USD/10']],
  ['/v2/rates?base=USD', ['/v4/latest/usd']],
  ['/v2/rate/EUR/USD', ['/v1/currencies/eur/usd.min.json', '/EURUSD', '/v2/EUR/USD']],
  ['/openapi.json', ['/swagger.json']],
  ['/v2', ['/api', '/api/v1']],
  ['/health/ready', ['/readyz']],
  ['/v2/rate/EUR/USD?date=2026-03-02', ['/pair/EUR/USD?date=2026-03-02']],
])('%s is the address here for paths of other services: %j', (address, targets) => {
  for (const target of targets) expect([target, hintFor(target)]).toEqual([target, address]);
});

it.each([
  ['/v2/rate', '/v2/rates'],
  ['/v2/rate/CHF', '/v2/rates?base=CHF'],
  ['/v2/rates/CHF', '/v2/rates?base=CHF'],
  ['/v2/rates/latest', '/v2/rates'],
  ['/v2/rates/2026-03-02', '/v2/rates?date=2026-03-02'],
  ['/v2/rates/CHF/USD', '/v2/rate/CHF/USD'],
  ['/v2/rates/x/USD', '/v2/rate/EUR/USD'],
  ['/v2/currency', '/v2/currency/EUR'],
  ['/v3/rates', '/v2/rates'],
  ['/rates', '/v2/rates'],
  ['/rate/EUR/CHF', '/v2/rate/EUR/CHF'],
  ['/api/v2/rates', '/v2/rates'],
  ['/api/v2/coverage', '/v2/coverage'],
  ['/v2/coverge', '/v2/coverage'],
  ['/v2//providers//ECB/rate', '/v2/providers/ECB/rates'],
  ['/v2/provider', '/v2/providers'],
  ['/wether/current', '/weather/current'],
  ['/staus', '/status'],
  // Nothing is shown of a target that can not stand in an address.
  ['/latest?base=%3Cb%3E&symbols=USD,%22', '/v2/rates'],
  ['/latest?base=USD,EUR', '/v2/rates?base=USD'],
  [`/latest?base=USD&x=${'a'.repeat(400)}`, '/v2/rates'],
  ['/v3/providers/%3Cb%3E', '/v2/providers/ECB'],
])('the address for %s, which is nearly a path, is %s', (target, address) => {
  expect(hintFor(target)).toBe(address);
});

it.each([
  ...['/', '/nope', '/robots', '/v2/nothing/of/that', '/v3/anything', '/wp-login.php'],
  ...['/v2/coverge%3Cb%3E', '/v2/rates/../../etc/passwd', `/latest${'/'.repeat(10)}${'a'.repeat(400)}`],
  ...['/random', '/foo/bar', '/a'.repeat(50_000), `/v2/${'a'.repeat(100_000)}`],
])('there is no address for %.80s', (target) => {
  expect(hintFor(target)).toBeUndefined();
});

it('an address for a long path is looked for soon, among many paths', () => {
  const many = Array.from({ length: 200 }, (_, at) => `/v2/some${at}/:base/other${at}`);
  const started = processorMs();
  for (const part of ['a', '/', '-', '[', '/rates', '1.', 'EUR,'])
    expect(hintForPath(`/${part.repeat(30_000)}?${part.repeat(30_000)}=EUR`, many)).toBeUndefined();
  expect(processorMs() - started).toBeLessThan(500);
});

const SEK = '/v2/rates?base=chf&quotes=SEK,NOK&date=2026-03-02';
const [RECEIPT, RANGE] = ['/v2/rate/EUR/USD?expand=receipt', '/v2/rates?from=2026-01-01'];
it.each([
  [RECEIPT, '/v2/rates?expand=receipt', RECEIPT],
  [RECEIPT, SEK, '/v2/rate/CHF/SEK?date=2026-03-02&expand=receipt'],
  [RANGE, '/v2/rate/eur/usd?start=2026-03-02&group=week', '/v2/rates?base=EUR&quotes=USD&from=2026-03-02'],
  [RANGE, '/v2/rate/EUR/USD?to=2026-03-02', '/v2/rates?base=EUR&quotes=USD&from=2026-01-01&to=2026-03-02'],
  ['/v2/convert/EUR/USD?amount=1', '/v2/rates?amount=1e9;&base=x', '/v2/convert/EUR/USD?amount=1'],
  ['/v2/convert/EUR/USD?amount=1', `${SEK}&value=-2.5`, '/v2/convert/CHF/SEK?amount=-2.5&date=2026-03-02'],
  ['/v2/currencies', SEK, '/v2/currencies'],
])('%s has what is asked for at %s', (example, target, address) => {
  expect(addressWith(example, target)).toBe(address);
});

it.each([
  ['/v2/provider/ECB', '/v2/providers/ECB'],
  ['/v2/currencies/eur?x=a%20b', '/v2/currency/eur?x=a%20b'],
  ['/v2/currencies/%0D%0Aset-cookie:x', '/v2/currency/%0D%0Aset-cookie%3Ax'],
  ['/v2/provider/%2F%2Fexample.org', '/v2/providers/%2F%2Fexample.org'],
])('%s, which is easily taken for another path, leads to %s for good', async (path, location) => {
  const { url } = await sharedApi(someRates('2026-03-16'), { now: '2026-03-20T18:00:00Z' });
  for (const method of ['GET', 'HEAD'])
    expect(await ask(url + path, { method })).toMatchObject({ ...MOVED, headers: { location } });
});
