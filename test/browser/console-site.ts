import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { openQueueAccess } from '../../src/operations/queue-access.js';
import { log } from '../src/operations/support.js';
import { startApi, type TestApi } from '../support/api.js';
import { type Ground, ground } from '../worker/jobs/support.js';
import { startChromium } from './chromium.js';
import { faultsOf, follow, openPage } from './site.js';

export const TOKEN = 'a-token-that-is-set-in-a-browser';

type Work = (page: Page) => Promise<void>;

interface Start {
  now: Date;
  /** Whether ADMIN_TOKEN is set. */
  hasToken: boolean;
  variables?: Record<string, string>;
  /** Called before the service starts. */
  prepare(ground: Ground): Promise<void>;
}

export type ConsoleSite = ReturnType<typeof openConsole>;

const PHONE_IN_THE_DARK = { colorScheme: 'dark', viewport: { width: 360, height: 740 } } as const;

/** A service with a worker, both real, and a browser: started before the tests of a file, closed after them. */
export function openConsole({ now, hasToken, variables: given, prepare }: Start) {
  let opened: { g: Ground; api: TestApi; browser: Awaited<ReturnType<typeof startChromium>> };
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const g = await ground(false);
    closing.push(g.close);
    await prepare(g);
    g.work();
    const queues = openQueueAccess({ databaseUrl: g.database.url }, log);
    closing.push(queues.close);
    const variables = { ...given, ...(hasToken && { ADMIN_TOKEN: TOKEN }) };
    const api = await startApi(g.database, { variables, clock: () => now, parts: { queues } });
    closing.push(api.close);
    const browser = await startChromium();
    closing.push(() => browser.close());
    opened = { g, api, browser };
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
  });

  /** Opens a page, and expects no errors but those of refused requests. */
  const visit = async (path: string, work: Work, options: BrowserContextOptions = {}) => {
    const { page, foreign, problems, close } = await openPage(opened.browser, opened.api.url, options);
    try {
      await page.goto(`${opened.api.url}${path}`);
      await work(page);
      expect([foreign, problems.filter((one) => !/status of 4\d\d/.test(one))]).toEqual([[], []]);
    } finally {
      await close();
    }
  };
  /** Logs in first. */
  const visiting = (path: string, work: Work, options?: BrowserContextOptions) =>
    visit(
      '/admin/login',
      async (page) => {
        await page.fill('#token', TOKEN);
        await follow(page, page.getByRole('button', { name: 'Log in' }));
        await page.goto(`${opened.api.url}${path}`);
        await work(page);
      },
      options,
    );
  return { ground: () => opened.g, api: () => opened.api, visit, visiting };
}

/** What a finger may miss, with its height: buttons, fields, navigation and rows. */
const SMALL_TARGETS = `[...document.querySelectorAll('nav a, main :is(.button, button, select, input, th a)')]
  .map((one) => [one.textContent, Math.round((one.closest('tr') ?? one).getBoundingClientRect().height)])
  .filter(([, height]) => height > 0 && height < 44)`;

/**
 * On a wide screen, and on a phone in the dark: no finding of axe, no overflow, and the first stop of the keyboard skips to the
 * content. On the phone, all targets are large enough for a finger.
 */
export async function expectNoFaults({ visiting }: ConsoleSite, path: string): Promise<void> {
  for (const options of [{}, PHONE_IN_THE_DARK])
    await visiting(
      path,
      async (page) => {
        expect(await faultsOf(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
        if ('colorScheme' in options) expect(await page.evaluate(SMALL_TARGETS)).toEqual([]);
        await page.keyboard.press('Tab');
        expect(await page.evaluate('document.activeElement.className')).toBe('skip');
      },
      options,
    );
}
