import { describe, expect, test } from 'vitest';
import { expectText, openSite } from './site.js';

/** What comes over the network, heads included. */
const HOME_BYTES = 100_000;
/** Processor time of the page's main thread until the chart is drawn. */
const HOME_READY_MS = 500;

const site = openSite();

describe('home', () => {
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
