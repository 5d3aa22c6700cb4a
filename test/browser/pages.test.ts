import { describe, expect, test } from 'vitest';
import { faultsOf } from './accessibility.js';
import { openSite } from './site.js';

const PAGES = [
  { name: 'home', path: '/' },
  { name: 'status', path: '/status' },
  { name: 'currency', path: '/currency/CHF' },
  { name: 'provider', path: '/provider/ECB' },
  { name: 'reference', path: '/docs' },
  { name: 'reference-plain', path: '/docs/plain' },
];

const site = openSite();

describe('without script', () => {
  test.each(PAGES)('$path says what it has to say', ({ path }) =>
    site.visit(
      path,
      async ({ page }) => {
        expect((await page.innerText('main')).length).toBeGreaterThan(400);
        expect(await page.locator('canvas').count()).toBe(0);
      },
      { javaScriptEnabled: false },
    ),
  );

  test('home converts by its form', () =>
    site.visit(
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
});

describe.each(PAGES)('$path', ({ name, path }) => {
  test.each(['light', 'dark'] as const)('has no serious fault of accessibility in %s', (colorScheme) =>
    site.visit(
      path,
      async ({ page }) => {
        if (name === 'home') await page.locator('[data-chart] canvas').waitFor();
        expect(await faultsOf(page)).toEqual([]);
      },
      { colorScheme },
    ),
  );
});
