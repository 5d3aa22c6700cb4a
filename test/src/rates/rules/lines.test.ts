import { describe, expect, it } from 'vitest';
import { openRoutes } from '../routes/in-process.js';

const NOW = '2026-09-01T18:00:00Z';
const rows = [
  ...['ECB 2025-01-02 EUR/GBP 0.83118', 'ECB 2025-01-03 EUR/GBP 0.82993', 'ECB 2026-02-18 EUR/USD 1.1845'],
  ...['ECB 2026-03-04 EUR/USD 1.2', 'ECB 2026-03-05 EUR/USD 1.25', 'ECB 2026-03-31 EUR/USD 1.3'],
  ...['NBP 2026-03-04 EUR/PLN 4.2685', 'NBP 2026-03-05 EUR/PLN 4.3', 'HMRC 2026-08-01 GBP/USD 1.3367'],
];
const { ask, json, reads } = openRoutes({ recorded: [{ at: NOW, rows }], now: NOW });

const LINE = { amount: '1000', base: 'USD', quote: 'EUR' };
interface Converted {
  observed?: string;
  rate?: number;
  rule?: { id: string; day: string; source: string };
  error?: string;
}
const convert = (lines: readonly object[], query = '') =>
  json<Converted[]>(`/v2/convert${query}`, {
    body: JSON.stringify(lines.map((line) => ({ ...LINE, ...line }))),
  });

describe('a line with a rule', () => {
  it('is converted as the same request for one amount, whatever rules the others have', async () => {
    const lines = [
      { date: '2026-03-10', rule: 'eu-customs' },
      { date: '2026-03-05', rule: 'pl-vat', base: 'EUR', quote: 'PLN' },
      { date: '2026-08-15', rule: 'UK-VAT', quote: 'GBP' },
      { date: '2026-03-01', rule: 'eu-oss' },
      { date: '2026-02-20', rule: 'eu-oss', period: 'month' },
      { from: '2025-01-01', to: '2025-01-03', rule: 'eu-grant', base: 'GBP' },
    ];
    const single = lines.map(({ rule, ...line }) => {
      const { amount, base, quote, ...asked } = { ...LINE, ...line };
      const query = new URLSearchParams({ ...asked, amount, rule: rule.toLowerCase() });
      return json<Converted>(`/v2/convert/${base}/${quote}?${query}`);
    });
    const expected = await Promise.all(single);
    expect(expected.map(({ rule }) => rule?.source)).toEqual(['ECB', 'NBP', 'HMRC', 'ECB', 'ECB', 'ECB']);
    reads.length = 0;
    expect(await convert(lines)).toEqual(expected);
    expect(reads.filter((read) => 'provider' in read)).toEqual(
      ['ECB', 'NBP', 'HMRC'].map((provider) => expect.objectContaining({ provider })),
    );
  });

  it('says of its rate what a request for one amount says', async () => {
    const date = '2026-03-05';
    const faults: [line: object, error: unknown][] = [
      [{ rule: 'eu-vat' }, 'rule=eu-vat needs date: add the day that the law counts from'],
      [{ rule: 'eu-foo', date }, expect.stringMatching(/^rule must be ca-income, .*, not eu-foo$/)],
      [{ rule: 'de-vat', date }, expect.stringMatching(/^rule=de-vat can not be answered: /)],
      [{ rule: 'eu-vat', date: '2026-09-02' }, expect.stringMatching(/^not published yet: ECB has no rate/)],
      [{ rule: 'eu-vat', date, period: 'year' }, 'period must be month or quarter, not year'],
      [{ rule: 'eu-vat', date, amount: 'ten' }, expect.stringMatching(/^invalid amount: ten/)],
      [{ from: date }, 'from needs rule: a range of days is at /v2/rates'],
    ];
    const found = await convert(faults.map(([line]) => line));
    expect(found.map(({ error }) => error)).toEqual(faults.map(([, error]) => error));
  });
});

describe('a rule for all lines', () => {
  it('is that of each line that names none', async () => {
    const lines = [{ date: '2026-03-05' }, { date: '2026-03-05', rule: 'eu-vat' }, {}];
    const found = await convert(lines, '?rule=pl-vat-ecb&date=2026-03-06');
    expect(found.map(({ rule, rate, observed }) => [rule?.id, observed, rate])).toEqual([
      ['pl-vat-ecb', '2026-03-04', 0.833333333333],
      ['eu-vat', '2026-03-05', 0.8],
      ['pl-vat-ecb', '2026-03-05', 0.8],
    ]);
  });

  it.each(['providers=ECB', 'exclude=NBU', 'when=before&date=2026-03-05'])(
    'does not go with %s',
    async (more) => {
      const { status, message } = await ask(`/v2/convert?rule=eu-vat&${more}`, { body: '[]' });
      const name = more.split('=', 1)[0];
      expect([status, message]).toEqual([422, `${name} is what a rule chooses: use either ${name} or rule`]);
    },
  );
});

it('CSV has columns of rules where a line or the query has one', async () => {
  const headers = { 'content-type': 'text/csv' };
  const names = 'amount,base,quote,date,observed,rate,result,id,error';
  const ruleNames = 'rule_id,rule_citation,rule_day,rule_source';
  const body = [
    'id,amount,base,quote,date,rule',
    '1,1000,USD,GBP,2026-08-15,uk-vat',
    '2,1000,USD,EUR,2026-03-05,',
    '3,1000,USD,EUR,,eu-vat',
  ].join('\n');
  const { text } = await ask('/v2/convert', { headers, body });
  expect(text.split('\n')).toEqual([
    `${names},${ruleNames}`,
    '1000,USD,GBP,2026-08-15,2026-08-01,0.748111019675,748.11,1,,uk-vat,"Value Added Tax Act 1994, Sch. 6, para. 11",2026-08-15,HMRC',
    expect.stringMatching(/^1000,USD,EUR,2026-03-05,2026-03-05,0\.8,800\.00,2,,,,,$/),
    '1000,USD,EUR,,,,,3,rule=eu-vat needs date: add the day that the law counts from,eu-vat,,,',
    '',
  ]);
  const plain = 'amount,base,quote,date\n1000,USD,EUR,2026-03-05';
  expect((await ask('/v2/convert', { headers, body: plain })).text.split('\n')[0]).toBe(names);
  expect((await ask('/v2/convert?rule=eu-vat', { headers, body: plain })).text).toBe(
    `${names},${ruleNames}\n1000,USD,EUR,2026-03-05,2026-03-05,0.8,800.00,,,eu-vat,"Directive 2006/112/EC, Art. 91(2), second subparagraph",2026-03-05,ECB\n`,
  );
});
