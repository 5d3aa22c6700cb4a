import { describe, expect, test } from 'vitest';
import { expectText, openSite, patiently } from './site.js';

const site = openSite();

describe('the chart', () => {
  test('draws the pair, and shows the day that the pointer is on', () =>
    site.visit('/', async ({ page }) => {
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
    site.visit('/', async ({ page }) => {
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
    site.visit('/', async ({ page }) => {
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
    site.visit('/?span=1y', async ({ page }) => {
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
});

test('the page of a provider draws its rates beside the blend', () =>
  site.visit('/provider/ECB?span=1m', async ({ page }) => {
    await page.locator('[data-chart] canvas').waitFor();
    await expectText(page, '[data-readout]', /20 March 2026 · blend 1\.15/);
    await page.getByText('Blend of all').click();
  }));

test('a phone shows the day under the finger', () =>
  site.visit(
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
