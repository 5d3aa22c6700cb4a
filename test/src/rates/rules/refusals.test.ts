import { describe, expect, it } from 'vitest';
import { exceptProviders } from '../../../../core/domain/providers.js';
import { NO_LEGAL_ADVICE, rules } from '../../../../core/domain/rules.js';
import type { Reply } from '../../../../src/http/reply.js';
import type { Route } from '../../../../src/http/route.js';
import { rulesRoute } from '../../../../src/rates/rules/routes.js';
import { openRoutes } from '../routes/in-process.js';
import { reader } from '../sources/in-memory.js';

const NOW = '2026-04-08T09:00:00Z';
const { ask } = openRoutes({
  recorded: [{ at: NOW, rows: ['ECB 2026-04-07 EUR/USD 1.1'] }],
  now: NOW,
});
const DATE = 'date=2026-04-07';

describe('a rule is refused', () => {
  it.each([
    ['rule=eu-vat', 'date', 'rule=eu-vat needs date: add the day that the law counts from'],
    [
      `rule=eu-vat&${DATE}&providers=ECB`,
      'providers',
      'providers is what a rule chooses: use either providers or rule',
    ],
    [
      `rule=eu-vat&${DATE}&exclude=NBU`,
      'exclude',
      'exclude is what a rule chooses: use either exclude or rule',
    ],
    [`rule=eu-vat&${DATE}&when=before`, 'when', 'when is what a rule chooses: use either when or rule'],
    [`rule=eu-vat&${DATE}&period=month`, 'period', 'period is for returns: leave it out with rule=eu-vat'],
    [`rule=eu-vat&${DATE}&from=2026-04-01`, 'from', 'from is for means: use date with rule=eu-vat'],
    [
      'rule=eu-customs&date=2016-04-30',
      'date',
      'rule=eu-customs is not for 2016-04-30: it holds since 2016-05-01',
    ],
    ['rule=eu-grant&from=2026-04-01', 'to', 'rule=eu-grant needs to: add the last day'],
    ['rule=eu-grant&to=2026-04-01', 'from', 'rule=eu-grant needs from: add the first day'],
    [
      'rule=eu-grant&from=2026-04-07&to=2026-04-01',
      'from',
      'from is after to: use from=2026-04-01&to=2026-04-07',
    ],
    [
      `rule=eu-grant&from=2026-04-01&to=2026-04-07&${DATE}`,
      'date',
      'rule=eu-grant is a mean of days: use from and to',
    ],
    [
      'rule=eu-grant&from=2026-04-01&to=2026-04-07&expand=receipt',
      'expand',
      'expand is for rates of a day: leave it out with rule=eu-grant',
    ],
    [
      `rule=us-customs&${DATE}`,
      'rule',
      'rule=us-customs can not be answered: no source here has the rates that the Federal Reserve Bank of New York certifies for customs',
    ],
    ['period=month', 'period', 'period needs rule: add one such as rule=eu-oss'],
    ['from=2026-04-01', 'from', 'from needs rule: a range of days is at /v2/rates'],
  ])('%s', async (query, parameter, message) => {
    for (const path of ['/v2/rate/EUR/USD?', '/v2/rate/EUR/USD.txt?', '/v2/convert/EUR/USD?amount=1&']) {
      const { status, faults } = await ask(path + query);
      expect([status, faults]).toEqual([422, [{ parameter, message }]]);
    }
  });

  it('by a name that is near another', async () => {
    expect((await ask(`/v2/rate/EUR/USD?rule=eu-vta&${DATE}`)).message).toMatch(/\(did you mean eu-vat\?\)$/);
  });

  it('on the paths of one provider', async () => {
    const { status, message } = await ask(`/v2/providers/ECB/rate/EUR/USD?rule=eu-vat&${DATE}`);
    expect([status, message]).toEqual([422, expect.stringMatching(/^unknown parameter: rule /)]);
  });

  it('where its source is left out', async () => {
    exceptProviders(['ECB']);
    try {
      expect((await ask(`/v2/rate/EUR/USD?rule=eu-vat&${DATE}`)).message).toBe(
        'rule=eu-vat can not be answered: ECB is left out of this service',
      );
    } finally {
      exceptProviders([]);
    }
  });
});

describe('/v2/rules', () => {
  it('has all of them, what can not be answered, and that this is no legal advice', async () => {
    const { content, validity } = await reply(rulesRoute());
    const listed = JSON.parse(String(content?.body)) as {
      notice: string;
      rules: { id: string }[];
      unavailable: { id: string }[];
    };
    expect(listed.notice).toBe(NO_LEGAL_ADVICE);
    expect(listed.rules.map(({ id }) => id)).toEqual(rules.map(({ id }) => id));
    expect(listed.rules).toHaveLength(11);
    expect(listed.unavailable.map(({ id }) => id)).toEqual(['ch-vat', 'de-vat', 'us-customs']);
    expect(validity.tag).toBeDefined();
  });
});

async function reply(route: Route): Promise<Reply> {
  const given = await route.handle(
    {},
    { ...reader, id: '', headers: {}, params: {}, body: undefined, isSecure: false },
  );
  return 'make' in given ? given.make() : given;
}
