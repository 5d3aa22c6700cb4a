import { describe, expect, test } from 'vitest';
import { expectText, openSite } from './site.js';

/** What comes over the network, heads included. */
const HOME_BYTES = 100_000;
/** Processor time of the page's main thread until the chart is drawn. */
const HOME_READY_MS = 500;

const site = openSite();

describe('home', () => {
  test('converts what is typed, by the request that it shows', () =>
    site.visit('/', async ({ page }) => {
      await expectText(page, '[data-result]', /^100 EUR = 115\.\d\d USD/);
      await page.fill('#amount', '2.500,50');
      await expectText(page, '[data-result]', /^2,500\.50 EUR = 2,88\d\.\d\d USD/);
      await page.selectOption('#quote', 'JPY');
      await expectText(page, '[data-result]', /= 4\d\d,\d\d\d JPY.*observed 20 March 2026/s);
      await page.fill('#date', '2026-02-15');
      await expectText(page, '[data-result]', 'observed 13 February 2026');
      const url = await page.locator('[data-snippet=URL] code').first().textContent();
      expect(url).toBe(`${site.url()}/v2/convert/EUR/JPY?amount=2500.50&date=2026-02-15`);
      expect(page.url()).toContain('quote=JPY');
      await expectText(page, '#chart-title', /^EUR to JPY$/);
    }));

  test('exchanges the two currencies, and says what is wrong with an amount', async () => {
    await site.visit('/', async ({ page }) => {
      await page.click('.swap');
      await expectText(page, '[data-result]', /^100 USD = 86\.\d\d EUR/);
      await expectText(page, '.rates thead', 'For one USD');
    });
    const watched = await site.open();
    await watched.page.goto(site.url());
    await watched.page.fill('#amount', 'many');
    await expectText(watched.page, '.problem', 'invalid amount');
    await watched.close();
  });

  test('says so when the service can not be reached, and goes on when it can', async () => {
    const { page, close } = await site.open();
    try {
      await page.goto(site.url(), { waitUntil: 'networkidle' });
      await page.context().setOffline(true);
      await page.fill('#amount', '7');
      await page.getByText('The service can not be reached. Try again.').waitFor();
      await page.click('[data-span="6m"]');
      await page.getByText(/The chart can not be read now/).waitFor();
      await page.context().setOffline(false);
      await page.fill('#amount', '8');
      await expectText(page, '[data-result]', /^8 EUR = 9\.\d\d USD/);
      await page.click('[data-span="5d"]');
      await expectText(page, '[data-readout]', 'Sources');
    } finally {
      await close();
    }
  });

  test('is light, and ready soon', async () => {
    // The first visit pays for compiling what the server runs and for reading the sources.
    await site.visit('/', async ({ transferred }) => expect(await transferred()).toBeLessThan(HOME_BYTES));
    const { page, close } = await site.open();
    try {
      const session = await page.context().newCDPSession(page);
      // Not by the clock, which goes on while other programs of this machine run.
      await session.send('Performance.enable', { timeDomain: 'threadTicks' });
      await page.goto(site.url());
      await page.locator('[data-chart] canvas').waitFor();
      const { metrics } = await session.send('Performance.getMetrics');
      const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value;
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThan(HOME_READY_MS / 1000);
    } finally {
      await close();
    }
  });

  test('writes figures and dates as the reader does', () =>
    site.visit(
      '/?amount=1234.5',
      async ({ page }) => {
        await expectText(page, '[data-result]', /1\.234,5 EUR = 1\.4\d\d,\d\d USD/);
        await expectText(page, '[data-readout]', '20. März 2026');
      },
      { locale: 'de-DE' },
    ));
});
