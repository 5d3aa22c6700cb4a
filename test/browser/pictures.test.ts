import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { noteReadingPlan } from '../../core/database/reading-plan.js';
import { readSuspects } from '../../core/database/suspects.js';
import { noteEnd } from '../../core/database/worker-tasks.js';
import { needsKeyError } from '../../core/domain/provider-status.js';
import { providers } from '../../core/domain/providers.js';
import { projectFolder } from '../../core/process/project-files.js';
import { recordRuns } from '../support/recorded-runs.js';
import { loadAll } from '../support/shipped-rates.js';
import { openConsole } from './console-site.js';
import { expectText, patiently } from './site.js';

/** The evening of the newest day of the rates that ship with the project. */
const NOW = new Date('2026-04-16T17:30:00Z');
const YESTERDAY = new Date('2026-04-15T17:30:00Z');
const READ = providers.filter(({ publish_cadence: cadence }) => cadence !== null).map(({ key }) => key);

const KEYED = ['BCCH', 'TCMB'];

/** The rates that ship with the project, on their newest day, with a worker that reads all sources. */
const site = openConsole({
  now: NOW,
  hasToken: true,
  async prepare({ database }) {
    await loadAll(database);
    await database.pool.query('update ingest_runs set started_at = $1, finished_at = $1', [YESTERDAY]);
    await noteReadingPlan(database, READ, NOW);
    const isKeyed = (key: string) => KEYED.includes(key);
    const started = new Date(NOW.getTime() - 3_600_000);
    await recordRuns(
      database,
      started,
      READ.filter((key) => !isKeyed(key)),
      null,
    );
    await database.pool.query(
      `insert into ingest_runs (provider, reason, window_from, started_at, finished_at, outcome, responses, rows_new)
         select provider, reason, window_from - ago, started_at - ago * interval '1 day',
           finished_at - ago * interval '1 day', outcome, 1, 1
         from ingest_runs, generate_series(1, 29) as ago where reason = 'schedule'`,
    );
    await recordRuns(database, started, ['RBM'], 'HTTP 503 from https://www.rbm.mw/');
    for (const key of KEYED) await recordRuns(database, started, [key], needsKeyError([`${key}_API_KEY`]));
    const published = { state: 'published', records: 1_204, files: 37, bytes: 9_412_807 };
    await noteEnd(database, 'publish', { now: NOW, outcome: published });
    await noteEnd(database, 'back up', {
      now: NOW,
      outcome: { folder: '2026-04-16-004700', rows: 3_140_226 },
    });
  },
});

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };
const LOOKS = [
  { viewport: WIDE, colorScheme: 'light' },
  { viewport: NARROW, colorScheme: 'dark' },
] as const;
const OTHER_LOOKS = [
  { viewport: WIDE, colorScheme: 'dark' },
  { viewport: NARROW, colorScheme: 'light' },
] as const;
type Look = (typeof LOOKS | typeof OTHER_LOOKS)[number];

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
  'console-decide': '/admin/suspects/SUSPECT/decide?status=accepted',
  'console-jobs': '/admin/jobs',
  'console-publication': '/admin/publication',
  'console-backups': '/admin/backups',
  'console-audit': '/admin/audit',
  'console-settings': '/admin/settings',
  'console-not-found': '/admin/sources/XYZ',
};

const QUALITY = 75;

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
  const filter = { statuses: ['held'], providers: ['FRED'] } as const;
  const [suspect] = await readSuspects(site.ground().database, filter, 1);
  const shown = async (page: Page) => {
    // What the scripts of a page request has come. The console listens for changes all the time.
    if (!isConsole) await page.waitForLoadState('networkidle');
    if (/SUSPECT/.test(path)) await expectText(page, 'main', /change on|No blended/);
    await take(page, name, look);
  };
  await site[isConsole ? 'visiting' : 'visit'](path.replace('SUSPECT', suspect?.id ?? ''), shown, look);
}

describe.each(Object.entries(PAGES))('the picture of %s', (name, path) => {
  const looks: readonly Look[] = name === 'home' ? [...LOOKS, ...OTHER_LOOKS] : LOOKS;
  test.each(looks)('at $viewport.width, $colorScheme', (look) => visit(name, path, look));
});

const ADRIFT = { home: '/?base=EUR&quote=USD', status: '/status', 'console-overview': '/admin' };

describe('without internet access', () => {
  test.each(Object.entries(ADRIFT))('the picture of %s', async (name, path) => {
    await recordRuns(site.ground().database, new Date(NOW.getTime() - READ.length * 1_000), READ);
    const { url, catchUp } = site.api();
    await catchUp();
    await patiently(async () => expect(await (await fetch(`${url}/status/age`)).text()).toMatch(/internet/));
    await visit(`${name}-offline`, path, LOOKS[0]);
  });
});
