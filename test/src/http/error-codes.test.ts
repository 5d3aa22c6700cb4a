import { beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../../src/http/errors.js';
import { read } from '../../docs/support.js';
import { sharedApi } from '../../support/shared.js';
import { rowsOf } from '../rates/sources/in-memory.js';

describe('the code of an error', () => {
  let url: string;
  beforeAll(async () => {
    const rows = rowsOf(['ECB 2026-03-19 EUR/USD 1.15', 'ECB 2026-03-20 EUR/USD 1.16']);
    ({ url } = await sharedApi(rows, { now: '2026-03-20T18:00:00Z' }));
  });

  it.each([
    ['/v2/rates?base=ZZZ', 422, 'unknown_currency'],
    ['/v2/rates?quotes=USD,ZZZ', 422, 'unknown_currency'],
    ['/v2/rates?base=ZZZ&quotes=XXY', 422, 'unknown_currency'],
    ['/v2/coverage?base=ZZZ', 422, 'unknown_currency'],
    ['/v2/revisions?quotes=ZZZ', 422, 'unknown_currency'],
    ['/v2/suspects?quotes=ZZZ', 422, 'unknown_currency'],
    ['/v2/rate/ZZZ/USD', 404, 'unknown_currency'],
    ['/v2/rate/EUR/ZZZ.txt', 404, 'unknown_currency'],
    ['/v2/providers/ECB/rate/EUR/ZZZ', 404, 'unknown_currency'],
    ['/v2/convert/EUR/ZZZ?amount=1', 404, 'unknown_currency'],
    ['/v2/currency/ZZZ', 404, 'unknown_currency'],
    ['/v2/currency/KPW', 404, 'unknown_currency'],
    ['/sdmx/data/EXR/D.ZZZ.EUR.SP00.A', 422, 'unknown_currency'],
    ['/v2/rates?providers=ZZZ', 422, 'unknown_provider'],
    ['/v2/rates?exclude=ZZZ', 422, 'unknown_provider'],
    ['/v2/rate/EUR/USD?providers=ZZZ', 422, 'unknown_provider'],
    ['/v2/currencies?providers=ZZZ', 422, 'unknown_provider'],
    ['/v2/providers/ZZZ', 404, 'unknown_provider'],
    ['/v2/providers/ZZZ/rates', 404, 'unknown_provider'],
    ['/v2/providers/ZZZ/rate/EUR/USD', 404, 'unknown_provider'],
    ['/v2/rate/EUR/KPW', 404, 'no_rates'],
    ['/v2/rate/EUR/USD?date=1950-01-01', 404, 'no_rates'],
    ['/v2/convert/EUR/KPW?amount=1', 404, 'no_rates'],
    ['/v2/rates?shape=v1&quotes=KPW', 404, 'no_rates'],
    ['/v2/rates?base=ZZZ&providers=ZZZ', 422, 'invalid_parameter'],
    ['/v2/rates?base=ZZZ&date=2026-02-30', 422, 'invalid_parameter'],
    ['/v2/rates?qoutes=USD', 422, 'invalid_parameter'],
    ['/v2/convert/EUR/USD', 422, 'invalid_parameter'],
    ['/weather/search', 400, 'invalid_parameter'],
    ['/v2/rates?base=%E0%A4%A', 400, 'invalid_request'],
    ['/nope', 404, 'not_found'],
    ['/v2/publication', 404, 'not_found'],
    ['/mcp', 405, 'method_not_allowed'],
    ['/v1/latest?base=ZZZ', 404, undefined],
    ['/v1/blend/latest?amount=-1', 422, undefined],
    ['/v1/a/b', 404, undefined],
  ])('of %s, a %i, is %s', async (target, status, code) => {
    const response = await fetch(url + target, { headers: { accept: 'application/json' } });
    const body = (await response.json()) as { code?: string };
    expect([response.status, body.code]).toEqual([status, code]);
  });

  it('is in docs/errors.md', () => {
    const [, table = ''] = /^\| code \| meaning \|\n(.*?)\n\n/ms.exec(read('docs/errors.md')) ?? [];
    const listed = table.split('\n').flatMap((row) => row.split('|')[1]?.match(/\w+_?\w+/g) ?? []);
    expect(listed.toSorted()).toEqual(ERROR_CODES.toSorted());
  });
});
