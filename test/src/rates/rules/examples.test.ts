import { describe, expect, it } from 'vitest';
import { addDays, isWeekend } from '../../../../core/domain/dates.js';
import { rules } from '../../../../core/domain/rules.js';
import { answers, routesOn } from '../routes/golden.js';

const NOW = '2026-10-01T09:00:00Z';
/** What the European Central Bank published for the pound from 2 January to 31 March 2025. */
const POUNDS = [
  0.83118, 0.82993, 0.83098, 0.82915, 0.83403, 0.83808, 0.83693, 0.8416, 0.84288, 0.84313, 0.84258, 0.84453,
  0.84588, 0.84553, 0.84466, 0.84468, 0.84413, 0.84106, 0.83868, 0.83723, 0.83685, 0.83608, 0.83136, 0.83188,
  0.83085, 0.83688, 0.83353, 0.83283, 0.83355, 0.83338, 0.83313, 0.83215, 0.83133, 0.83025, 0.82838, 0.82823,
  0.8276, 0.8283, 0.82908, 0.82868, 0.82673, 0.82608, 0.8253, 0.82788, 0.835, 0.8379, 0.84088, 0.83849,
  0.84374, 0.84078, 0.83778, 0.84183, 0.84026, 0.84173, 0.84078, 0.8369, 0.83765, 0.83663, 0.83565, 0.83623,
  0.83318, 0.83358, 0.83536,
];
const workingDays = Array.from({ length: 89 }, (_, days) => addDays('2025-01-02', days)).filter(
  (date) => !isWeekend(date),
);
/** The rows that the examples are of, and those that would be wrong. */
const ROWS = [
  ...POUNDS.map((rate, at) => `ECB ${workingDays[at]} EUR/GBP ${rate}`),
  ...['ECB 2025-03-31 EUR/USD 1.08', 'ECB 2025-04-17 EUR/GBP 0.85873', 'ECB 2025-04-22 EUR/GBP 0.86'],
  ...['ECB 2026-02-18 EUR/USD 1.1845', 'ECB 2026-02-19 EUR/USD 1.19', 'ECB 2026-02-27 EUR/USD 1.1815'],
  ...['ECB 2026-03-02 EUR/USD 1.1698', 'ECB 2026-03-03 EUR/PLN 4.2', 'ECB 2026-03-04 EUR/PLN 4.2588'],
  ...['ECB 2026-03-05 EUR/PLN 4.3', 'NBP 2026-03-03 EUR/PLN 4.2', 'NBP 2026-03-04 EUR/PLN 4.2685'],
  ...['NBP 2026-03-05 EUR/PLN 4.3', 'BOC 2026-03-12 USD/CAD 1.36', 'BOC 2026-03-13 USD/CAD 1.3716'],
  ...['BOC 2026-03-16 USD/CAD 1.37', 'HMRC 2026-07-01 GBP/USD 1.35', 'HMRC 2026-08-01 GBP/USD 1.3367'],
  ...['INFOREURO 2026-08-01 EUR/USD 1.15', 'INFOREURO 2026-09-01 EUR/USD 1.1643'],
  ...['JPC 2002-01-06 USD/JPY 130.97', 'JPC 2002-01-13 USD/JPY 132'],
  ...['BAZG 2026-07-25 USD/CHF 0.82497', 'BAZG 2026-07-28 USD/CHF 0.83'],
  ...['BAZGMONTH 2026-07-01 USD/CHF 0.8024', 'BAZGMONTH 2026-08-01 USD/CHF 0.8175'],
];
const routes = routesOn(ROWS, NOW);
const { ask, json } = routes;

const GRANT = 'from=2025-01-01&to=2025-03-31&rule=eu-grant';

describe('the worked examples', () => {
  const examples = rules.flatMap((rule) => rule.examples.map((example) => ({ ...rule, ...example })));

  it.each(examples)('of $id', async ({ id, citation, source, input, output }) => {
    const { base, quote, amount, ...asked } = input;
    const query = new URLSearchParams({ rule: id });
    for (const [name, text] of Object.entries(asked)) query.set(name, String(text));
    const rule = { id, citation, source };
    expect(await json(`/v2/convert/${base}/${quote}?amount=${amount}&${query}`)).toMatchObject({
      amount,
      ...output,
      rule,
    });
    const { observed: date, rate } = output;
    expect(await json(`/v2/rate/${base}/${quote}?${query}`)).toMatchObject({ date, rate, rule });
    expect((await ask(`/v2/rate/${base}/${quote}.txt?${query}`)).text).toBe(String(rate));
  });

  const customs =
    '{"id":"eu-customs","citation":"Implementing Regulation (EU) 2015/2447, Art. 146(1)(a), (2) and (3)","day":"2026-02-18","source":"ECB"}';
  answers(routes, {
    // With the key day, and the rate as the source has it.
    '/v2/rate/EUR/USD?date=2026-03-10&rule=eu-customs': `2026-02-18 EUR/USD 1.1845 rule=${customs}`,
    '/v2/rate/GBP/USD?date=2026-08-15&rule=uk-vat':
      '2026-08-01 GBP/USD 1.3367 valid_from=2026-08-01 valid_to=2026-08-31 rule={"id":"uk-vat","citation":"Value Added Tax Act 1994, Sch. 6, para. 11","day":"2026-08-15","source":"HMRC"}',
  });
});

describe('a return to the One Stop Shop is quarterly unless it is said to be monthly', () => {
  const DAYS = ['ECB 2026-02-27 EUR/USD 1.1', 'ECB 2026-03-02 EUR/USD 1.2', 'ECB 2026-03-31 EUR/USD 1.3'];
  const query = '/v2/rate/EUR/USD?date=2026-02-10&rule=eu-oss';
  const quarterly = expect.stringMatching(/^2026-03-31 EUR\/USD 1.3 .*"day":"2026-03-31"/);
  answers(routesOn(DAYS, NOW), {
    [query]: quarterly,
    [`${query}&period=quarter`]: quarterly,
    [`${query}&period=month`]: expect.stringMatching(/^2026-03-02 EUR\/USD 1.2 .*"day":"2026-02-28"/),
  });
});

describe('the mean of a range', () => {
  const line = (text: string) => expect.stringMatching(new RegExp(`^1000 2025-01-0\\d ${text} rule=`));
  answers(routes, {
    // That of the source's daily rates in its own direction, inverted or crossed if that is asked for.
    [`/v2/convert/EUR/GBP?amount=1000&${GRANT}`]: line('EUR/GBP 0.835738253968 = 835.74 observed=2025-01-01'),
    [`/v2/convert/GBP/EUR?amount=1000&${GRANT}`]: line('GBP/EUR 1.19654687966 = 1196.55 observed=2025-01-01'),
    [`/v2/convert/GBP/USD?amount=1000&${GRANT}`]: line('GBP/USD 1.29227063004 = 1292.27 observed=2025-01-01'),
    // It is of the whole range alone.
    '/v2/convert/EUR/GBP?amount=1000&from=2025-01-02&to=2025-01-03&rule=eu-grant': line(
      'EUR/GBP 0.830555 = 830.56 observed=2025-01-02',
    ),
    [`/v2/rate/GBP/EUR?${GRANT}`]: expect.stringContaining('"day":"2025-03-31"'),
    [`/v2/rate/EUR/AED?${GRANT}`]:
      '404 no rate for EUR/AED on 2025-01-01: there are no rates for AED from ECB',
  });

  it('is the mean of the rows of the range', async () => {
    const query = 'base=EUR&quotes=GBP&from=2025-01-01&to=2025-03-31&group=range&expand=stats';
    expect(await json(`/v2/rates?${query}&precision=full&providers=ECB`)).toMatchObject([
      { rate: 0.835738253968, stats: { average: 0.835738253968, days: 63 } },
    ]);
  });
});

describe('a rate by a rule', () => {
  const QUERY = 'date=2026-08-15&rule=uk-vat';

  it('is CSV with columns of the rule', async () => {
    const headers = { accept: 'text/csv' };
    const rule = 'uk-vat,"Value Added Tax Act 1994, Sch. 6, para. 11",2026-08-15,HMRC\n';
    const { text } = await ask(`/v2/rate/GBP/USD?${QUERY}`, { headers });
    expect(text).toBe(
      'date,base,quote,rate,valid_from,valid_to,rule_id,rule_citation,rule_day,rule_source\n' +
        `2026-08-01,GBP,USD,1.3367,2026-08-01,2026-08-31,${rule}`,
    );
    expect((await ask(`/v2/rate/GBP/USD?${QUERY}&header=off`, { headers })).text).toBe(
      text.slice(text.indexOf('\n') + 1),
    );
    expect((await ask(`/v2/convert/GBP/USD?amount=2&${QUERY}`, { headers })).text).toBe(
      'amount,base,quote,date,observed,rate,result,rule_id,rule_citation,rule_day,rule_source\n' +
        `2,GBP,USD,2026-08-15,2026-08-01,1.3367,2.67,${rule}`,
    );
  });

  it('is a line of NDJSON', async () => {
    const { text } = await ask(`/v2/rate/GBP/USD?${QUERY}`, { headers: { accept: 'application/x-ndjson' } });
    expect(text).toBe(`${(await ask(`/v2/rate/GBP/USD?${QUERY}`)).text}\n`);
  });

  it('has the receipt of the plain request', async () => {
    const rule = expect.objectContaining({ id: 'eu-customs' });
    const plain = 'amount=1&providers=ECB&date=2026-02-18&as_of=2001-01-01T00:00:00.000Z&expand=receipt';
    const asked = 'date=2026-03-10&rule=eu-customs&expand=receipt';
    const receipt = expect.objectContaining({ url: `/v2/convert/USD/EUR?${plain}` });
    expect(await json(`/v2/convert/USD/EUR?amount=1&${asked}`)).toMatchObject({ rule, receipt });
    const rate = 0.844238075137;
    expect(await json(`/v2/rate/USD/EUR?${asked}`)).toMatchObject({ rate, rule, receipt: {} });
  });

  it('has a tag of its own, and is kept as long as the plain answer', async () => {
    const query = '/v2/rate/GBP/USD?date=2026-08-15';
    const [vat, customs, plain] = await Promise.all(
      ['&rule=uk-vat', '&rule=uk-customs', '&providers=HMRC&precision=full'].map((more) => ask(query + more)),
    );
    expect(new Set([vat?.tag, customs?.tag, plain?.tag]).size).toBe(3);
    expect(vat).toMatchObject({ cacheControl: plain?.cacheControl, vary: plain?.vary, dataVersion: '1' });
    expect((await ask(`${query}&rule=uk-vat`)).tag).toBe(vat?.tag);
  });
});
