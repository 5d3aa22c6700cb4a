import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { expectText, faultsOf, openSite } from './site.js';

const site = openSite();
const { visiting } = site;

const ADDRESS = '[data-snippets=rates] [data-snippet=URL] code';

/** Builds a request: the rates of two currencies in a month, as CSV. */
async function build(page: Page): Promise<void> {
  await page.selectOption('#request-range', 'month');
  await page.selectOption('#request-format', 'csv');
  await page.click('.builder-quotes summary');
  for (const code of ['USD', 'GBP']) await page.check(`[name=quotes][value=${code}]`);
}

describe('the request builder', () => {
  visiting('shows the newest rates at first', '/', async ({ page }) => {
    await expectText(page, ADDRESS, `${site.url()}/v2/rates?base=EUR`);
    await page.click('.swap');
    await expectText(page, ADDRESS, `${site.url()}/v2/rates?base=USD`);
  });

  visiting('shows what is chosen in every form', '/', async ({ page }) => {
    await build(page);
    const path = '/v2/rates.csv?base=EUR&quotes=GBP,USD&from=2026-02-17';
    for (const name of ['URL', 'curl', 'Python', 'TypeScript', 'Google Sheets', 'Excel']) {
      await expectText(page, `[data-snippets=rates] [data-snippet="${name}"] code`, site.url() + path);
    }
    await expectText(page, '[data-quotes]', 'GBP, USD');
    // Another pair of the converter leaves what the reader has chosen.
    await page.click('.swap');
    await expectText(page, '#chart-title', 'USD to EUR');
    expect(await page.textContent(ADDRESS)).toBe(site.url() + path);
  });

  visiting('offers only what goes with the days that are chosen', '/', async ({ page }) => {
    const isShown = (name: string) => page.locator(`.builder [name=${name}]`).isVisible();
    const shown = async () => {
      const names = ['date', 'from', 'to', 'group', 'fill'];
      const are = await Promise.all(names.map(isShown));
      return names.filter((_, at) => are[at]);
    };
    expect(await shown()).toEqual([]);
    await page.selectOption('#request-range', 'day');
    expect(await shown()).toEqual(['date']);
    await page.selectOption('#request-range', 'between');
    expect(await shown()).toEqual(['from', 'to', 'group', 'fill']);
    await page.check('[name=fill]');
    await page.selectOption('#request-group', 'month');
    expect(await shown()).toEqual(['from', 'to', 'group']);
    await page.fill('#request-from', '2026-01-01');
    await expectText(page, ADDRESS, '/v2/rates?base=EUR&from=2026-01-01&to=2026-03-20&group=month');
    expect(await faultsOf(page)).toEqual([]);
  });

  const withClipboard = { path: '/', permissions: ['clipboard-read', 'clipboard-write'] };
  visiting('copies the request', withClipboard, async ({ page }) => {
    await page.click('label[for=rates-Python]');
    await page.click('.copy');
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain('urllib.request.urlopen(');
  });
});
