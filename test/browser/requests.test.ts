import { describe, expect, test } from 'vitest';
import { openSite } from './site.js';

const site = openSite();

describe('the requests behind a page', () => {
  test('copies the request', async () => {
    await site.visit(
      '/',
      async ({ page }) => {
        await page.click('label[for=rates-Python]');
        await page.click('.copy');
        const copied = await page.evaluate<string>('navigator.clipboard.readText()');
        expect(copied).toContain('urllib.request.urlopen(');
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    );
  });
});
