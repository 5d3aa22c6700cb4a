import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLoginLink } from '../../core/database/operator-token.js';
import { noteEnd, takeRequest } from '../../core/database/worker-tasks.js';
import { answer } from '../support/http-stub.js';
import { dollars } from '../worker/ingest/support.js';
import { TODAY } from '../worker/jobs/support.js';
import { expectNoFaults, openConsole, TOKEN } from './console-site.js';
import { expectText, follow, patiently } from './site.js';

const NOW = new Date(`${TODAY}T20:00:00Z`);

/** What the bank publishes for the last day. */
let newest: number;
beforeEach(() => {
  newest = 1.1;
});

/** A service with a bank, whose operators have no token yet. */
const site = openConsole({
  now: NOW,
  hasToken: false,
  async prepare(g) {
    g.bank('ECB');
    g.stub.route('/ECB', (request, response) =>
      answer([{ ...dollars(TODAY), rate: newest }])(request, response),
    );
  },
});
const { visit, visiting } = site;

async function setToken(page: Page): Promise<void> {
  await page.fill('#token', TOKEN);
  await follow(page, page.getByRole('button', { name: 'Set the token and log in' }));
}

const rateNow = async () => {
  await site.api().catchUp();
  const response = await fetch(`${site.api().url}/v2/rates?providers=ECB&base=EUR&quotes=USD`);
  const rows = (await response.json()) as { rate: number }[];
  return rows[0]?.rate;
};

describe('the console of operators', () => {
  test('is opened by a link that works once, and sets the token', async () => {
    const link = await createLoginLink(site.ground().database, NOW);
    await visit(link, async (page) => {
      expect((await page.inputValue('#token')).length).toBeGreaterThan(30);
      await setToken(page);
      expect(new URL(page.url()).pathname).toBe('/admin');
      await expectText(page, 'h1', 'Overview');
    });
    await visit('/admin/login', async (page) => {
      const response = await page.goto(`${site.api().url}${link}`);
      expect(response?.status()).toBe(410);
      await expectText(page, 'h1', 'This link has expired');
      await expectText(page, 'main', /works once/);
    });
    await visit('/admin/login', async (page) => {
      await page.fill('#token', 'typed');
      await page.getByRole('link', { name: 'Show' }).click();
      expect(await page.locator('#token[type=text]').inputValue()).toBe('typed');
    });
    await visiting('/admin', async (page) => {
      await expectText(page, 'h1', 'Overview');
      await expectText(page, '#overview', /Set PUBLISH_DIR to a folder/);
    });
  });

  test('reads a source again, from the click to the changed rate', async () => {
    await visiting('/admin/sources', async (page) => {
      await follow(page, page.getByRole('link', { name: 'European Central Bank' }));
      for (const rate of [1.1, 1.25]) {
        newest = rate;
        await follow(page, page.getByRole('button', { name: 'Read again' }));
        await expectText(page, 'h1', 'Read ECB again');
        await follow(page, page.getByRole('button', { name: /^Read .* again$/ }));
        // The page is updated by itself.
        await expectText(page, '#job', rate === 1.1 ? /Completed.*: 1 new/ : /Completed.*: 1 corrected\./);
        await patiently(async () => expect(await rateNow()).toBe(rate));
      }
      await expectText(page, '#history', /operator/);
      await page.getByText('Responses').first().click();
      await expectText(page, '#history details[open]', /SHA-256/);
    });
  });

  test('takes no form that another page sends', async () => {
    await visiting('/admin/sources/ECB/read?window=all', async (page) => {
      const before = await site.ground().queues.ingest.getJobCounts();
      await page.evaluate("document.querySelector('[name=form_token]').value = 'x'");
      const [response] = await Promise.all([
        page.waitForResponse((one) => one.request().method() === 'POST'),
        page.getByRole('button', { name: /^Read .* again$/ }).click(),
      ]);
      expect(response.status()).toBe(403);
      await expectText(page, 'main', /not from this session/);
      expect(await site.ground().queues.ingest.getJobCounts()).toEqual(before);
    });
  });

  test('shows the result of a requested publication once a worker has it', async () => {
    await visiting('/admin/publication/request', async (page) => {
      await follow(page, page.getByRole('button', { name: 'Publish now' }));
      await expectText(page, '#task', /Requested/);
      expect(await takeRequest(site.ground().database, 'publish', NOW)).toBe(true);
      await expectText(page, '#task', /In progress/);
      await noteEnd(site.ground().database, 'publish', {
        now: NOW,
        outcome: { state: 'published', records: 2 },
      });
      await expectText(page, '#task', /^Last run.*published/);
    });
  });

  const PAGES = 'sources jobs publication backups audit settings sources/ECB sources/ECB/read?window=month';
  test.each(['', ...PAGES.split(' ')])('%s has no faults, by keyboard, on a phone and in the dark', (path) =>
    expectNoFaults(site, `/admin/${path}`),
  );
});
