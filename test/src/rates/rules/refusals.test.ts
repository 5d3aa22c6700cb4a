import { describe, expect, it } from 'vitest';
import { exceptProviders } from '../../../../core/domain/providers.js';
import { availableRules, NO_LEGAL_ADVICE } from '../../../../core/domain/rules.js';
import { rulesRoute } from '../../../../src/rates/rules/routes.js';
import { routesOn, shown } from '../routes/golden.js';
import { openRoutes } from '../routes/in-process.js';

const NOW = '2026-04-08T09:00:00Z';
const routes = routesOn(['ECB 2026-04-07 EUR/USD 1.1'], NOW);
const DATE = 'date=2026-04-07';
const GRANT = 'rule=eu-grant&from=2026-04-01&to=2026-04-07';
const chosen = (name: string) => `${name}: ${name} is what a rule chooses: use either ${name} or rule`;

const SINCE = 'it applies from 2016-05-01';
const NO_SOURCE =
  'no source here has the rates that the Federal Reserve Bank of New York certifies for customs';
const MISSING =
  'describe a custom source with key: NYFED, pivot_currency: USD and period: month, as in docs/custom-sources.md, and import ' +
  'a CSV file with provider,date,base,quote,rate of the certified rates, dated the first of each month and each day from ' +
  'which another rate applies: npm run cli -- rates import FILE';

describe('a rule is refused', () => {
  it.each([
    ['rule=eu-vat', 'date: rule=eu-vat needs date: add the day that the law counts from'],
    [`rule=eu-vat&${DATE}&providers=ECB`, chosen('providers')],
    [`rule=eu-vat&${DATE}&exclude=NBU`, chosen('exclude')],
    [`rule=eu-vat&${DATE}&when=before`, chosen('when')],
    [`rule=eu-vat&${DATE}&period=month`, 'period: period is for returns: leave it out with rule=eu-vat'],
    [`rule=eu-vat&${DATE}&from=2026-04-01`, 'from: from is for means: use date with rule=eu-vat'],
    ['rule=eu-customs&date=2016-04-30', `date: rule=eu-customs is not for 2016-04-30: ${SINCE}`],
    ['rule=eu-grant&from=2026-04-01', 'to: rule=eu-grant needs to: add the last day'],
    ['rule=eu-grant&to=2026-04-01', 'from: rule=eu-grant needs from: add the first day'],
    [
      'rule=eu-grant&from=2026-04-07&to=2026-04-01',
      'from: from is after to: use from=2026-04-01&to=2026-04-07',
    ],
    [`${GRANT}&${DATE}`, 'date: rule=eu-grant is a mean of days: use from and to'],
    [`${GRANT}&expand=receipt`, 'expand: expand is for rates of a day: leave it out with rule=eu-grant'],
    [
      `rule=us-customs&${DATE}`,
      `rule: rule=us-customs can not be answered: ${NO_SOURCE}. To add them, ${MISSING}`,
    ],
    ['period=month', 'period: period needs rule: add one such as rule=eu-oss'],
    ['from=2026-04-01', 'from: from needs rule: a range of days is at /v2/rates'],
  ])('%s', async (query, message) => {
    for (const path of ['/v2/rate/EUR/USD?', '/v2/rate/EUR/USD.txt?', '/v2/convert/EUR/USD?amount=1&'])
      expect(await shown(routes, path + query)).toBe(`422 ${message}`);
  });

  it('by a name that is near another, and on the paths of one provider', async () => {
    expect(await shown(routes, `/v2/rate/EUR/USD?rule=eu-vta&${DATE}`)).toMatch(/\(did you mean eu-vat\?\)$/);
    expect(await shown(routes, `/v2/providers/ECB/rate/EUR/USD?rule=eu-vat&${DATE}`)).toMatch(
      /^422 rule: unknown parameter: rule /,
    );
  });

  it('where its source is left out', async () => {
    exceptProviders(['ECB']);
    try {
      expect(await shown(routes, `/v2/rate/EUR/USD?rule=eu-vat&${DATE}`)).toBe(
        '422 rule: rule=eu-vat can not be answered: ECB is left out of this service',
      );
    } finally {
      exceptProviders([]);
    }
  });
});

it('/v2/rules has all of them, what can not be answered, and that this is no legal advice', async () => {
  const { ask } = openRoutes({ recorded: [{ at: NOW, rows: [] }], now: NOW, others: () => [rulesRoute()] });
  const { text, tag } = await ask('/v2/rules');
  const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);
  const listed = JSON.parse(text);
  expect(listed.notice).toBe(NO_LEGAL_ADVICE);
  expect(ids(listed.rules)).toEqual(ids(availableRules()));
  expect(listed.rules).toHaveLength(13);
  expect(ids(listed.unavailable)).toEqual(['de-vat', 'us-customs']);
  expect(listed.unavailable[1]).toMatchObject({ source: 'NYFED', reason: NO_SOURCE, missing: MISSING });
  expect(tag).toBeDefined();
});
