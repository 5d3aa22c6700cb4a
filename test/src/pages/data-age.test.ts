import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { providers } from '../../../core/domain/providers.js';
import { startApi } from '../../support/api.js';
import { databaseWith, someRates } from '../../support/rates.js';
import { recordRuns } from '../../support/recorded-runs.js';
import { ownApi } from '../own-api.js';
import { pageAt } from './support.js';

/** The newest rates are of Sunday, 22 March 2026. */
const WEDNESDAY = new Date('2026-03-25T12:00:00Z');
const THURSDAY = new Date('2026-03-26T12:00:00Z');
const FRIDAY = new Date('2026-03-27T12:00:00Z');
const READ = ['ECB', 'BOC', 'IMF', 'BBK', 'CBM'];

let now = FRIDAY;
const own = ownApi(() => databaseWith(someRates()), { clock: () => now });

/** A worker that has read these sources since eleven, and was there until a moment ago. */
async function read(sources: readonly string[], { seenAt = FRIDAY } = {}): Promise<void> {
  const since = new Date('2026-03-27T11:00:00Z');
  await own.database.prisma.readingPlan.create({ data: { sources: sources.join(), since, seenAt } });
  await own.api.catchUp();
}

beforeEach(async () => {
  now = FRIDAY;
  await own.database.prisma.readingPlan.deleteMany();
  const unread = { lastAttemptAt: null, lastSuccessAt: null, lastError: null };
  await own.database.prisma.provider.updateMany({ data: unread });
  await own.database.prisma.ingestRun.deleteMany();
  await own.api.catchUp();
});

const get = async (path: string, language = 'en-GB') =>
  (await pageAt(own.api.url + path, { 'accept-language': language })).text;
/** The line about the age; empty if the page has none. */
const lineOf = (page: string) => /data-age>([^<]*)</.exec(page)?.[1]?.trim() ?? '';
const age = async (language?: string) => lineOf(await get('/', language));

it('rates of more than three business days ago are old from the fourth on', async () => {
  now = THURSDAY;
  expect(await age()).not.toBe('');
  now = WEDNESDAY;
  expect(await age()).toBe('');
  expect(await get('/status')).not.toContain('data-age');
});

it('rates of more than three business days ago are said to be old on both pages, as no worker runs', async () => {
  const text = 'The latest rates are from 22 March 2026, 5 days ago. No worker is running.';
  expect(await age()).toBe(text);
  const stored = 'No worker is running. The stored rates go up to 22 March 2026.';
  expect(await get('/status')).toContain(stored);
  const german = 'Die neuesten Kurse sind vom 22. März 2026 (vor 5 Tagen).';
  expect(await age('de')).toBe(`${german} Es läuft kein Abrufdienst (Worker).`);
});

it.each([
  ['reading is off', [], FRIDAY, 'Reading is off (SCHEDULE=off).'],
  ['the worker has not been seen for minutes', READ, new Date(+FRIDAY - 180_001), 'No worker is running.'],
])('rates of more than three business days ago are old as %s', async (_, sources, seenAt, said) => {
  await read(sources, { seenAt });
  expect((await age()).endsWith(` ${said}`)).toBe(true);
});

it('rates of more than three business days ago are old while the sources are still being read, of which the pages count those that were', async () => {
  const before = await get('/');
  await read(READ);
  // An archive is no part of it.
  expect(await age()).toMatch(/ Reading the banks: 0 of 4 so far\.$/);
  const at = new Date('2026-03-27T11:30:00Z');
  const upsert = (key: string, data: object) =>
    own.database.prisma.provider.upsert({ where: { key }, create: { key, ...data }, update: data });
  await upsert('ECB', { lastAttemptAt: at, lastSuccessAt: at });
  await upsert('BOC', { lastAttemptAt: at, lastSuccessAt: new Date('2026-03-27T10:59:59Z') });
  await upsert('IMF', { lastAttemptAt: at, lastError: 'HTTP 503' });
  await own.api.catchUp();
  const text = 'Reading the banks: 1 of 4 so far. Failed: 1.';
  expect(await age()).toContain(text);
  expect(before).not.toContain(text);
});

it('rates of more than three business days ago are old as the database is down', async () => {
  const confirmedAt = () => performance.now() - 30_001;
  const catalogue = { ...own.api.context.catalogue, confirmedAt, close: async () => {} };
  const away = await startApi(own.database, { clock: () => now, parts: { catalogue } });
  onTestFinished(() => away.close());
  expect(lineOf((await pageAt(away.url)).text)).toMatch(/ The database is down\.$/);
});

it('without internet access, pages and health say so once, with the rates that are left, and no source is failing', async () => {
  now = WEDNESDAY;
  const since = new Date('2026-03-25T11:20:00Z');
  await recordRuns(own.database, since, ['BBK', 'BOC', 'CBM', 'ECB', 'IMF']);
  await own.database.pool.query(`update providers set last_attempt_at = $1 where key = 'ECB'`, [WEDNESDAY]);
  await read(READ, { seenAt: WEDNESDAY });
  const offline = 'This server has not reached its sources since 25 Mar, 11:20 UTC (40 minutes ago)';
  expect((await get('/status')).split(offline)).toHaveLength(2);
  const delayed =
    'The latest rates are from 22 March 2026. This server cannot reach its sources at the moment.';
  expect(await age()).toBe(delayed);
  expect(await get('/status')).toContain('Stored rates up to 22 March 2026 still work.');
  for (const path of ['/', '/currencies', '/currency/USD'])
    expect(await get(path)).toContain(`${delayed} <a href="/status">`);
  expect(await get('/status', 'de')).toMatch(
    /Dieser Server erreicht seine Quellen seit .* nicht.*Kurse bis zum 22. März 2026 bleiben verfügbar\./s,
  );
  const status = await get('/status');
  expect(status).not.toMatch(/chip-failing"|Reading the banks/);
  expect(status).toContain('data-choice="all" aria-current="true"');
  const outage =
    'this machine has no internet access (5 sources could not be resolved since 11:20 UTC); rates are those shipped, up to 22 March 2026';
  expect(await own.read('/health/ready')).toMatchObject({ status: 'ready', outage });
  // Once any source is read, the failures of others are their own.
  await recordRuns(own.database, WEDNESDAY, ['ECB'], null);
  await own.api.catchUp();
  expect(await age()).toBe('');
  expect(await get('/status')).toContain('chip-failing"');
  expect(await own.read('/health/ready')).not.toHaveProperty('outage');
});

async function lines() {
  const page = await get('/status?state=all');
  const found = page.matchAll(/<tr><th scope="row".*?href="\/provider\/(\w+)".*?chip-(\w+).*?<\/tr>/gs);
  return new Map([...found].map(([line, key, state]) => [key, { line, state }]));
}

it.each([
  ['Reading is off (SCHEDULE=off).', () => read([])],
  ['No worker is running.', async () => {}],
])('%s: no source is late or has a next date, and the page says what is stored', async (verdict, given) => {
  now = WEDNESDAY;
  await given();
  const page = await get('/status');
  const stored = 'The stored rates go up to 22 March 2026. No newer rates arrive until reading resumes.';
  expect(page).toContain(`<p class="verdict verdict-bad">${verdict} ${stored}</p>`);
  expect(page).not.toContain('data-label="Next due"');
  expect(page).not.toMatch(/chip-(late|pending)"/);
  expect((await lines()).get('ECB')?.state).toBe('unread');
  expect(await get('/provider/ECB')).not.toContain('Next due');
  // The API says what the contract says: when the source publishes, read or not.
  const listed = { status: 'late', next_publish_at: expect.stringMatching(/^2026-/) };
  expect(await own.read('/v2/providers/ECB')).toMatchObject(listed);
});

it('the status of sources that nobody reads: while reading has only begun, none is late that has not been read yet', async () => {
  await own.database.prisma.provider.update({ where: { key: 'BOC' }, data: { lastError: 'HTTP 503' } });
  await read(READ);
  expect((await lines()).get('ECB')?.state).toBe('pending');
  const said = 'verdict-bad">1 source needs attention; \\d+ of \\d+ await rates<';
  expect(await get('/status')).toMatch(new RegExp(said));
  for (const path of ['/providers', '/provider/ECB']) expect(await get(path)).not.toContain('chip-late"');
});

it('the status of sources that nobody reads: where others are read, one without its key or left out has no next date either', async () => {
  await own.database.prisma.provider.update({ where: { key: 'ECB' }, data: { lastAttemptAt: FRIDAY } });
  await read(READ.filter((key) => key !== 'BOC'));
  const all = await lines();
  expect(all.size).toBe(providers.length);
  const [bank, unread] = [all.get('ECB'), all.get('BOC')];
  expect([bank?.state, unread?.state]).toEqual(['late', 'unread']);
  expect(bank?.line).toContain('data-label="Next due"><time ');
  expect(unread?.line).toContain('data-label="Next due">–');
  expect(await get('/provider/ECB')).toContain('Next due');
});
