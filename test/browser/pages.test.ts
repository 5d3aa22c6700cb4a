import { describe, expect, test } from 'vitest';
import { PAGES } from '../src/pages/support.js';
import { expectText, faultsOf, follow, openSite } from './site.js';

const site = openSite();
const { visiting, opening } = site;

describe('without script', () => {
  test.each(PAGES)('%s says what it has to say', (path) =>
    site.visit({ path, javaScriptEnabled: false }, async ({ page }) => {
      expect((await page.innerText('main')).length).toBeGreaterThan(400);
    }),
  );

  visiting('home converts by its form', { path: '/', javaScriptEnabled: false }, async ({ page }) => {
    expect(await page.locator('svg.line-chart').count()).toBe(1);
    await page.fill('#amount', '20');
    await page.selectOption('#base', 'CHF');
    await follow(page, page.getByRole('button', { name: 'Convert' }));
    expect(await page.textContent('[data-result]')).toMatch(/20 CHF = 25\.\d\d USD/);
    await follow(page, page.locator('.swap'));
    expect(await page.textContent('[data-result]')).toMatch(/20 USD = 15\.\d\d CHF/);
  });

  const german = { path: '/', locale: 'de-DE', javaScriptEnabled: false };
  visiting('home leads to an address that others read alike', german, async ({ page }) => {
    await page.fill('#amount', '1.234,50');
    await follow(page, page.getByRole('button', { name: 'Umrechnen' }));
    expect(new URL(page.url()).search).toBe('?amount=1234.50&base=EUR&quote=USD&span=1m');
    expect(await page.inputValue('#amount')).toBe('1.234,50');
  });
});

const LOOKS = [
  { colorScheme: 'light', locale: 'en-GB', width: 1280 },
  { colorScheme: 'dark', locale: 'fr-FR', width: 1280 },
  { colorScheme: 'light', locale: 'de-DE', width: 360 },
  { colorScheme: 'dark', locale: 'ar-EG', width: 360 },
] as const;

describe.each(PAGES)('%s', (path) => {
  test.each(LOOKS)('fits $width pixels in $locale, $colorScheme, without a fault of accessibility', (look) =>
    site.visit({ path, ...look, viewport: { width: look.width, height: 800 } }, async ({ page }) => {
      if (path === '/') await page.locator('[data-point]').waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(look.width);
      expect(await faultsOf(page)).toEqual([]);
    }),
  );
});

opening('/nope is a page from which people find their way', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${site.url()}/nope`);
  expect(await faultsOf(page)).toEqual([]);
  expect(await page.locator('main a').count()).toBe(1);
  await follow(page, page.getByRole('link', { name: 'Go to the rates' }));
  expect(new URL(page.url()).pathname).toBe('/');
});

visiting(
  'the language is switched by keyboard, and stays',
  { path: '/', locale: 'de-DE' },
  async ({ page }) => {
    await page.fill('#amount', '1.250');
    await page.locator('[hreflang=fr][href*="amount=1250"]').waitFor({ state: 'attached' });
    await page.locator('.languages summary').press('Enter');
    await page.getByRole('link', { name: 'Français' }).focus();
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    expect(await page.getAttribute('html', 'lang')).toBe('fr');
    expect(await page.inputValue('#amount')).toMatch(/^1\s250$/);
    await follow(page, page.getByRole('link', { name: 'Devises', exact: true }));
    expect(await page.textContent('h1')).toBe('Devises');
    await page.getByRole('searchbox').fill('suisse');
    await page.locator('tbody tr:only-child').waitFor();
    await follow(page, page.locator('tbody tr:visible a'));
    await page.fill('#amount', '7');
    await expectText(page, '[data-result]', /^7 CHF = /);
  },
);

visiting('a list is searched as the reader types', '/providers', async ({ page }) => {
  const lines = page.locator('tbody tr:visible');
  expect(await lines.count()).toBeGreaterThan(100);
  await page.getByRole('searchbox').fill('Česk');
  await page.getByText('No source matches “Česk”').waitFor();
  expect(await lines.allTextContents()).toEqual([]);
  await page.getByRole('searchbox').fill('svergies');
  await expectText(page, '[data-none]', /^No source matches “svergies” Did you mean Sveriges Riksbank\?/);
  await page.getByRole('searchbox').fill('sveriges');
  await lines.first().waitFor();
  expect(await lines.allTextContents()).toEqual([expect.stringContaining('Sveriges Riksbank')]);
  expect(page.url()).toContain('q=sveriges');
});

visiting(
  'a list is sorted by a click, and keeps its search and its base',
  '/currencies',
  async ({ page }) => {
    await page.click('#base-button');
    await page.keyboard.type('loonie');
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    await page.getByRole('searchbox').fill('dollar');
    await page.locator('th a[href*="q=dollar"]').first().waitFor();
    await follow(page, page.getByRole('link', { name: 'Per 1 CAD' }));
    expect(new URL(page.url()).search).toBe('?base=CAD&q=dollar&sort=rate&order=descending');
    expect(await page.locator('tbody tr:visible').first().textContent()).toContain('NAD');
    expect(await page.getAttribute('th:has-text("Per 1 CAD")', 'aria-sort')).toBe('descending');
  },
);

const lists = { path: '/currencies?base=USD', javaScriptEnabled: false };
visiting('without script, a list is searched and has another base by its form', lists, async ({ page }) => {
  await page.selectOption('#base', 'JPY');
  await page.fill('#q', 'quid');
  await follow(page, page.getByRole('button', { name: 'Search' }));
  expect(await page.textContent('thead')).toContain('Per 1 JPY');
  expect(await page.locator('tbody tr:visible').allTextContents()).toEqual([expect.stringContaining('GBP')]);
});
