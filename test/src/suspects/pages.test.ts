import { expect, it } from 'vitest';
import type { ListedSuspect, ReadSuspects } from '../../../core/database/suspects.js';
import { isStream } from '../../../src/http/reply.js';
import { makeSuspects } from '../../../src/suspects/routes.js';

const COUNT = 1_203;

const suspects = Array.from({ length: COUNT }, (_, index): ListedSuspect => {
  const suspect = { provider: 'CBG', date: '2025-05-02', base: 'DKK', quote: 'GMD', rate: index + 1 };
  const judged = {
    reason: 'factor_of_ten',
    expected: 10,
    others: 0,
    evidence: {},
    rates: 1,
    isShipped: false,
  } as const;
  const dates = { suspectedAt: new Date('2025-05-02T15:30:00Z'), resolvedAt: null };
  return { id: `${COUNT - index}`, ...suspect, ...judged, ...dates, status: 'held', resolvedBy: null };
});

const readSuspects: ReadSuspects = async ({ before = `${COUNT + 1}` }, limit) =>
  suspects.filter(({ id }) => Number(id) < Number(before)).slice(0, limit);

it.each([1, 99, 100, 101, 500, 1_200, 1_203, 10_000])(
  'up to %s suspects are each there once',
  async (limit) => {
    const { body } = await makeSuspects({ filter: {}, limit, format: 'json' }, { readSuspects });
    let text = '';
    if (body !== undefined && isStream(body)) for await (const chunk of body) text += chunk;
    const rates = (JSON.parse(text || `${body}`) as { rate: number }[]).map(({ rate }) => rate);
    expect(rates).toEqual(suspects.slice(0, limit).map(({ rate }) => rate));
  },
);
