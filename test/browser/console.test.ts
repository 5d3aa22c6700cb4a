import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLoginLink } from '../../core/database/operator-token.js';
import { noteEnd, takeRequest } from '../../core/database/worker-tasks.js';
import { openQueueAccess, type QueueAccess } from '../../src/operations/queue-access.js';
import { log } from '../src/operations/support.js';
import { startApi, type TestApi } from '../support/api.js';
import { answer } from '../support/http-stub.js';
import { dollars } from '../worker/ingest/support.js';
import { type Ground, ground, TODAY } from '../worker/jobs/support.js';
import { startChromium } from './chromium.js';
import { expectText, faultsOf, follow, openPage, patiently } from './site.js';

const TOKEN = 'a-token-that-is-set-in-a-browser';
const NOW = new Date(`${TODAY}T20:00:00Z`);

/** A service with a worker and a bank, all real, whose operators have no token yet. */
let g: Ground;
let queues: QueueAccess;
let api: TestApi;
let browser: Browser;
/** What the bank publishes for the last day. */
let newest: number;

beforeAll(async () => {
  g = await ground(false);
  g.bank('ECB');
  g.stub.route('/ECB', (request, response) =>
    answer([{ ...dollars(TODAY), rate: newest }])(request, response),
  );
  g.work();
  queues = openQueueAccess({ databaseUrl: g.database.url }, log);
  api = await startApi(g.database, { clock: () => NOW, parts: { queues } });
  browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  await api?.close();
  await queues?.close();
  await g?.close();
});
beforeEach(() => {
  newest = 1.1;
});

async function visit(path: string, work: (page: Page) => Promise<void>, options = {}): Promise<void> {
  const opened = await openPage(browser, api.url, options);
  try {
    await opened.page.goto(`${api.url}${path}`);
    await work(opened.page);
    // The browser reports the status of a refused request as a problem.
    const problems = opened.problems.filter((one) => !/status of (403|410)/.test(one));
    expect([opened.foreign, problems]).toEqual([[], []]);
  } finally {
    await opened.close();
  }
}

async function setToken(page: Page): Promise<void> {
  await page.fill('#token', TOKEN);
  await follow(page, page.getByRole('button', { name: 'Set the token and log in' }));
}

/** Logs in and opens a page. */
const visiting = (path: string, work: (page: Page) => Promise<void>, options = {}) =>
  visit(
    '/admin/login',
    async (page) => {
      await page.fill('#token', TOKEN);
      await follow(page, page.getByRole('button', { name: 'Log in' }));
      await page.goto(`${api.url}${path}`);
      await work(page);
    },
    options,
  );

const rateNow = async () => {
  await api.catchUp();
  const response = await fetch(`${api.url}/v2/rates?providers=ECB&base=EUR&quotes=USD`);
  const rows = (await response.json()) as { rate: number }[];
  return rows[0]?.rate;
};

describe('the console of operators', () => {
  test('is opened by a link that works once, and sets the token', async () => {
    const link = await createLoginLink(g.database, NOW);
    await visit(link, async (page) => {
      expect((await page.inputValue('#token')).length).toBeGreaterThan(30);
      await setToken(page);
      expect(new URL(page.url()).pathname).toBe('/admin');
      await expectText(page, 'h1', 'Overview');
    });
    await visit('/admin/login', async (page) => {
      const response = await page.goto(`${api.url}${link}`);
      expect(response?.status()).toBe(410);
      await expectText(page, 'h1', 'This link has expired');
      await expectText(page, 'main', /works once/);
    });
    await visiting('/admin', (page) => expectText(page, 'h1', 'Overview'));
  });

  test('reads a source again, from the click to the changed rate', async () => {
    await visiting('/admin/sources', async (page) => {
      await follow(page, page.getByRole('link', { name: 'European Central Bank' }));
      for (const rate of [1.1, 1.25]) {
        newest = rate;
        await follow(page, page.getByRole('link', { name: 'Newest 14 days' }));
        await expectText(page, 'h1', 'Read European Central Bank');
        await follow(page, page.getByRole('button', { name: 'Read now' }));
        // The page is updated by itself.
        await expectText(
          page,
          '#job',
          new RegExp(`Completed.*: 1? ?${rate === 1.1 ? '1 new' : '0 new, 1 corrected'}`),
        );
        await patiently(async () => expect(await rateNow()).toBe(rate));
      }
      await expectText(page, '#history', /operator/);
      await page.getByText('Responses').first().click();
      await expectText(page, '#history details[open]', /SHA-256/);
    });
  });

  test('takes no form that another page sends', async () => {
    await visiting('/admin/sources/ECB/read?window=all', async (page) => {
      const before = await g.queues.ingest.getJobCounts();
      await page.evaluate("document.querySelector('[name=form_token]').value = 'x'");
      const [response] = await Promise.all([
        page.waitForResponse((one) => one.request().method() === 'POST'),
        page.getByRole('button', { name: 'Read now' }).click(),
      ]);
      expect(response.status()).toBe(403);
      await expectText(page, 'main', /not from this session/);
      expect(await g.queues.ingest.getJobCounts()).toEqual(before);
    });
  });

  test('shows the result of a requested publication once a worker has it', async () => {
    await visiting('/admin/publication/request', async (page) => {
      await follow(page, page.getByRole('button', { name: 'Publish now' }));
      await expectText(page, '#task', /Requested/);
      expect(await takeRequest(g.database, 'publish', NOW)).toBe(true);
      await expectText(page, '#task', /In progress/);
      await noteEnd(g.database, 'publish', { now: NOW, outcome: { state: 'published', records: 2 } });
      await expectText(page, '#task', /^Last run.*published/);
    });
  });

  const ERRANDS = ['', '/sources', '/jobs', '/publication', '/backups', '/audit', '/settings'];
  const PAGES = [...ERRANDS, '/sources/ECB', '/sources/ECB/read?window=month'].map((path) => `/admin${path}`);
  test.each(PAGES)('%s has no faults, by keyboard, on a phone and in the dark', async (path) => {
    for (const options of [{}, { colorScheme: 'dark', viewport: { width: 360, height: 740 } }])
      await visiting(
        path,
        async (page) => {
          expect(await faultsOf(page)).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
          await page.keyboard.press('Tab');
          expect(await page.evaluate('document.activeElement.className')).toBe('skip');
        },
        options,
      );
  });
});
