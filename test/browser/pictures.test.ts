import { createHash } from 'node:crypto';
import { mkdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Job, UnrecoverableError } from 'bullmq';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Manifest } from '../../core/database/kept-backups.js';
import { noteReadingPlan } from '../../core/database/reading-plan.js';
import { readSuspects } from '../../core/database/suspects.js';
import { noteEnd } from '../../core/database/worker-tasks.js';
import { addDays, isWeekend } from '../../core/domain/dates.js';
import { needsKeyError } from '../../core/domain/provider-status.js';
import { providers } from '../../core/domain/providers.js';
import { projectFolder } from '../../core/process/project-files.js';
import { type LogRecord, linesText, makeRecord, recordHash } from '../../core/publication/log.js';
import { enqueueRecent } from '../../core/queues/enqueue.js';
import { type IngestJob, type IngestOutcome, openWorker } from '../../core/queues/queues.js';
import { HEADER, importRates } from '../../worker/import/import.js';
import { log } from '../src/operations/support.js';
import { recordRuns } from '../support/recorded-runs.js';
import { loadAll } from '../support/shipped-rates.js';
import type { Ground } from '../worker/jobs/support.js';
import { openConsole } from './console-site.js';
import { expectText, patiently } from './site.js';

/** The evening of the newest day of the rates that ship with the project. */
const NOW = new Date('2026-04-16T17:30:00Z');
const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);
const [HOUR, DAY] = [60, 24 * 60];
const READ = providers.filter(({ publish_cadence: cadence }) => cadence !== null).map(({ key }) => key);

const RECENT = { from: '2026-04-02', reason: 'schedule' } as const;
const KEYED = ['BCCH', 'TCMB'];
const FOLDER = join(tmpdir(), 'almanac');
const FOLDERS = { BACKUP_DIR: join(FOLDER, 'backups'), PUBLISH_DIR: join(FOLDER, 'publication') };

/** The rates that ship with the project, on their newest day, with a worker that reads all sources. */
const site = openConsole({
  now: NOW,
  hasToken: true,
  variables: FOLDERS,
  async prepare(g) {
    const { database } = g;
    // Also of the queues and of what operators did.
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
    await loadAll(database);
    await importRates(database, untilNow(database), { today: '2026-04-16' });
    await database.pool.query('update ingest_runs set started_at = $1, finished_at = $1', [minutesAgo(DAY)]);
    await noteReadingPlan(database, READ, NOW);
    const keyless = READ.filter((key) => !KEYED.includes(key));
    for (let days = 29; days >= 0; days--) {
      const at = minutesAgo(HOUR + days * DAY);
      await recordRuns(
        database,
        at,
        isWeekend(addDays('2026-04-16', -days)) ? keyless.slice(-36) : keyless,
        null,
      );
      await recordRuns(database, at, keyless.slice(0, (days * 5) % 7));
    }
    await recordRuns(database, minutesAgo(HOUR), ['RBM'], 'HTTP 503 from https://www.rbm.mw/');
    for (const key of KEYED)
      await recordRuns(database, minutesAgo(HOUR), [key], needsKeyError([`${key}_API_KEY`]));
    await noteBackups(g);
    await notePublications(g);
    await operate(g);
    await runJobs(g);
  },
});

/** Rates since the shipped ones of each source: those of the blend, give or take a ten-thousandth. */
async function* untilNow({ pool }: Ground['database']): AsyncGenerator<string> {
  const { rows } = await pool.query<{ line: string }>(
    `select concat_ws(',', key, to_char(q.date, 'YYYY-MM-DD'), pairs.base, pairs.quote,
        round((q.rate / b.rate * (1 + hashtext(key || q.quote || q.date) % 1000 / 1e7))::numeric, 6)) as line
      from unnest($1::text[]) as sources (key)
      cross join lateral (select max(date) as last from rates where provider = key) as dates
      cross join lateral (select base, quote from rates where provider = key and date = last
        union values ('USD', 'GBP'), ('USD', 'JPY'), ('USD', 'CHF'), ('USD', 'SEK')) as pairs
      join blended_days b on b.quote = pairs.base and b.date between greatest(last + 1, '2026-01-05') and '2026-04-16'
      join blended_days q on q.quote = pairs.quote and q.date = b.date and extract(isodow from q.date) < 6
      where key <> 'RBM' or q.date < '2026-04-10'`,
    [READ.filter((key) => !KEYED.includes(key))],
  );
  yield [HEADER, ...rows.map(({ line }) => line), ''].join('\n');
}

/** The last week of backups. */
async function noteBackups({ database }: Ground): Promise<void> {
  for (let ago = 6; ago >= 0; ago--) {
    const [rows, bytes] = [3_140_226 - ago * 1_204, 61_400_000 - ago * 23_000];
    const name = addDays('2026-04-16', -ago);
    const folder = join(FOLDERS.BACKUP_DIR, name);
    await mkdir(folder, { recursive: true });
    const now = minutesAgo(ago * DAY + 16 * HOUR + 43);
    const table = { name: 'rates', columns: [], sequences: {}, rows, sha256: '' };
    const made = { takenAt: now.toISOString(), version: '0.1.0', migrations: [], blends: [] };
    const manifest: Manifest = { ...made, format: 1, tables: [table] };
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
    await writeFile(join(folder, 'rates.copy.gz'), '');
    await truncate(join(folder, 'rates.copy.gz'), bytes);
    await noteEnd(database, 'back up', { now, outcome: { folder: name, rows, bytes } });
  }
}

/** The last publications. */
async function notePublications({ database }: Ground): Promise<void> {
  const lines: { record: LogRecord }[] = [];
  for (let ago = 11; ago >= 0; ago--) {
    const [now, index] = [minutesAgo(9 + ago * 71), 1_203 - ago];
    const last = lines.at(-1)?.record;
    const previous = last ? recordHash(last) : null;
    const manifest = createHash('sha256').update(String(index)).digest('hex');
    lines.push({ record: makeRecord({ index, manifest, previous, version: 3_204 - ago * 3, now }) });
    const outcome = { state: 'published', records: index + 1, files: 37 - ago, bytes: 1_843_211 };
    await noteEnd(database, 'publish', { now, outcome });
  }
  await mkdir(join(FOLDERS.PUBLISH_DIR, 'log'), { recursive: true });
  await writeFile(join(FOLDERS.PUBLISH_DIR, 'log/2026.ndjson'), linesText(lines));
}

const operate = ({ database }: Ground) =>
  database.pool.query(`insert into operator_acts (operator, client, at, act, details)
    select 'session Qm3xT0bV', '192.0.2.7', at, act, details from (values
      ('2026-04-16T16:50:11Z'::timestamptz, 'log in', '{}'::jsonb),
      ('2026-04-16T16:52:37Z', 'retry job', '{"job": "ingest-RBM-schedule-2026-04-16"}')) as acts (at, act, details)`);

const closing: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));
closing.push(() => rm(FOLDER, { recursive: true }));

/** Some reads that have ended, one that is running, and one that waits. */
async function runJobs({ queues, store }: Ground): Promise<void> {
  const counts = { rowsCorrected: 0, rowsUnchanged: 279, rowsDropped: {}, rowsSkipped: {} };
  const process = async ({ data: { provider } }: Pick<Job<IngestJob>, 'data'>): Promise<IngestOutcome> => {
    if (provider === 'NBP') return new Promise(() => {});
    vi.setSystemTime(Date.now() + 340 * provider.length);
    if (provider === 'RBM') throw new UnrecoverableError('HTTP 503 from https://www.rbm.mw/');
    return { run: null, rowsNew: 7 * provider.length, ...counts };
  };
  const worker = openWorker('ingest', store, process, { log, concurrency: 1 });
  closing.push(() => worker.close(true));
  for (const [at, provider] of ['ECB', 'BOE', 'RBM', 'BOC', 'SNB', 'NBP'].entries()) {
    vi.setSystemTime(minutesAgo(61 - at * 12));
    await enqueueRecent(queues.ingest, { ...RECENT, provider }, { id: '2026-04-16' });
    await patiently(async () => expect(await queues.ingest.getWaitingCount()).toBe(0));
    if (provider !== 'NBP') await patiently(async () => expect(await queues.ingest.getActiveCount()).toBe(0));
  }
  vi.setSystemTime(NOW);
}

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };
/** The home page has all, other pages the first two. */
const LOOKS = [
  { viewport: WIDE, colorScheme: 'light' },
  { viewport: NARROW, colorScheme: 'dark' },
  { viewport: WIDE, colorScheme: 'dark' },
  { viewport: NARROW, colorScheme: 'light' },
] as const;
type Look = (typeof LOOKS)[number];

const PAGES = {
  home: '/?base=EUR&quote=USD',
  'home-decades': '/?base=USD&quote=TRY&span=all&scale=log',
  'home-past-currency': '/?base=EUR&quote=DEM',
  'home-problem': '/?amount=12x&base=EUR&quote=USD',
  'home-german': '/?base=EUR&quote=USD&lang=de',
  'home-arabic': '/?base=EUR&quote=USD&lang=ar',
  status: '/status',
  'status-arabic': '/status?lang=ar',
  currencies: '/currencies',
  'currencies-found': '/currencies?q=buck',
  'currencies-none': '/currencies?q=doubloon',
  currency: '/currency/CHF',
  'currency-past': '/currency/DEM',
  providers: '/providers',
  provider: '/provider/ECB',
  'provider-without-key': '/provider/TCMB',
  rules: '/rules',
  reference: '/docs',
  'not-found': '/curency/CHF',
  'console-login': '/admin/login',
  'console-overview': '/admin',
  'console-sources': '/admin/sources',
  'console-source': '/admin/sources/FRED',
  'console-read': '/admin/sources/ECB/read?window=month',
  'console-suspects': '/admin/suspects',
  'console-suspect': '/admin/suspects/SUSPECT',
  'console-decide': '/admin/decide?suspect=SUSPECT&status=accepted',
  'console-jobs': '/admin/jobs',
  'console-publication': '/admin/publication',
  'console-backups': '/admin/backups',
  'console-audit': '/admin/audit',
  'console-settings': '/admin/settings',
  'console-not-found': '/admin/sources/ECX',
};

const QUALITY = 68;

/** Saves what a page shows in docs/pictures, as WebP, which takes a third of a PNG. The page must fit its screen. */
async function take(page: Page, name: string, { viewport, colorScheme }: Look): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  const session = await page.context().newCDPSession(page);
  const options = { format: 'webp', quality: QUALITY } as const;
  const { data } = await session.send('Page.captureScreenshot', options);
  const file = `${name}-${viewport.width}${colorScheme === 'dark' ? '-dark' : ''}.webp`;
  await writeFile(join(projectFolder, 'docs/pictures', file), Buffer.from(data, 'base64'));
}

async function visit(name: string, path: string, look: Look): Promise<void> {
  const isConsole = /^.admin(?!.login)/.test(path);
  // Each picture logs in.
  await site.ground().database.pool.query(`delete from operator_acts where client = '127.0.0.1'`);
  const filter = { statuses: ['held'], providers: ['FRED'] } as const;
  const [suspect] = await readSuspects(site.ground().database, filter, 1);
  const shown = async (page: Page) => {
    // What the scripts of a page request has come. The console listens for changes all the time.
    if (!isConsole) await page.waitForLoadState('networkidle');
    if (/SUSPECT/.test(path)) await expectText(page, 'main', /change on|No blended|Compared with/);
    await take(page, name, look);
  };
  await site[isConsole ? 'visiting' : 'visit'](path.replace('SUSPECT', suspect?.id ?? ''), shown, look);
}

describe.each(Object.entries(PAGES))('the picture of %s', (name, path) => {
  test.each(LOOKS.slice(0, name === 'home' ? 4 : 2))('at $viewport.width, $colorScheme', (look) =>
    visit(name, path, look),
  );
});

const LATER = { id: 'later', delay: 10 * 60_000 };
const ADRIFT = { home: '/?base=EUR&quote=USD', status: '/status', 'console-overview': '/admin' };

describe('without internet access', () => {
  beforeAll(async () => {
    const { database, queues } = site.ground();
    const unreached = READ.filter((key) => !KEYED.includes(key));
    await recordRuns(database, new Date(NOW.getTime() - READ.length * 1_000), unreached);
    for (const provider of unreached) await enqueueRecent(queues.ingest, { ...RECENT, provider }, LATER);
  });
  test.each(Object.entries(ADRIFT))('the picture of %s', async (name, path) => {
    const { url, catchUp } = site.api();
    await catchUp();
    await patiently(async () => expect(await (await fetch(`${url}/status`)).text()).toMatch(/not reached/));
    await visit(`${name}-offline`, path, LOOKS[0]);
  });
});
