import { expect, it } from 'vitest';
import type { RequestContext } from '../../../src/http/route.js';
import { healthRoutes } from '../../../src/operations/health.js';
import type { Probes, Reachability } from '../../../src/operations/probes.js';

const PROBES = ['database', 'rawRows', 'redis', 'queue', 'cache'] as const;

interface State extends Partial<Record<(typeof PROBES)[number], Reachability>> {
  hasRates?: boolean;
  hasCatalogue?: boolean;
  isStale?: boolean;
  isDraining?: boolean;
  /** Why a publication can't be followed; null where it can. */
  fault?: string | null;
}

async function readiness({
  hasRates = true,
  hasCatalogue = true,
  isStale = false,
  isDraining,
  fault,
  ...states
}: State) {
  const probe = (name: (typeof PROBES)[number]) => [name, async () => states[name] ?? 'up'];
  const [, ready] = healthRoutes({
    snapshot: { current: () => (hasRates ? {} : undefined), isStale: () => isStale },
    catalogue: { current: () => (hasCatalogue ? {} : undefined) },
    probes: Object.fromEntries(PROBES.map(probe)) as unknown as Probes,
    ...(isDraining !== undefined && { isDraining: () => isDraining }),
    ...(fault !== undefined && { following: () => ({ version: null, expires: null, fault }) }),
  });
  const reply = await ready?.handle({}, {} as RequestContext);
  if (!reply || !('content' in reply)) throw new Error('no content');
  return { code: reply.status, ...JSON.parse(String(reply.content?.body)) };
}

const allUp = { database: 'up', raw_rows: 'up', redis: 'up', queue: 'up', cache: 'up' };

it.each<[State, number, object]>([
  [{}, 200, { status: 'ready', snapshot: 'up' }],
  [
    { redis: 'unused', queue: 'unused', cache: 'unused' },
    200,
    { status: 'ready', snapshot: 'up', redis: 'unused', queue: 'unused', cache: 'unused' },
  ],
  [{ cache: 'down' }, 200, { status: 'ready', cache: 'down' }],
  [{ database: 'down' }, 200, { status: 'degraded', database: 'down' }],
  [{ rawRows: 'down' }, 200, { status: 'degraded', raw_rows: 'down' }],
  [{ redis: 'full' }, 200, { status: 'degraded', redis: 'full' }],
  [{ queue: 'refuses_writes' }, 200, { status: 'degraded', queue: 'refuses_writes' }],
  [{ isStale: true }, 200, { status: 'degraded', snapshot: 'stale' }],
  [{ isDraining: false }, 200, { status: 'ready', snapshot: 'up' }],
  [{ isDraining: true }, 503, { status: 'draining', snapshot: 'up' }],
  [{ hasRates: false }, 503, { status: 'loading', snapshot: 'down' }],
  [{ hasCatalogue: false, isStale: true }, 503, { status: 'loading', snapshot: 'down' }],
  [{ hasRates: false, database: 'down' }, 503, { status: 'down', snapshot: 'down', database: 'down' }],
])('%j: %i', async (state, code, shown) => {
  expect(await readiness(state)).toEqual({
    ...{ code, snapshot: 'up', ...allUp },
    ...shown,
  });
});

it.each([
  [{ hasRates: false, fault: null }, 503, 'loading'],
  [{ hasRates: false, fault: 'missing' }, 503, 'down'],
  [{ fault: null }, 200, 'ready'],
  [{ fault: 'expired' }, 200, 'degraded'],
])('without a database, %j: %i', async (state, code, status) => {
  const { fault } = state;
  expect(await readiness({ database: 'unused', ...state })).toMatchObject({
    code,
    status,
    publication: { fault },
  });
});

it('a process that responds is alive', async () => {
  const [live] = healthRoutes({
    snapshot: { current: () => undefined, isStale: () => true },
    catalogue: { current: () => undefined },
    probes: {} as Probes,
  });
  const reply = await live?.handle({}, {} as RequestContext);
  expect(reply).toMatchObject({ status: 200 });
});
