import { describe, expect, test } from 'vitest';
import { faultsOf } from './accessibility.js';
import { expectText, openSite, patiently, pick } from './site.js';
import { NOW } from './world.js';

const site = openSite();

describe('the converter', () => {
  test('converts what is typed, by the request that it shows', () =>
    site.visit('/', async ({ page }) => {
      await expectText(page, '[data-result]', /^100 EUR = 115\.\d\d USD/);
      await page.fill('#amount', '2.500,50');
      await expectText(page, '[data-result]', /^2,500\.50 EUR = 2,88\d\.\d\d USD/);
      await pick(page, 'quote', 'JPY');
      await expectText(page, '[data-result]', /= 4\d\d,\d\d\d JPY.*observed 20 March 2026/s);
      await page.fill('#date', '2026-02-15');
      await expectText(page, '[data-result]', 'observed 13 February 2026');
      const url = await page.textContent('[data-snippets=conversion] [data-snippet=URL] code');
      expect(url).toBe(`${site.url()}/v2/convert/EUR/JPY?amount=2500.50&date=2026-02-15`);
      expect(page.url()).toContain('quote=JPY');
      await expectText(page, '#chart-title', /^EUR to JPY$/);
      await expectText(page, 'title', /^EUR to JPY 1\d\d\.\d\d · Almanac$/);
    }));

  test('takes an amount while it is typed, and says what is no number', () =>
    site.visit('/', async ({ page }) => {
      for (const [typed, expected] of [
        ['5.', /^5 EUR = 5\.\d\d USD/],
        ['.5', /^0\.5 EUR = 0\.\d{3} USD/],
        ['1..2', /^“1\.\.2” is not a number\.$/],
        ['١٢٫٥', /^12\.5 EUR = 14\.\d\d USD/],
        ['', /^Enter an amount\.$/],
      ] as const) {
        await page.fill('#amount', typed);
        await expectText(page, '[data-result]', expected);
      }
    }));

  test('exchanges the two currencies', () =>
    site.visit('/', async ({ page }) => {
      await page.click('.swap');
      await expectText(page, '[data-result]', /^100 USD = 86\.\d\d EUR/);
      await expectText(page, '.rates thead', 'For one USD');
      await expectText(page, '#base-button', 'US Dollar');
    }));

  test('goes back through pairs and ranges', () =>
    site.visit('/', async ({ page }) => {
      await pick(page, 'quote', 'JPY');
      await expectText(page, '#chart-title', /^EUR to JPY$/);
      await page.click('[data-span="1y"]');
      await pick(page, 'base', 'CHF');
      await expectText(page, '#chart-title', /^CHF to JPY$/);
      await page.goBack();
      await expectText(page, '#chart-title', /^EUR to JPY$/);
      await expectText(page, '[data-span][aria-current]', /^1Y$/);
      await expectText(page, '[data-result]', /^100 EUR = .* JPY/);
      await page.goBack();
      await expectText(page, '[data-span][aria-current]', /^1M$/);
      await page.goBack();
      await expectText(page, '#chart-title', /^EUR to USD$/);
      await expectText(page, '#quote-button', /^USD/);
      await page.goForward();
      await expectText(page, '#chart-title', /^EUR to JPY$/);
    }));

  test('shows the result before the reader scrolls on a phone', () =>
    site.visit(
      '/?base=BAM&quote=EUR',
      async ({ page }) => {
        const box = await page.locator('[data-result] small').boundingBox();
        expect((box?.y ?? 1e9) + (box?.height ?? 0)).toBeLessThan(640);
        const cut =
          "[...document.querySelectorAll('.picker-button')].filter((one) => one.scrollWidth > one.clientWidth).length";
        expect(await page.evaluate(cut)).toBe(0);
      },
      { viewport: { width: 360, height: 640 } },
    ));
});

describe('the list of currencies', () => {
  test.each([
    ['franken', 'de-CH', /^CHF/],
    ['poland', 'en-GB', /^PLN.*Poland$/],
    ['Österreich', 'de-DE', /^EUR/],
    ['osterreich', 'de-DE', /^EUR/],
    ['gbp', 'en-GB', /^GBP/],
  ])('finds by %s in %s', (text, locale, expected) =>
    site.visit(
      '/',
      async ({ page }) => {
        await page.click('#quote-button');
        await page.fill('[aria-controls=quote-list]', text);
        await expectText(page, '[role=option].active', expected);
      },
      { locale },
    ),
  );

  test('is used by keyboard, and begins with what was chosen last', () =>
    site.visit('/', async ({ page }) => {
      await page.focus('#quote-button');
      await page.keyboard.press('j');
      await expectText(page, '[role=option].active', /^J/);
      expect(await faultsOf(page)).toEqual([]);
      await page.keyboard.press('Escape');
      expect(await page.locator('.picker-panel:visible').count()).toBe(0);
      expect(await page.evaluate('document.activeElement.id')).toBe('quote-button');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.type('zzz');
      await expectText(page, '.picker-panel:visible p', 'No currency matches.');
      await page.keyboard.press('Escape');
      await pick(page, 'quote', 'Swiss');
      await expectText(page, '[data-result]', /CHF/);
      await page.click('#base-button');
      await expectText(page, '[role=option]', /^CHF/);
      await page.keyboard.press('Tab');
      expect(await page.locator('.picker-panel:visible').count()).toBe(0);
    }));
});

test('an answer that failed is asked for again by a button', async () => {
  const { page, close } = await site.open();
  try {
    await page.clock.install({ time: NOW });
    await page.goto(site.url(), { waitUntil: 'networkidle' });
    let attempts = 0;
    let isDown = true;
    await page.route('**/v2/convert/**', (route) => {
      attempts++;
      return isDown ? route.abort() : route.continue();
    });
    await page.fill('#amount', '9');
    const button = page.getByRole('button', { name: 'Try again' });
    await button.waitFor();
    // One last attempt is made by itself, and no timer makes another.
    const before = attempts;
    await page.clock.pauseAt(new Date(NOW.getTime() + 600_000));
    await patiently(async () => expect(attempts).toBeGreaterThan(before));
    await page.waitForTimeout(1_000);
    isDown = false;
    await button.click();
    await expectText(page, '[data-result]', /^9 EUR/);
  } finally {
    await close();
  }
});
