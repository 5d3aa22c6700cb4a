import { expect } from 'vitest';
import { expectText, openSite, patiently, pick } from './site.js';

// In a file of its own: the tests of a file share the service, which is stopped here.
const site = openSite();
const { opening } = site;

opening('an old figure stays, says that it is old, and is asked for again', async ({ page }) => {
  await page.goto(site.url(), { waitUntil: 'networkidle' });
  await page.route('**/?amount=7&**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await route.continue();
  });
  await page.fill('#amount', '7');
  await page.locator('[data-result][aria-busy=true]').waitFor();
  await expectText(page, '[data-result-state]', 'Showing the previous result');
  expect(await page.textContent('[data-result]')).toMatch(/^100 EUR/);
  await expectText(page, '[data-result]', /^7 EUR = 8\.\d\d USD/);
  await patiently(async () => expect(await page.locator('[aria-busy]').count()).toBe(0));
  await page.unroute('**/?amount=7&**');

  await site.stop();
  await pick(page, 'quote', 'JPY');
  await page.getByText(/Cannot reach the service/).waitFor();
  expect(await page.textContent('[data-result]')).toMatch(/^7 EUR = 8\.\d\d USD/);
  await site.restart();
  await expectText(page, '[data-result]', /^7 EUR = 1,\d\d\d JPY/);
  await expectText(page, '#chart-title', /^EUR to JPY$/);
  await expectText(page, '[data-result-state]', /^$/);

  await page.context().setOffline(true);
  await page.fill('#amount', '8');
  await page.getByText(/Cannot reach the service/).waitFor();
  await page.context().setOffline(false);
  await expectText(page, '[data-result]', /^8 EUR/);
});
