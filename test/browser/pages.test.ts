import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { projectFolder } from '../../core/process/project-files.js';
import { startChromium } from '../../tools/bench/support/chromium.js';
import { startApi, type TestApi } from '../support/api.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { faultsOf } from './accessibility.js';
import { openPage, type WatchedPage } from './browser.js';
import { fillWorld, NOW } from './world.js';

/** What comes over the network, heads included. */
const HOME_BYTES = 120_000;
/** Processor time of the page's main thread until the chart is drawn. */
const HOME_READY_MS = 500;

const PAGES = [
  { name: 'home', path: '/' },
  { name: 'status', path: '/status' },
  { name: 'currency', path: '/currency/CHF' },
  { name: 'provider', path: '/provider/ECB' },
  { name: 'reference', path: '/docs' },
  { name: 'reference-plain', path: '/docs/plain' },
];
const WIDTHS = [
  { width: 1280, height: 900 },
  { width: 360, height: 740 },
];

let database: TestDatabase;
let api: TestApi;
let browser: Browser;

beforeAll(async () => {
  database = await testDatabase();
  await fillWorld(database);
  api = await startApi(database, { clock: () => NOW });
  browser = await startChromium();
});

afterAll(async () => {
  await browser?.close();
  await api?.close();
  await database?.close();
});

/** Opens a page, does something with it, and expects that it has kept to itself and complained of nothing. */
async function visit(
  path: string,
  work: (watched: WatchedPage) => Promise<void>,
  options: Parameters<typeof openPage>[2] = {},
): Promise<void> {
  const watched = await openPage(browser, api.url, options);
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
}

/** Waits for what is to become true. Tests that run beside each other can't use `expect.poll`. */
const patiently = (expectation: () => Promise<void>) => vi.waitFor(expectation, { timeout: 60_000 });

const expectText = (page: Page, selector: string, expected: string | RegExp) =>
  patiently(async () => expect(await page.textContent(selector)).toMatch(expected));

describe('home', () => {
  test('converts what is typed, by the request that it shows', () =>
    visit('/', async ({ page }) => {
      await expectText(page, '[data-result]', /^100 EUR = 115\.\d\d USD/);
      await page.fill('#amount', '2.500,50');
      await expectText(page, '[data-result]', /^2,500\.50 EUR = 2,88\d\.\d\d USD/);
      await page.selectOption('#quote', 'JPY');
      await expectText(page, '[data-result]', /= 4\d\d,\d\d\d JPY.*observed 20 March 2026/s);
      await page.fill('#date', '2026-02-15');
      await expectText(page, '[data-result]', 'observed 13 February 2026');
      const url = await page.locator('[data-snippet=URL] code').first().textContent();
      expect(url).toBe(`${api.url}/v2/convert/EUR/JPY?amount=2500.50&date=2026-02-15`);
      expect(page.url()).toContain('quote=JPY');
      await expectText(page, '#chart-title', /^EUR to JPY$/);
    }));

  test('exchanges the two currencies, and says what is wrong with an amount', async () => {
    await visit('/', async ({ page }) => {
      await page.click('.swap');
      await expectText(page, '[data-result]', /^100 USD = 86\.\d\d EUR/);
      await expectText(page, '.rates thead', 'For one USD');
    });
    const watched = await openPage(browser, api.url);
    await watched.page.goto(api.url);
    await watched.page.fill('#amount', 'many');
    await expectText(watched.page, '.problem', 'invalid amount');
    await watched.close();
  });

  test('draws the pair, and shows the day that the pointer is on', () =>
    visit('/', async ({ page }) => {
      const plot = page.locator('[data-chart]');
      await plot.locator('canvas').waitFor();
      const newest = await page.textContent('[data-readout]');
      expect(newest).toMatch(/^1\.15\d\d 20 March 2026 · \d+ sources, 1\.15\d\d to 1\.15\d\d$/);
      const { x, y, width, height } = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      await page.mouse.move(x + width / 2, y + height / 2);
      await patiently(async () => expect(await page.textContent('[data-readout]')).not.toBe(newest));
      await page.mouse.move(x, y - 100);
      await patiently(async () => expect(await page.textContent('[data-readout]')).toBe(newest));
    }));

  test('moves through the days by keyboard', () =>
    visit('/', async ({ page }) => {
      await page.locator('[data-chart] canvas').waitFor();
      const chart = page.getByRole('slider');
      await chart.focus();
      await page.keyboard.press('ArrowLeft');
      await patiently(async () =>
        expect(await chart.getAttribute('aria-valuetext')).toContain('19 March 2026'),
      );
      await page.keyboard.press('Home');
      await patiently(async () =>
        expect(await chart.getAttribute('aria-valuetext')).toContain('17 February 2026'),
      );
    }));

  test.each(['5d', '6m', '1y', '5y', 'all'])('draws the span %s', (span) =>
    visit('/', async ({ page }) => {
      await page.locator('[data-chart] canvas').waitFor();
      await page.click(`[data-span="${span}"]`);
      await page.waitForURL(`**span=${span}**`);
      await page.locator('[data-chart]:not([aria-busy])').waitFor();
      const points = Number(await page.getByRole('slider').getAttribute('aria-valuemax')) + 1;
      const expected = { '5d': [5, 5], '6m': [120, 140], '1y': [50, 54], '5y': [255, 265], all: [320, 330] }[
        span
      ];
      expect(points).toBeGreaterThanOrEqual(expected?.[0] ?? 0);
      expect(points).toBeLessThanOrEqual(expected?.[1] ?? 0);
      await page.locator('.request label', { hasText: 'Chart' }).click();
      const request = (await page.textContent('[data-snippets=series] [data-snippet=URL]'))?.trim() ?? '';
      expect(request).toContain('expand=providers');
      // The lines of the sources come after the first drawing, by the request that is shown.
      await page.locator('[data-sources-label]', { hasText: /^Each source$/ }).waitFor();
      await expectText(page, '[data-readout]', /· \d+ sources, 1\.\d+ to 1\.\d+$/);
      expect((await fetch(request)).status).toBe(200);
    }),
  );

  test('names the source whose line the pointer is on, unless these are hidden', () =>
    visit('/?span=1y', async ({ page }) => {
      const readout = page.locator('[data-readout]');
      await expectText(page, '[data-readout]', 'sources');
      const plot = page.locator('[data-chart] .u-over');
      const { x, y, width, height } = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const pointAlong = async () => {
        const named: string[] = [];
        for (let step = 0; step < 20; step++) {
          await page.mouse.move(x + width * 0.9, y + (height * step) / 20);
          named.push(/, ([A-Z]+) 1\.\d+$/.exec((await readout.textContent()) ?? '')?.[1] ?? '');
        }
        return named.filter((name) => name !== '');
      };
      expect((await pointAlong()).length).toBeGreaterThan(0);
      await page.getByLabel('Each source').uncheck();
      expect(await pointAlong()).toEqual([]);
    }));

  test('says so when the service can not be reached, and goes on when it can', async () => {
    const { page, close } = await openPage(browser, api.url);
    try {
      await page.goto(api.url, { waitUntil: 'networkidle' });
      await page.context().setOffline(true);
      await page.fill('#amount', '7');
      await page.getByText('The service can not be reached. Try again.').waitFor();
      await page.click('[data-span="6m"]');
      await page.getByText(/The chart can not be read now/).waitFor();
      await page.context().setOffline(false);
      await page.fill('#amount', '8');
      await expectText(page, '[data-result]', /^8 EUR = 9\.\d\d USD/);
      await page.click('[data-span="5d"]');
      await expectText(page, '[data-readout]', 'sources');
    } finally {
      await close();
    }
  });

  test('is light, and ready soon', async () => {
    // The first visit pays for compiling what the server runs and for reading the sources.
    await visit('/', async ({ transferred }) => expect(await transferred()).toBeLessThan(HOME_BYTES));
    const { page, close } = await openPage(browser, api.url);
    try {
      const session = await page.context().newCDPSession(page);
      // Not by the clock, which goes on while other programs of this machine run.
      await session.send('Performance.enable', { timeDomain: 'threadTicks' });
      await page.goto(api.url);
      await page.locator('[data-chart] canvas').waitFor();
      const { metrics } = await session.send('Performance.getMetrics');
      const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value;
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThan(HOME_READY_MS / 1000);
    } finally {
      await close();
    }
  });

  test('copies the request', async () => {
    await visit(
      '/',
      async ({ page }) => {
        await page.click('label[for=conversion-Python]');
        await page.click('.copy');
        const copied = await page.evaluate<string>('navigator.clipboard.readText()');
        expect(copied).toContain('urllib.request.urlopen(');
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    );
  });

  test('writes figures and dates as the reader does', () =>
    visit(
      '/?amount=1234.5',
      async ({ page }) => {
        await expectText(page, '[data-result]', /1\.234,5 EUR = 1\.4\d\d,\d\d USD/);
        await expectText(page, '[data-readout]', '20. März 2026');
      },
      { locale: 'de-DE' },
    ));
});

describe('status', () => {
  test('filters by state and by name, and sorts', () =>
    visit('/status', async ({ page }) => {
      const shown = page.locator('[data-sources] tbody tr:visible');
      expect(await shown.count()).toBeGreaterThan(100);
      await page.click('a.filter[data-state=late]');
      expect(await shown.count()).toBe(4);
      expect(page.url()).toContain('state=late');
      await page.click('a.filter[data-state=""]');
      await page.fill('#q', 'kenya');
      expect(await shown.count()).toBe(1);
      expect(await shown.first().textContent()).toContain('did not answer in time');
      await page.fill('#q', 'no such bank');
      await page.getByText('No source matches.').waitFor();
      await page.fill('#q', '');
      await page.click('[data-sort=name]');
      expect(await shown.first().textContent()).toMatch(/^\s*AMCM/);
      await page.click('[data-sort=name]');
      expect(await shown.first().textContent()).not.toMatch(/^\s*AMCM/);
      // The newest dates first, as without script, and then the other way round.
      await page.click('[data-sort=newest]');
      expect(await shown.first().textContent()).toContain('20 Mar 2026');
      await page.click('[data-sort=newest]');
      expect(await shown.first().textContent()).toContain('–');
    }));

  test('tells nothing that is not public', () =>
    visit('/status', async ({ page }) => {
      const text = await page.content();
      expect(text).not.toMatch(/TCMB_API_KEY|BCCH_USER|HTTP 503|30000/);
      expect(text).toContain('It needs a key, which this service has not been given.');
    }));
});

test('the page of a provider draws its rates beside the blend', () =>
  visit('/provider/ECB?span=1m', async ({ page }) => {
    await page.locator('[data-chart] canvas').waitFor();
    await expectText(page, '[data-readout]', /20 March 2026 · blend 1\.15/);
    await page.getByText('Blend of all').click();
  }));

test('the reference tries a request', () =>
  visit('/docs', async ({ page }) => {
    await page.getByRole('heading', { name: 'Almanac', exact: true }).waitFor();
    await page.goto(`${api.url}/docs#tag/rates/GET/v2/rates`);
    await page
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click();
    const answered = page.waitForResponse((response) =>
      new URL(response.url()).pathname.startsWith('/v2/rates'),
    );
    await page.getByRole('button', { name: /Send/ }).first().click();
    expect((await answered).status()).toBe(200);
  }));

describe('without script', () => {
  test.each(PAGES.filter(({ name }) => name !== 'reference'))('$path says what it has to say', ({ path }) =>
    visit(
      path,
      async ({ page }) => {
        expect((await page.innerText('main')).length).toBeGreaterThan(400);
        expect(await page.locator('canvas').count()).toBe(0);
      },
      { javaScriptEnabled: false },
    ),
  );

  test('home converts by its form', () =>
    visit(
      '/',
      async ({ page }) => {
        expect(await page.locator('svg.line-chart').count()).toBe(1);
        await page.fill('#amount', '20');
        await page.selectOption('#base', 'CHF');
        await page.getByRole('button', { name: 'Convert' }).click();
        expect(await page.textContent('[data-result]')).toMatch(/20 CHF = 25\.\d\d USD/);
        await page.click('.swap');
        expect(await page.textContent('[data-result]')).toMatch(/20 USD = 15\.\d\d CHF/);
      },
      { javaScriptEnabled: false },
    ));

  test('the reference leads to the one without script', () =>
    visit(
      '/docs',
      async ({ page }) => {
        await page.getByRole('main').getByRole('link', { name: 'without script' }).click();
        expect(page.url()).toBe(`${api.url}/docs/plain`);
      },
      { javaScriptEnabled: false },
    ));
});

describe.each(PAGES)('$path', ({ name, path }) => {
  test.each(WIDTHS)('fits a screen of $width, which its picture shows', (viewport) =>
    visit(
      path,
      async ({ page }) => {
        if (name === 'home') await page.locator('[data-chart] canvas').waitFor();
        if (name === 'reference') await page.getByRole('heading', { name: 'Almanac', exact: true }).waitFor();
        const width = await page.evaluate('document.documentElement.scrollWidth');
        expect(width).toBeLessThanOrEqual(viewport.width);
        await page.screenshot({
          path: join(projectFolder, 'docs/pictures', `${name}-${viewport.width}.png`),
          scale: 'css',
        });
      },
      { viewport },
    ),
  );

  test.each(['light', 'dark'] as const)('has no serious fault of accessibility in %s', (colorScheme) =>
    visit(
      path,
      async ({ page }) => {
        if (name === 'home') await page.locator('[data-chart] canvas').waitFor();
        if (name === 'reference') await page.getByRole('heading', { name: 'Almanac', exact: true }).waitFor();
        expect(await faultsOf(page)).toEqual([]);
      },
      { colorScheme },
    ),
  );
});

test('a phone shows the day under the finger', () =>
  visit(
    '/',
    async ({ page }) => {
      const plot = page.locator('[data-chart]');
      await plot.locator('canvas').waitFor();
      const newest = await page.textContent('[data-readout]');
      await plot.scrollIntoViewIfNeeded();
      const { x, y, width, height } = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      await page.touchscreen.tap(x + width / 2, y + height / 2);
      await patiently(async () => expect(await page.textContent('[data-readout]')).not.toBe(newest));
    },
    { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  ));
