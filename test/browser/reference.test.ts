import { describe, expect, test } from 'vitest';
import { faultsOf } from './accessibility.js';
import type { WatchedPage } from './browser.js';
import { follow, openSite, patiently } from './site.js';

/** What comes over the network for `/docs`, heads included. */
const DOCS_BYTES = 30_000;

const site = openSite();

type Page = WatchedPage['page'];

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
  test('loads the interactive reference only when asked', async () => {
    const { page, problems, transferred, close } = await site.open();
    try {
      const asked = scalarRequests(page);
      await page.goto(`${site.url()}/docs`, { waitUntil: 'networkidle' });
      expect(asked).toEqual([]);
      expect(await transferred()).toBeLessThan(DOCS_BYTES);
      await openButton(page).click();
      await scalarTitle(page).waitFor();
      expect(asked).toHaveLength(1);
      expect(await page.locator('[data-beginning]').isVisible()).toBe(false);
      expect(problems).toEqual([]);
    } finally {
      await close();
    }
  });

  test('opens an address within the reference directly, and tries a request there', () =>
    site.visit('/docs#tag/rates/GET/v2/rates', async ({ page }) => {
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

  test('stays as it is at the address of its content', () =>
    site.visit('/docs#main', async ({ page }) => {
      expect(await openButton(page).isVisible()).toBe(true);
    }));

  test('says so when the reference can not be loaded, and tries again', async () => {
    const { page, close } = await site.open();
    try {
      await page.route('**/assets/scalar*', (route) => route.abort());
      await page.goto(`${site.url()}/docs`, { waitUntil: 'networkidle' });
      await openButton(page).click();
      await page.getByText('The interactive reference can not be loaded now.').waitFor();
      await page.unroute('**/assets/scalar*');
      await page.getByRole('button', { name: 'Try again' }).click();
      await scalarTitle(page).waitFor();
    } finally {
      await close();
    }
  });

  test('shows requests with the answers of this service', () =>
    site.visit(
      '/docs',
      async ({ page }) => {
        const examples = await page.locator('.example').all();
        expect(examples).toHaveLength(3);
        for (const example of examples) {
          const [curl = '', shown = ''] = await example.locator('code').allTextContents();
          const [, url = ''] = /^curl '(.*)'$/.exec(curl) ?? [];
          const answer = await (await fetch(url)).text();
          for (const row of shown.matchAll(/\{.*\}/g)) expect(answer).toContain(row[0]);
          expect(shown).toMatch(/^[[{]/);
        }
        expect(await openButton(page).isVisible()).toBe(false);
        await follow(page, page.getByRole('main').locator('a[href="/docs/plain"]'));
        expect(page.url()).toBe(`${site.url()}/docs/plain`);
      },
      { javaScriptEnabled: false },
    ));

  test('fits a phone, with longer words than the English ones', () =>
    site.visit(
      '/docs',
      async ({ page }) => {
        expect(await page.textContent('main')).toContain('Die neuesten Kurse');
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      },
      { locale: 'de', viewport: { width: 360, height: 740 } },
    ));

  test.each(['light', 'dark'] as const)(
    'has no serious fault when the reference is open in %s',
    (colorScheme) =>
      site.visit(
        '/docs',
        async ({ page }) => {
          await openButton(page).click();
          await scalarTitle(page).waitFor();
          await patiently(async () => expect(await faultsOf(page)).toEqual([]));
        },
        { colorScheme },
      ),
  );
});
