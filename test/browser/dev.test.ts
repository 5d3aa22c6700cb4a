import { writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { startApi } from '../support/api.js';
import { testDatabase } from '../support/postgres.js';
import { openPage, startBrowser } from './browser.js';
import { fillWorld, NOW } from './world.js';

test('dev', async () => {
  const database = await testDatabase();
  console.time('fill');
  await fillWorld(database);
  console.timeEnd('fill');
  const api = await startApi(database, { clock: () => NOW });
  const browser = await startBrowser();
  for (const path of (process.env.PAGES ?? '/,/status,/currency/CHF,/provider/ECB,/docs,/docs/plain').split(
    ',',
  )) {
    for (const width of [1280, 360]) {
      const start = performance.now();
      const { page, problems, foreign, transferred, close } = await openPage(browser, api.url, {
        viewport: { width, height: width === 360 ? 740 : 800 },
        colorScheme: process.env.DARK ? 'dark' : 'light',
      });
      await page.goto(api.url + path, { waitUntil: 'networkidle' });
      await page.waitForTimeout(300);
      const scroll = await page.evaluate('document.documentElement.scrollWidth');
      console.log(
        path,
        width,
        Math.round(performance.now() - start),
        'ms',
        await transferred(),
        'bytes, scrollWidth',
        scroll,
        problems,
        foreign.slice(0, 3),
      );
      await page.screenshot({
        path: `/tmp/shots/${path.replaceAll('/', '_')}-${width}${process.env.DARK ? '-dark' : ''}.png`,
        fullPage: !path.startsWith('/docs'),
      });
      await close();
    }
  }
  writeFileSync(
    '/tmp/shots/home.html',
    await (await fetch(api.url, { headers: { accept: 'text/html' } })).text(),
  );
  for (let i = 0; i < 5; i++) {
    const s = performance.now();
    const r = await fetch(api.url, { headers: { accept: 'text/html' } });
    const t = await r.text();
    console.log('home', (performance.now() - s).toFixed(1), t.length);
  }
  for (let i = 0; i < 3; i++) {
    const s = performance.now();
    const r = await fetch(api.url + '/status');
    const t = await r.text();
    console.log('status', (performance.now() - s).toFixed(1), t.length);
  }
  await browser.close();
  await api.close();
  await database.close();
}, 200_000);
