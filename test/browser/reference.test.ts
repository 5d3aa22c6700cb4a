import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { faultsOf, openSite, patiently } from './site.js';

/** What comes over the network for `/docs`, heads included. */
const DOCS_BYTES = 50_000;

const site = openSite();
const { visiting, opening } = site;

const openButton = (page: Page) => page.getByRole('button', { name: 'Open the interactive reference' });
const scalarTitle = (page: Page) => page.getByRole('heading', { name: 'Almanac', exact: true });

/** Notes each request for Scalar. */
function scalarRequests(page: Page): string[] {
  const found: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('scalar')) found.push(request.url());
  });
  return found;
}

describe('/docs', () => {
  opening('loads the reference only when asked', async ({ page, problems, transferred }) => {
    const asked = scalarRequests(page);
    await page.goto(`${site.url()}/docs`, { waitUntil: 'networkidle' });
    expect(asked).toEqual([]);
    expect(await transferred()).toBeLessThan(DOCS_BYTES);
    await openButton(page).click();
    await scalarTitle(page).waitFor();
    expect(asked).toHaveLength(1);
    expect(await page.locator('[data-beginning]').isVisible()).toBe(false);
    expect(problems).toEqual([]);
  });

  const withinIt = '/docs#tag/rates/GET/v2/rates';
  visiting('opens an address within the reference, and tries a request there', withinIt, async ({ page }) => {
    const test = page.getByRole('button', { name: /Test Request/ });
    await test.first().click();
    const answered = page.waitForResponse(/^[^?]*:\d+\/v2\/rates/);
    await page.getByRole('button', { name: /Send/ }).first().click();
    expect((await answered).status()).toBe(200);
  });

  visiting('stays as it is at the address of its content', '/docs#main', async ({ page }) => {
    expect(await openButton(page).isVisible()).toBe(true);
  });

  opening('says so when the reference can not be loaded, and tries again', async ({ page }) => {
    await page.route('**/assets/scalar*', (route) => route.abort());
    await page.goto(`${site.url()}/docs`, { waitUntil: 'networkidle' });
    await openButton(page).click();
    await page.getByText('Cannot load the interactive reference.').waitFor();
    await page.unroute('**/assets/scalar*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await scalarTitle(page).waitFor();
  });

  visiting('shows requests with answers', { path: '/docs', javaScriptEnabled: false }, async ({ page }) => {
    const examples = await page.locator('.example').all();
    expect(examples).toHaveLength(3);
    for (const example of examples) {
      const [curl = '', shown = ''] = await example.locator('code').allTextContents();
      const [, url = ''] = /^curl '(.*)'$/.exec(curl) ?? [];
      const answer = await (await fetch(url)).text();
      if (shown.startsWith('{')) expect(JSON.parse(shown)).toEqual(JSON.parse(answer));
      else for (const row of shown.matchAll(/\{.*\}/g)) expect(answer).toContain(row[0]);
      expect(shown).toMatch(/^[[{]/);
    }
    expect(await openButton(page).isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
  });

  visiting('has the parameters of each operation', '/docs#getWeatherCurrent', async ({ page }) => {
    const row = async (id: string, name: string) =>
      page.locator(`#${id} tr`, { has: page.getByRole('rowheader', { name, exact: true }) }).innerText();
    expect(await row('listRates', 'base')).toMatch(/^base\s+string\s+EUR\s+Base currency/);
    expect(await row('convertAmount', 'amount')).toMatch(/^amount\s+string\s+required\s/);
    expect(await row('listRates', 'when')).toMatch(/^when\s+before \| next\s/);
    const weather = page.locator('#getWeatherCurrent');
    expect(await weather.isVisible()).toBe(true);
    const toPost = page.getByRole('link', { name: 'POST /v2/convert' });
    expect(await page.locator('#convertAmounts').isVisible()).toBe(false);
    await toPost.click();
    await page.locator('#convertAmounts').getByText("-d '[{").waitFor();
  });

  visiting(
    'copies the code of a block',
    { path: '/docs', permissions: ['clipboard-write'] },
    async ({ page }) => {
      const block = page.locator('.code-block').nth(1);
      await block.getByRole('button', { name: 'Copy' }).click();
      await block.getByText('Copied').waitFor();
    },
  );

  const phone = { path: '/docs', locale: 'de', viewport: { width: 360, height: 740 } };
  visiting('fits a phone with long words', phone, async ({ page }) => {
    expect(await page.textContent('main')).toContain('Neueste Kurse');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });

  test.each(['light', 'dark'] as const)('has no serious fault when the reference is open in %s', (look) =>
    site.visit({ path: '/docs', colorScheme: look }, async ({ page }) => {
      await openButton(page).click();
      await scalarTitle(page).waitFor();
      await patiently(async () => expect(await faultsOf(page)).toEqual([]));
    }),
  );
});
