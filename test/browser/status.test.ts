import { describe, expect, test } from 'vitest';
import { expectText, follow, openSite, patiently } from './site.js';

const site = openSite();
const { visiting } = site;

describe('status', () => {
  visiting('begins with what needs attention, and shows more by links', '/status', async ({ page }) => {
    const shown = page.locator('[data-listing] tbody tr:visible');
    await expectText(page, '.verdict', /^6 sources need attention; 10 of \d+ await rates$/);
    expect(await shown.count()).toBe(6);
    expect(await shown.filter({ hasText: 'expected rates are missing' }).count()).toBe(4);
    await follow(page, page.locator('[data-choice=attention]'));
    expect(await shown.count()).toBe(6);
    await follow(page, page.locator('[data-choice=all]'));
    expect(await shown.count()).toBeGreaterThan(100);
    expect(await shown.filter({ hasText: /Awaiting rates.*Missing/s }).count()).toBe(0);
    const states = page.getByRole('navigation', { name: 'Status', exact: true });
    await follow(page, states.getByText('Out of date 4'));
    await expectText(page, '.states .hint', 'It is read, but expected rates are missing.');
    expect(await shown.count()).toBe(4);
    expect(page.url()).toContain('state=late');
    await page.goBack();
    expect(page.url()).toContain('state=all');
    expect(await shown.count()).toBeGreaterThan(100);
  });

  visiting('finds what is typed', { path: '/status', locale: 'de-DE' }, async ({ page }) => {
    const shown = page.locator('[data-listing] tbody tr:visible');
    const counted = (count: number) => patiently(async () => expect(await shown.count()).toBe(count));
    await page.fill('#q', 'schweiz');
    await page.waitForURL('**q=schweiz**');
    await patiently(async () => expect(await shown.first().textContent()).toContain('Swiss'));
    expect(await page.locator('[data-choice=all]').getAttribute('aria-current')).toBe('true');
    await page.fill('#q', 'no such bank');
    await page.getByText('Keine Quelle passt zu „no such bank“').waitFor();
    await page.fill('#q', '');
    await counted(6);
    // What is typed goes along with the next filter.
    await page.fill('#q', 'kenia');
    await counted(1);
    await follow(page, page.locator('[data-choice=all]'));
    expect(page.url()).toContain('q=kenia');
    expect(await shown.count()).toBe(1);
    expect(await shown.first().textContent()).toContain('nicht rechtzeitig geantwortet');
  });
});

const phone = { viewport: { width: 390, height: 844 } };
test.each([
  ['/status', 3],
  ['/rules', 6],
  ['/?base=EUR&quote=USD', 6],
  ['/currency/CHF', 6],
])('%s has at most %i screens on a phone', (path, most) =>
  site.visit({ path, ...phone }, async ({ page }) => {
    const height = await page.evaluate<number>('document.documentElement.scrollHeight');
    expect(height / phone.viewport.height).toBeLessThanOrEqual(most);
  }),
);

test('on a phone, all states are shown, in rows', () =>
  site.visit({ path: '/status', ...phone }, async ({ page }) => {
    const heights = await page.evaluate<number[]>(
      "[...document.querySelectorAll('.states a')].map((link) => link.getBoundingClientRect().height)",
    );
    expect(new Set(heights)).toEqual(new Set([44]));
    const row = "document.querySelector('.states .segments')";
    expect(await page.evaluate(`${row}.scrollWidth <= ${row}.clientWidth`)).toBe(true);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  }));

test.each([
  ['/?base=EUR&quote=USD', 1],
  ['/status', 1],
  ['/status?state=all', 4],
])('%s is printed on at most %i pages', (path, most) =>
  site.visit(path, async ({ page }) => {
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)?.length).toBeLessThanOrEqual(most);
  }),
);
