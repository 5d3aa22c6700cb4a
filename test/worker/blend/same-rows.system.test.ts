import { describe, expect, it } from 'vitest';
import { groupBy } from '../../../core/domain/group-by.js';
import { rebuild } from '../../../worker/blend/reblend.js';
import { propertyRuns } from '../../support/property-runs.js';
import { shippedRates } from '../../support/shipped-rates.js';
import { emptyTables } from '../ingest/support.js';
import { assertSameRows, derived, importAll, openPair } from './same-rows.js';

it('the same rows and decisions make the same blends and suspects, in many orders', async () => {
  await assertSameRows(propertyRuns(300));
}, 600_000);

describe('the first rates that ship', async () => {
  const { whole, stepwise } = await openPair();
  const dateOf = (line: string) => line.split(',')[1] ?? '';
  const lines = (await shippedRates('2026-01-01'))
    .map(({ provider, date, base, quote, rate }) => [provider, date, base, quote, rate].join())
    .sort((one, other) => (dateOf(one) < dateOf(other) ? -1 : 1));
  await importAll(whole, lines);
  const expected = await derived(whole);

  const size = Math.ceil(lines.length / 6);
  const parts = Array.from({ length: 6 }, (_, part) => lines.slice(part * size, (part + 1) * size));
  const ofProviders = [...groupBy(lines, (line) => line.split(',')[0] ?? '').values()];
  it.each([
    ['by days, forwards', parts],
    ['by days, backwards', parts.toReversed()],
    ['provider by provider', ofProviders],
  ])('give the same in parts %s', async (_, parts) => {
    await emptyTables(stepwise);
    for (const part of parts) await importAll(stepwise, part);
    const { periods, suspects } = await derived(stepwise);
    expect({ periods, suspects }).toEqual({ periods: expected.periods, suspects: expected.suspects });
    expect(await rebuild(stepwise)).toBeUndefined();
  });
});
