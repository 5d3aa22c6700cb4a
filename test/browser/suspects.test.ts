import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSuspects } from '../../core/database/suspects.js';
import { openQueueAccess, type QueueAccess } from '../../src/operations/queue-access.js';
import { log } from '../src/operations/support.js';
import { startApi, type TestApi } from '../support/api.js';
import { storeIn } from '../worker/ingest/support.js';
import { type Ground, ground, TODAY } from '../worker/jobs/support.js';
import { startChromium } from './chromium.js';
import { expectText, faultsOf, follow, openPage, patiently } from './site.js';

const TOKEN = 'a-token-that-is-set-in-a-browser';
const NAIRA = { base: 'USD', quote: 'NGN' };

/** A service with a worker, both real, a rate ten times too high, and a table whose own currency moved. */
let g: Ground;
let queues: QueueAccess;
let api: TestApi;
let browser: Browser;
let suspects: { naira: string; krona: string };

beforeAll(async () => {
  g = await ground(false);
  const krona = (date: string, by: number) =>
    Object.entries({ USD: 100, EUR: 120, GBP: 150 }).map(([base, rate]) => ({
      date,
      base,
      quote: 'ISK',
      rate: rate * by,
    }));
  for (const [date, rate] of Object.entries({
    '2026-11-17': 1464.67,
    '2026-11-18': 1470.1,
    '2026-11-19': 14_702,
  })) {
    await storeIn(g.database, 'CBN', { ...NAIRA, date, rate });
    await storeIn(g.database, 'SBI', ...krona(date, date === '2026-11-19' ? 1.4 : 1));
    await storeIn(g.database, 'ECB', { date, base: 'EUR', quote: 'USD', rate: 1.1 });
  }
  const found = await readSuspects(g.database, {}, 10);
  const idOf = (provider: string) => found.find((one) => one.provider === provider)?.id ?? '';
  suspects = { naira: idOf('CBN'), krona: idOf('SBI') };
  g.work();
  queues = openQueueAccess({ databaseUrl: g.database.url }, log);
  const variables = { ADMIN_TOKEN: TOKEN };
  const clock = () => new Date(`${TODAY}T20:00:00Z`);
  api = await startApi(g.database, { variables, clock, parts: { queues } });
  browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  await api?.close();
  await queues?.close();
  await g?.close();
});

/** Logs in, and opens a page. */
async function visiting(path: string, work: (page: Page) => Promise<void>, options = {}): Promise<void> {
  const { page, problems, close } = await openPage(browser, api.url, options);
  try {
    await page.goto(`${api.url}/admin/login`);
    await page.fill('#token', TOKEN);
    await follow(page, page.getByRole('button', { name: 'Log in' }));
    await page.goto(`${api.url}${path}`);
    await work(page);
    expect(problems).toEqual([]);
  } finally {
    await close();
  }
}

/** The blended rates of the naira on the newest day: none where there is no blend. */
async function rates(): Promise<number[]> {
  await api.catchUp();
  const response = await fetch(`${api.url}/v2/rates?base=USD&quotes=NGN&from=2026-11-19&to=2026-11-19`);
  return ((await response.json()) as { rate: number }[]).map(({ rate }) => rate);
}

/** Follows the link to a decision, reads what it changes, and makes it. */
async function decide(page: Page, link: string, change: RegExp): Promise<void> {
  await follow(page, page.getByRole('link', { name: link, exact: true }));
  await expectText(page, '#change', change);
  await follow(page, page.getByRole('button', { name: link.split(' ', 1)[0] ?? '' }));
  await expectText(page, '#job', /Completed/);
}

describe('the suspects in the console of operators', () => {
  test('one is accepted, and taken back, as the API then shows', async () => {
    expect(await rates()).toEqual([]);
    await visiting('/admin/suspects', async (page) => {
      await follow(page, page.getByRole('link', { name: 'USD/NGN' }));
      await expectText(page, 'main', /A power of ten off: × 10.* against 1,470.10/);
      await expectText(page, 'main', /NGN.*\+900%/);
      await decide(page, 'Accept', /The blends of 1 day change: 19 November 2026/);
      await expectText(page, 'main', /Accepted.* by session/);
      await patiently(async () => expect(await rates()).toEqual([14_702]));
      await decide(page, 'Take back', /The blends of 1 day change/);
      await expectText(page, 'main', /Held back/);
      await patiently(async () => expect(await rates()).toEqual([]));
    });
  });

  test('one rate of a table is decided on alone', async () => {
    await visiting(`/admin/suspects/${suspects.krona}`, async (page) => {
      await expectText(page, 'h1', /ISK, 3 rates/);
      await follow(page, page.getByRole('link', { name: 'GBP/ISK' }));
      await decide(page, 'Reject only this rate', /./);
      await expectText(page, 'main', /Rejected/);
      await page.goto(`${api.url}/admin/suspects?status=held`);
      await expectText(page, '#suspects', /ISK, 2 rates/);
    });
  });

  test('programs get the data at the same path', async () => {
    const ask = (path: string, accept: string) =>
      fetch(`${api.url}${path}`, { headers: { authorization: `Bearer ${TOKEN}`, accept } });
    const response = await ask(`/admin/suspects?question=${suspects.krona}`, 'text/html');
    expect(await response.json()).toMatchObject({
      suspects: [{ base: 'EUR', quote: 'ISK', status: 'held' }],
    });
  });

  test.each(['', '/naira', '/krona', '/naira/decide?status=accepted'])(
    '%s has no faults, on a phone and in the dark',
    async (path) => {
      const there = path.replace(/naira|krona/, (name) => suspects[name as keyof typeof suspects]);
      for (const options of [{}, { colorScheme: 'dark', viewport: { width: 360, height: 740 } }])
        await visiting(
          `/admin/suspects${there}`,
          async (page) => {
            expect(await faultsOf(page)).toEqual([]);
            expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
          },
          options,
        );
    },
  );
});
