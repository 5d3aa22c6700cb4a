import { pino } from 'pino';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openQueueAccess, type QueueAccess } from '../../src/operations/queue-access.js';
import { startApi, type TestApi } from '../support/api.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { startChromium } from './chromium.js';
import { savePicture } from './picture.js';
import { openPage } from './site.js';
import { madeUpWorld } from './world.js';

const TOKEN = 'a-token-for-tests-only';

let database: TestDatabase;
let queues: QueueAccess;
let api: TestApi;
let browser: Browser;
beforeAll(async () => {
  database = await testDatabase();
  await madeUpWorld.fill(database);
  queues = openQueueAccess({ databaseUrl: database.url }, pino({ level: 'silent' }));
  const clock = () => madeUpWorld.now;
  api = await startApi(database, { clock, variables: { ADMIN_TOKEN: TOKEN }, parts: { queues } });
  browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  await api?.close();
  await queues?.close();
  await database?.close();
});

const PAGES = {
  overview: '/admin',
  sources: '/admin/sources',
  source: '/admin/sources/CNB',
  read: '/admin/sources/ECB/read?window=month',
  suspects: '/admin/suspects',
  suspect: '/admin/suspects/1',
  jobs: '/admin/jobs',
  publication: '/admin/publication',
  backups: '/admin/backups',
  audit: '/admin/audit',
  settings: '/admin/settings',
};

test.each([
  { viewport: { width: 1280, height: 900 }, look: '', colorScheme: 'light' },
  { viewport: { width: 360, height: 740 }, look: '-dark', colorScheme: 'dark' },
] as const)('the console fits on a screen of $viewport.width, which its pictures show', async (options) => {
  const { viewport, look } = options;
  const { page, close } = await openPage(browser, api.url, options);
  await page.goto(`${api.url}/admin/login`);
  await savePicture(page, `console-login-${viewport.width}${look}`);
  await page.fill('#token', TOKEN);
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
  for (const [name, path] of Object.entries(PAGES)) {
    await page.goto(api.url + path);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect([path, Number(width) <= viewport.width]).toEqual([path, true]);
    await savePicture(page, `console-${name}-${viewport.width}${look}`);
  }
  await close();
});
