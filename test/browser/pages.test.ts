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

test('the reference tries a request', () =>
  site.visit('/docs', async ({ page }) => {
    await page.getByRole('heading', { name: 'Almanac', exact: true }).waitFor();
    await page.goto(`${site.url()}/docs#tag/rates/GET/v2/rates`);
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

  test('the reference leads to the one without script', () =>
    site.visit(
      '/docs',
      async ({ page }) => {
        await page.getByRole('main').getByRole('link', { name: 'without script' }).click();
        expect(page.url()).toBe(`${site.url()}/docs/plain`);
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
        if (name === 'reference') await page.getByRole('heading', { name: 'Almanac', exact: true }).waitFor();
        expect(await faultsOf(page)).toEqual([]);
      },
      { colorScheme },
    ),
  );
});
