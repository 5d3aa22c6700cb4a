import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Locator, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startApi, type TestApi } from '../support/api.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { startChromium } from './chromium.js';
import { madeUpWorld } from './world.js';

type Options = BrowserContextOptions;
/** A path, and what the browser is like if it matters. */
type Where = string | ({ path: string } & Options);
type Work = (watched: WatchedPage) => Promise<void>;

/** The rates that the service has, and what it takes for the present. */
export interface World {
  fill(database: TestDatabase): Promise<void>;
  now: Date;
}

/** The service over a world, and a browser: started before the tests of a file, closed after them. */
export interface Site {
  /** Opens a page, does something with it, and expects that it has kept to itself and complained of nothing. */
  visit(where: Where, work: Work): Promise<void>;
  /** A test of one such visit. */
  visiting(name: string, where: Where, work: Work): void;
  /** A test with a page that may complain, such as one whose requests are to fail. */
  opening(name: string, work: Work): void;
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

  async function open(options: Options, work: Work): Promise<void> {
    const watched = await openPage(browser, api.url, options);
    try {
      await work(watched);
    } finally {
      await watched.close();
    }
  }

  const visit = (where: Where, work: Work) => {
    const { path, ...options } = typeof where === 'string' ? { path: where } : where;
    return open(options, async (watched) => {
      await watched.page.goto(`${api.url}${path}`, { waitUntil: 'networkidle' });
      // On a busy machine the network may be idle while half of the page is still to be parsed.
      await watched.page.waitForLoadState('load');
      await work(watched);
      expect(watched.foreign).toEqual([]);
      expect(watched.problems).toEqual([]);
      expect(await watched.page.context().cookies()).toEqual([]);
    });
  };

  return {
    visit,
    visiting: (name, where, work) => test(name, () => visit(where, work)),
    opening: (name, work) => test(name, () => open({}, work)),
    url: () => api.url,
    stop: () => api.close(),
    async restart() {
      api = await start(Number(new URL(api.url).port));
    },
  };
}

/** Waits for what is to become true. Tests that run beside each other can't use `expect.poll`. */
export const patiently = (expectation: () => Promise<void>) => vi.waitFor(expectation, { timeout: 60_000 });

export const expectText = (page: Page, selector: string, expected: string | RegExp) =>
  patiently(async () =>
    expect((await page.textContent(selector))?.replaceAll('\u00a0', ' ')).toMatch(expected),
  );

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

/** A page that notes what it should not do. */
interface WatchedPage {
  page: Page;
  /** What was written to the console as an error or a warning, and what was thrown. */
  problems: string[];
  /** Requests to another server. */
  foreign: string[];
  /** What came over the network so far, heads included, in bytes. */
  transferred(): Promise<number>;
  close(): Promise<void>;
}

/** Opens a page of the service in a new context, as a reader in Britain unless the options say otherwise. */
export async function openPage(browser: Browser, url: string, options: Options): Promise<WatchedPage> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options });
  const page = await context.newPage();
  // Less than the time limit of a test, since a busy machine may be slow.
  page.setDefaultTimeout(100_000);
  const problems: string[] = [];
  const foreign: string[] = [];
  const finished: Request[] = [];
  page.on('console', (message) => {
    const problem = `${message.text()} (${message.location().url})`;
    if (/error|warning/.test(message.type())) problems.push(problem);
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(url).origin) foreign.push(request.url());
  });
  page.on('requestfinished', (request) => finished.push(request));
  return {
    page,
    problems,
    foreign,
    async transferred() {
      const sizes = await Promise.all(finished.map((request) => request.sizes()));
      return sizes.reduce((sum, size) => sum + size.responseBodySize + size.responseHeadersSize, 0);
    },
    close: () => context.close(),
  };
}

interface Finding {
  id: string;
  impact?: string | null;
  nodes: { html: string }[];
}

/** The serious and critical findings of axe on a page, each with the elements that it is about. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run()')) as { violations: Finding[] };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
