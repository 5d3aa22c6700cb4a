import { describe, expect, it } from 'vitest';
import { rules } from '../../../../core/domain/rules.js';
import { openRoutes } from '../routes/in-process.js';

const FIRST = '2026-10-01T09:00:00Z';
const EXAMPLE_ROWS = [
  'BOC 2026-03-13 USD/CAD 1.3716',
  'BOC 2026-03-16 USD/CAD 1.37',
  'ECB 2025-04-17 EUR/GBP 0.85873',
  'ECB 2025-04-22 EUR/GBP 0.86',
  'ECB 2026-02-18 EUR/USD 1.1845',
  'ECB 2026-02-19 EUR/USD 1.19',
  'ECB 2026-02-27 EUR/USD 1.1815',
  'ECB 2026-03-02 EUR/USD 1.1698',
  'ECB 2026-03-03 EUR/PLN 4.2',
  'ECB 2026-03-04 EUR/PLN 4.2588',
  'ECB 2026-03-05 EUR/PLN 4.3',
  'HMRC 2026-08-01 GBP/USD 1.3367',
  'INFOREURO 2026-09-01 EUR/USD 1.1643',
  'JPC 2002-01-06 USD/JPY 130.97',
  'NBP 2026-03-03 EUR/PLN 4.2',
  'NBP 2026-03-04 EUR/PLN 4.2685',
  'NBP 2026-03-05 EUR/PLN 4.3',
];
const { ask, json } = openRoutes({ recorded: [{ at: FIRST, rows: EXAMPLE_ROWS }], now: FIRST });
const queryOf = (input: object, rule: string) => new URLSearchParams({ ...input, rule });

describe('the worked example', () => {
  const examples = rules.flatMap(({ id, pick, citation, source, examples }) =>
    pick === 'mean' ? [] : examples.map((example) => ({ id, citation, source, ...example })),
  );
  it.each(examples)('of $id is answered', async ({ id, citation, source, input, output }) => {
    const { base, quote, ...asked } = input;
    const found = await json(`/v2/convert/${base}/${quote}?${queryOf(asked, id)}`);
    expect(found).toMatchObject({ ...output, rule: { id, citation, source } });
    const { amount: _, ...day } = asked;
    expect(await json(`/v2/rate/${base}/${quote}?${queryOf(day, id)}`)).toMatchObject({
      date: output.observed,
      rate: output.rate,
      rule: { id, citation, source },
    });
  });
});

it('debug', async () => {
  for (const q of ['/v2/convert/USD/EUR?amount=10000&date=2026-03-10&rule=eu-customs', '/v2/rate/GBP/USD?date=2026-08-15&rule=uk-vat', '/v2/rate/USD/EUR?date=2026-10-01&rule=eu-vat', '/v2/rate/USD/EUR?date=2026-02-14&rule=eu-oss','/v2/rate/USD/GBP?date=2026-10-01&rule=uk-vat','/v2/rate/AED/EUR?date=2026-10-01&rule=eu-vat','/v2/rate/USD/EUR?rule=eu-vat','/v2/rate/USD/EUR?rule=eu-grant','/v2/rate/USD/EUR?rule=de-vat', '/v2/rate/USD/EUR?rule=eu-customs&date=2010-01-01&from=2020-01-01', '/v2/rate/USD/EUR?rule=eu-customs&date=2010-01-01','/v2/rate/USD/EUR?rule=eu-foo','/v2/rate/USD/EUR?from=2020-01-01', '/v2/rate/USD/EUR?rule=eu-grant&from=2026-02-18&to=2026-03-02', '/v2/rate/USD/EUR?rule=eu-grant&from=2026-02-18&to=2026-04-02', '/v2/rate/USD/EUR.txt?rule=eu-grant&from=2026-02-18&to=2026-03-02'])  {
    const a = await ask(q, {headers: {accept: q.includes('debug') ? 'text/csv' : 'application/json'}});
    console.log(q, a.status, a.text, a.message);
  }
  console.log((await ask('/v2/rate/GBP/USD?date=2026-08-15&rule=uk-vat', {headers: {accept: 'text/csv'}})).text)
  console.log((await ask('/v2/convert/GBP/USD?amount=1&date=2026-08-15&rule=uk-vat&expand=receipt', {headers: {accept: 'text/csv'}})).text)
  console.log((await ask('/v2/rate/GBP/USD?date=2026-08-15&rule=uk-vat&expand=receipt', {headers: {accept: 'application/x-ndjson'}})).text)
});
