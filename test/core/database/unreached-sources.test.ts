import fc from 'fast-check';
import { expect, it } from 'vitest';
import { noteReadingPlan } from '../../../core/database/reading-plan.js';
import { readUnreachedSources } from '../../../core/database/unreached-sources.js';
import { describeOutage, outageAt } from '../../../core/domain/internet-access.js';
import { propertyRuns } from '../../support/property-runs.js';
import { recordRuns } from '../../support/recorded-runs.js';
import { dollars, emptyTables, ownDatabase, storeIn } from '../../worker/ingest/support.js';

const database = await ownDatabase();

const at = (minute: number) => new Date(Date.UTC(2026, 10, 27, 11, minute));
const run = (minute: number, keys: readonly string[], error?: string | null) =>
  recordRuns(database, at(minute), keys, error);
const outage = async (minute: number) => outageAt(await readUnreachedSources(database), at(minute));
const BANKS = ['BOC', 'BOE', 'ECB', 'NB', 'NBU', 'RBA'];

it('on a first start, five sources that cannot be reached are an outage, until one is read', async () => {
  await run(20, BANKS.slice(0, 4));
  expect(await outage(21)).toBeUndefined();
  await run(21, BANKS.slice(4));
  const found = await outage(22);
  expect(found).toEqual({ keys: BANKS, since: at(20), cause: 'dns', isShippedOnly: true, newest: null });
  await run(23, ['ECB'], null);
  expect(await outage(23)).toBeUndefined();
  // A window of a weekend needs no request, and shows nothing.
  await database.pool.query('update ingest_runs set responses = 0');
  await run(24, ['ECB']);
  expect((await outage(24))?.keys).toEqual(BANKS);
});

it('names the rates that are left: those shipped until any were read, with or without a run of their own', async () => {
  await storeIn(database, 'ECB', dollars('2026-04-16'));
  await run(20, BANKS);
  const sentence = async (now = at(30)) => {
    const found = await outage(30);
    return found && describeOutage(found, now);
  };
  const known = 'this machine has no internet access (6 sources could not be resolved since';
  const shipped = `${known} 11:20 UTC); rates are those shipped, up to 16 April 2026`;
  expect(await sentence()).toBe(shipped);
  await database.pool.query(
    `insert into ingest_runs (provider, reason, window_from, started_at, outcome, rows_new)
       values ('ECB', 'shipped', '2026-01-01', $1, 'succeeded', 5)`,
    [at(0)],
  );
  expect(await sentence()).toBe(shipped);
  await database.pool.query(`update ingest_runs set reason = 'schedule' where reason = 'shipped'`);
  expect(await sentence(new Date('2026-11-28T01:00:00Z'))).toBe(
    `${known} 27 November 2026, 11:20 UTC); the newest rates are from 16 April 2026`,
  );
});

it('sources that could not be reached while others were are no sign of an outage', async () => {
  const others = ['AMCM', 'BAM', 'BBK', 'BCB', 'BCC', 'BCN', 'BCP'];
  await run(10, BANKS);
  await run(11, others, null);
  await run(20, BANKS);
  expect(await outage(21)).toBeUndefined();
  // Unless they become half of all sources, or five others fail too.
  await run(22, ['AMCM']);
  expect((await outage(23))?.keys).toHaveLength(7);
  await run(24, ['AMCM', 'BAM'], null);
  await run(25, others.slice(0, 5));
  expect((await outage(26))?.keys).toEqual(others.slice(0, 5));
});

it('of fewer than five sources, all must fail alike, and more than one', async () => {
  const planned = fc.subarray(BANKS.slice(0, 4), { minLength: 1 });
  const errors = fc.array(fc.constantFrom(null, 'EAI_AGAIN', 'ENETUNREACH'), { minLength: 4, maxLength: 4 });
  const check = async (keys: readonly string[], outcomes: readonly (string | null)[]) => {
    await emptyTables(database);
    await noteReadingPlan(database, keys, at(19));
    const given = keys.map((key, index) => [key, outcomes[index] ?? null] as const);
    for (const [key, code] of given)
      if (code !== null) await run(20, [key], `https://bank.test/: could not be reached (${code})`);
    const codes = new Set(given.map(([, code]) => code));
    const isOutage = keys.length > 1 && codes.size === 1 && !codes.has(null);
    expect((await outage(21))?.keys).toEqual(isOutage ? keys : undefined);
  };
  await fc.assert(fc.asyncProperty(planned, errors, check), propertyRuns(400));
});

it('other failures than of a connection are no sign of an outage, nor are attempts of a worker that is gone', async () => {
  await run(20, BANKS, 'https://bank.test/: responded with status 503 (Service Unavailable)');
  expect(await outage(21)).toBeUndefined();
  await run(22, BANKS);
  expect(await outage(37)).toBeDefined();
  expect(await outage(38)).toBeUndefined();
});

it.each([
  ['https://bank.test/: could not be reached (EAI_AGAIN)', 'dns'],
  ['https://bank.test/: could not be reached (ENETUNREACH)', 'connection'],
  [
    'https://bank.test/: could not be reached (ECONNREFUSED) (connect ECONNREFUSED 192.0.2.1:443)',
    'connection',
  ],
  ['https://bank.test/: no response in time (UND_ERR_CONNECT_TIMEOUT)', 'connection'],
  ['https://bank.test/: no complete response within 180 s', 'connection'],
  ['https://bank.test/: the proxy gate.test:3128: responded with status 407', 'proxy'],
  ['https://bank.test/: the proxy gate.test:3128: could not be reached (ENOTFOUND)', 'proxy'],
])('the cause of %s is %s', async (error, cause) => {
  await run(20, BANKS, error);
  expect((await outage(21))?.cause).toBe(cause);
});
