import { describe, expect } from 'vitest';
import { expectText, faultsOf, openSite, patiently, pick } from './site.js';
import { NOW } from './world.js';

const site = openSite();
const { visiting, opening } = site;

/** What comes over the network, heads included. */
const HOME_BYTES = 100_000;
/** Processor time of the page's main thread until the chart is drawn. */
const HOME_READY_MS = 500;

describe('the converter', () => {
  visiting('converts what is typed, by the request that it shows', '/', async ({ page }) => {
    await expectText(page, '[data-result]', /^100 EUR = 115\.\d\d USD/);
    await page.fill('#amount', '2.500,50');
    await page.press('#amount', 'Enter');
    await expectText(page, '[data-result]', /^2,500\.50 EUR = 2,88\d\.\d\d USD/);
    await pick(page, 'quote', 'JPY');
    await expectText(page, '[data-result]', /= 4\d\d,\d\d\d JPY.*on 20 March 2026/s);
    await page.fill('#date', '2026-02-15');
    await expectText(page, '[data-result]', 'on 13 February 2026');
    await expectText(page, '.converter [data-day]', /^15 Feb 2026$/);
    const url = await page.textContent('[data-snippets=conversion] [data-snippet=URL] code');
    expect(url).toBe(`${site.url()}/v2/convert/EUR/JPY?amount=2500.50&date=2026-02-15`);
    expect(page.url()).toContain('quote=JPY');
    await expectText(page, '#chart-title', /^EUR to JPY$/);
    await expectText(page, 'title', /^EUR to JPY 1\d\d\.\d\d · Almanac$/);
  });

  visiting('takes an amount while it is typed, and says what is no number', '/', async ({ page }) => {
    for (const [typed, expected, problem] of [
      ['5.', /^5 EUR = 5\.\d\d USD/, /^$/],
      ['.5', /^0\.5 EUR = 0\.\d{3} USD/, /^$/],
      ['1..2', /^0\.5 EUR/, /^“1\.\.2” is not a number\. Enter an amount such as 1,250\.50\.$/],
      ['١٢٫٥', /^12\.5 EUR = 14\.\d\d USD/, /^$/],
      ['', /^12\.5 EUR/, /^Enter an amount such as 1,250\.50\.$/],
    ] as const) {
      await page.fill('#amount', typed);
      await expectText(page, '[data-result]', expected);
      await expectText(page, '#amount-problem', problem);
      expect(await page.locator('[data-result] strong').isVisible()).toBe(true);
    }
  });

  opening('keeps the page beside a currency that does not exist', async ({ page }) => {
    await page.goto(`${site.url()}/?base=USX&quote=JPY`, { waitUntil: 'networkidle' });
    await expectText(page, '.field-base .problem', /^There is no currency “USX” here\./);
    await expectText(page, '[data-result]', / JPY/);
    expect(await faultsOf(page)).toEqual([]);
    await pick(page, 'base', 'CHF');
    await expectText(page, '[data-result]', /^100 CHF = /);
    expect(await page.locator('[data-unknown]').count()).toBe(0);
  });

  visiting('exchanges the two currencies', '/', async ({ page }) => {
    await page.click('.swap');
    await expectText(page, '[data-result]', /^100 USD = 86\.\d\d EUR/);
    await expectText(page, '.rates thead', 'Per 1 USD');
    await expectText(page, '#base-button', 'US Dollar');
  });

  visiting('goes back through pairs and ranges', '/', async ({ page }) => {
    await pick(page, 'quote', 'JPY');
    await expectText(page, '#chart-title', /^EUR to JPY$/);
    await page.click('[data-choice="1y"]');
    await pick(page, 'base', 'CHF');
    await expectText(page, '#chart-title', /^CHF to JPY$/);
    await page.goBack();
    await expectText(page, '#chart-title', /^EUR to JPY$/);
    await expectText(page, '[data-choice][aria-current]', /^1Y$/);
    await expectText(page, '[data-result]', /^100 EUR = .* JPY/);
    await page.goBack();
    await expectText(page, '[data-choice][aria-current]', /^1M$/);
    await page.goBack();
    await expectText(page, '#chart-title', /^EUR to USD$/);
    await expectText(page, '#quote-button', /^USD/);
    await page.goForward();
    await expectText(page, '#chart-title', /^EUR to JPY$/);
  });

  const phone = { path: '/?base=BAM&quote=EUR', viewport: { width: 360, height: 640 } };
  visiting('shows the result at once on a phone', phone, async ({ page }) => {
    const box = await page.locator('[data-result] small').boundingBox();
    expect((box?.y ?? 1e9) + (box?.height ?? 0)).toBeLessThan(640);
    const cut =
      "[...document.querySelectorAll('.converter .picker-button *')].filter((one) => one.scrollWidth > one.clientWidth).length";
    expect(await page.evaluate(cut)).toBe(0);
    for (const pair of ['#base-button, #quote-button', '#request-base-button, #request-range']) {
      const [one, other] = await page.locator(pair).all();
      const boxes = await Promise.all([one?.boundingBox(), other?.boundingBox()]);
      expect(new Set(boxes.map((box) => `${box?.y} ${box?.height}`)).size).toBe(1);
    }
  });
});

visiting('the list of currencies is used by keyboard', '/', async ({ page }) => {
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
  await page.keyboard.press('Tab');
  expect(await page.locator('.picker-panel:visible').count()).toBe(0);
});

opening('an answer that failed is asked for again by a button', async ({ page }) => {
  await page.clock.install({ time: NOW });
  await page.goto(site.url(), { waitUntil: 'networkidle' });
  let attempts = 0;
  let isDown = true;
  await page.route('**/?amount=9&**', (route) => {
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
});

// The first visit pays for compiling what the server runs and for reading the sources.
visiting('home is light', '/', async ({ transferred }) => {
  expect(await transferred()).toBeLessThan(HOME_BYTES);
});

opening('home is ready soon', async ({ page }) => {
  await page.goto(site.url(), { waitUntil: 'networkidle' });
  const session = await page.context().newCDPSession(page);
  // Not by the clock, which goes on while other programs of this machine run.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(site.url());
  await page.locator('[data-point]').waitFor();
  const { metrics } = await session.send('Performance.getMetrics');
  const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value;
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThan(HOME_READY_MS / 1000);
});

const german = { path: '/?amount=1234.5', locale: 'de-DE' };
visiting('home writes figures as the reader does', german, async ({ page }) => {
  await expectText(page, '[data-result]', /1\.234,5 EUR = 1\.4\d\d,\d\d USD/);
  await expectText(page, '[data-readout]', /[+−]\d,\d\d % seit dem 17\. Feb\. 2026/);
  await page.fill('#amount', '1.234');
  await page.waitForURL('**amount=1234&**');
  await pick(page, 'quote', 'JPY');
  await page.goBack();
  await expectText(page, '[data-result]', /1\.234 EUR = 1\.4\d\d,\d\d USD/);
  expect(await page.inputValue('#amount')).toBe('1.234');
});
