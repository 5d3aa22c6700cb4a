import { describe, expect } from 'vitest';
import { openSite } from './site.js';

/** What comes over the network for `/docs`, heads included. */
const DOCS_BYTES = 50_000;

const site = openSite();
const { visiting, opening } = site;

describe('/docs', () => {
  opening('is one small page', async ({ page, transferred }) => {
    await page.goto(`${site.url()}/docs`, { waitUntil: 'networkidle' });
    expect(await transferred()).toBeLessThan(DOCS_BYTES);
  });

  visiting('shows requests with answers', { path: '/docs', javaScriptEnabled: false }, async ({ page }) => {
    const examples = await page.locator('.example').all();
    expect(examples).toHaveLength(3);
    for (const example of examples) {
      const texts = await example.locator('.sample code').allTextContents();
      const [curl = '', shown = ''] = [texts[0], texts.at(-1)];
      const [, url = ''] = /^curl '(.*)'$/.exec(curl) ?? [];
      const answer = JSON.stringify(await (await fetch(url)).json(), null, 2);
      const [head = '', end = ''] = shown.split('\n  …\n');
      expect([answer.startsWith(head), answer.endsWith(end)]).toEqual([true, true]);
      expect(shown).toMatch(/^[[{].*[\]}]$/s);
    }
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
  });

  visiting('has the parameters of each operation', '/docs#getWeatherCurrent', async ({ page }) => {
    const row = async (id: string, name: string) => {
      await page.click(`.jump a[href="#${id}"]`);
      return page
        .locator(`#${id} .parameters > div`, { has: page.getByText(name, { exact: true }) })
        .first()
        .innerText();
    };
    expect(await row('listRates', 'base')).toMatch(/^base\s+string\s+default EUR\s+Base currency/);
    expect(await row('convertAmount', 'amount')).toMatch(/^amount\s+string\s+required\s/);
    expect(await row('listRates', 'when')).toMatch(/^when\s+before \| next\s/);
    const weather = page.locator('#getWeatherCurrent');
    expect(await weather.isVisible()).toBe(true);
    const toPost = page.getByRole('link', { name: 'Convert many amounts' });
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
    const groups = /Umrechnung.*Verdächtige Kurse.*Neueste Kurse.*Umrechnung.*Verdächtige Kurse/s;
    expect(await page.textContent('main')).toMatch(groups);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(await page.locator('.jump a').first().isVisible()).toBe(false);
    await page.click('.jump summary');
    expect(await page.locator('.jump a').first().isVisible()).toBe(true);
  });
});
