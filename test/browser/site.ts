import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { startChromium } from '../../tools/bench/support/chromium.js';
import { startApi, type TestApi } from '../support/api.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { openPage, type WatchedPage } from './browser.js';
import { madeUpWorld } from './world.js';

type Options = Parameters<typeof openPage>[2];

/** The rates that the service has, and what it takes for the present. */
export interface World {
  fill(database: TestDatabase): Promise<void>;
  now: Date;
}

/** The service over a world, and a browser: started before the tests of a file, closed after them. */
export interface Site {
  /** Opens a page, does something with it, and expects that it has kept to itself and complained of nothing. */
  visit(path: string, work: (watched: WatchedPage) => Promise<void>, options?: Options): Promise<void>;
  /** A page that is not watched to its end, such as one whose requests are to fail. */
  open(options?: Options): Promise<WatchedPage>;
  url(): string;
  /** Ends the service, and starts it again at the same address. */
  stop(): Promise<void>;
  restart(): Promise<void>;
}

export function openSite(world: World = madeUpWorld): Site {
  let database: TestDatabase;
  let api: TestApi;
  let browser: Browser;

  const start = (port?: number) => startApi(database, { clock: () => world.now, port });

  beforeAll(async () => {
    database = await testDatabase();
    await world.fill(database);
    api = await start();
    browser = await startChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await api?.close();
    await database?.close();
  });

  const open = (options: Options = {}) => openPage(browser, api.url, options);
  return {
    open,
    url: () => api.url,
    stop: () => api.close(),
    async restart() {
      api = await start(Number(new URL(api.url).port));
    },
    async visit(path, work, options) {
      const watched = await open(options);
      try {
        await watched.page.goto(`${api.url}${path}`, { waitUntil: 'networkidle' });
        // On a busy machine the network may be idle while half of the page is still to be parsed.
        await watched.page.waitForLoadState('load');
        await work(watched);
        expect(watched.foreign).toEqual([]);
        expect(watched.problems).toEqual([]);
        expect(await watched.page.context().cookies()).toEqual([]);
      } finally {
        await watched.close();
      }
    },
  };
}

/** Waits for what is to become true. Tests that run beside each other can't use `expect.poll`. */
export const patiently = (expectation: () => Promise<void>) => vi.waitFor(expectation, { timeout: 60_000 });

export const expectText = (page: Page, selector: string, expected: string | RegExp) =>
  patiently(async () => expect(await page.textContent(selector)).toMatch(expected));

/** Clicks a link or a button that leads to another page, and waits until that page is parsed to its end. */
export async function follow(page: Page, link: Locator): Promise<void> {
  await Promise.all([page.waitForEvent('load'), link.click()]);
}

/** Chooses a currency in the list that replaces a select element. */
export async function pick(page: Page, name: 'base' | 'quote', text: string): Promise<void> {
  await page.click(`#${name}-button`);
  await page.fill(`[aria-controls=${name}-list]`, text);
  await page.keyboard.press('Enter');
}
