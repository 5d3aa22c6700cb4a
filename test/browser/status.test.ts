import { describe, expect, test } from 'vitest';
import { openSite } from './site.js';

const site = openSite();

describe('status', () => {
  test('filters by state and by name, and sorts', () =>
    site.visit('/status', async ({ page }) => {
      const shown = page.locator('[data-sources] tbody tr:visible');
      expect(await shown.count()).toBeGreaterThan(100);
      await page.click('a.filter[data-state=late]');
      expect(await shown.count()).toBe(4);
      expect(page.url()).toContain('state=late');
      await page.click('a.filter[data-state=""]');
      await page.fill('#q', 'kenya');
      expect(await shown.count()).toBe(1);
      expect(await shown.first().textContent()).toContain('did not answer in time');
      await page.fill('#q', 'no such bank');
      await page.getByText('No source matches.').waitFor();
      await page.fill('#q', '');
      await page.click('[data-sort=name]');
      expect(await shown.first().textContent()).toMatch(/^\s*AMCM/);
      await page.click('[data-sort=name]');
      expect(await shown.first().textContent()).not.toMatch(/^\s*AMCM/);
      // The newest dates first, as without script, and then the other way round.
      await page.click('[data-sort=newest]');
      expect(await shown.first().textContent()).toContain('20 Mar 2026');
      await page.click('[data-sort=newest]');
      expect(await shown.first().textContent()).toContain('–');
    }));

  test('tells nothing that is not public', () =>
    site.visit('/status', async ({ page }) => {
      const text = await page.content();
      expect(text).not.toMatch(/TCMB_API_KEY|BCCH_USER|HTTP 503|30000/);
      expect(text).toContain('It needs a key, which this service has not been given.');
    }));
});
