import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { readSuspects } from '../../core/database/suspects.js';
import { storeIn } from '../worker/ingest/support.js';
import { TODAY } from '../worker/jobs/support.js';
import { expectNoFaults, openConsole, TOKEN } from './console-site.js';
import { expectText, follow, patiently } from './site.js';

const NAIRA = { base: 'USD', quote: 'NGN' };

let suspects: { naira: string; krona: string };

/** A service with a rate ten times too high, and a table whose own currency moved. */
const site = openConsole({
  now: new Date(`${TODAY}T20:00:00Z`),
  hasToken: true,
  async prepare({ database }) {
    const krona = (date: string, by: number) =>
      Object.entries({ USD: 100, EUR: 120, GBP: 150 }).map(([base, rate]) => ({
        date,
        base,
        quote: 'ISK',
        rate: rate * by,
      }));
    for (const [date, rate] of Object.entries({
      '2026-11-17': 1464.67,
      '2026-11-18': 1470.1,
      '2026-11-19': 14_702,
    })) {
      await storeIn(database, 'CBN', { ...NAIRA, date, rate });
      await storeIn(database, 'SBI', ...krona(date, date === '2026-11-19' ? 1.4 : 1));
      await storeIn(database, 'ECB', { date, base: 'EUR', quote: 'USD', rate: 1.1 });
    }
    const found = await readSuspects(database, {}, 10);
    const idOf = (provider: string) => found.find((one) => one.provider === provider)?.id ?? '';
    suspects = { naira: idOf('CBN'), krona: idOf('SBI') };
  },
});
const { visiting } = site;

/** The blended rates of the naira on the newest day: none where there is no blend. */
async function rates(): Promise<number[]> {
  await site.api().catchUp();
  const response = await fetch(
    `${site.api().url}/v2/rates?base=USD&quotes=NGN&from=2026-11-19&to=2026-11-19`,
  );
  return ((await response.json()) as { rate: number }[]).map(({ rate }) => rate);
}

/** Follows the link to a decision, reads what it changes, and makes it. */
async function decide(page: Page, link: string, change: RegExp): Promise<void> {
  await follow(page, page.getByRole('link', { name: link, exact: true }));
  await expectText(page, '#change', change);
  await follow(page, page.getByRole('button', { name: link.split(' ', 1)[0] ?? '' }));
  await expectText(page, '#job', /Completed/);
}

describe('the suspects in the console of operators', () => {
  test('one is accepted, and taken back, as the API then shows', async () => {
    expect(await rates()).toEqual([]);
    await visiting('/admin/suspects', async (page) => {
      await follow(page, page.getByRole('link', { name: 'USD/NGN' }));
      await expectText(page, 'main', /Off by a power of ten: 10× too high, where 1,470.10 was expected/);
      await decide(page, 'Accept', /Blended rates change on 1 day: 19 November 2026.*NGN.*\+900\.07%/s);
      await expectText(page, 'main', /Accepted.* by session/);
      await patiently(async () => expect(await rates()).toEqual([14_702]));
      await decide(page, 'Take back', /Blended rates change on 1 day/);
      await expectText(page, 'main', /Held back/);
      await patiently(async () => expect(await rates()).toEqual([]));
      await follow(page, page.getByRole('link', { name: 'Accept', exact: true }));
      await follow(page, page.getByRole('link', { name: 'Reject instead' }));
      await expectText(page, 'h1', /Reject CBN/);
      await page.goto(`${site.api().url}/admin`);
      await expectText(page, '#overview', /2 to decide/);
      await follow(page, page.locator('#attention').getByRole('link', { name: 'USD/NGN' }));
      await follow(page, page.getByRole('link', { name: 'Next suspect' }));
      await expectText(page, 'h1', /SBI ISK/);
    });
  });

  test('one rate of a table is decided on alone', async () => {
    await visiting(`/admin/suspects/${suspects.krona}`, async (page) => {
      await expectText(page, 'h1', /ISK, 3 rates/);
      await follow(page, page.getByRole('link', { name: 'GBP/ISK' }));
      await decide(page, 'Reject only this rate', /./);
      await expectText(page, 'main', /Rejected/);
      await page.goto(`${site.api().url}/admin/suspects?status=held`);
      await expectText(page, '#suspects', /Held back 2.*Rejected 1.*All 3.*ISK, 2 rates/s);
    });
  });

  test('several are decided on at once, and taken back', async () => {
    await visiting('/admin/suspects', async (page) => {
      for (const [select, status] of Object.entries({ Accept: 'accepted', 'Take back': 'held' })) {
        await page.getByLabel('Select all').check();
        await follow(page, page.getByRole('button', { name: `${select} selected` }));
        await expectText(page, 'h1', `${select} 2 suspects?`);
        await follow(page, page.getByRole('button', { name: `${select} 2 suspects` }));
        expect(new URL(page.url()).search).toBe(`?status=${status}`);
        // The page is updated by itself.
        await expectText(page, '#suspects', /SBI ISK.*CBN USD\/NGN/s);
        if (status === 'held') return;
      }
    });
    const { rows } = await site
      .ground()
      .database.pool.query('select act from operator_acts order by id desc');
    expect(rows.slice(0, 4).map(({ act }) => act)).toEqual([
      ...['reopen suspect', 'reopen suspect', 'accept suspect', 'accept suspect'],
    ]);
  });

  test('programs get the data at the same path', async () => {
    const ask = (path: string, accept: string) =>
      fetch(`${site.api().url}${path}`, { headers: { authorization: `Bearer ${TOKEN}`, accept } });
    const response = await ask(`/admin/suspects?question=${suspects.krona}`, 'text/html');
    expect(await response.json()).toMatchObject({
      suspects: [{ base: 'EUR', quote: 'ISK', status: 'held' }],
    });
  });

  test.each([
    '',
    '/naira',
    '/krona',
    '/../decide?suspect=naira&status=accepted',
    '/../decide?suspect=naira&suspect=krona&status=held',
  ])('%s has no faults, by keyboard, on a phone and in the dark', (path) => {
    const there = path.replace(/naira|krona/g, (name) => suspects[name as keyof typeof suspects]);
    return expectNoFaults(site, `/admin/suspects${there}`);
  });
});
