import type { Database } from '../../core/database/database.js';
import { startApi } from './support/api.js';
import { findChromium, startChromium } from './support/chromium.js';
import type { Context } from './support/context.js';
import { download } from './support/download.js';
import { showSpread, spreadOf } from './support/statistics.js';

const PAGES = ['/', '/status', '/currency/CHF', '/provider/ECB', '/docs'];
const HEADERS = { accept: 'text/html', 'accept-encoding': 'br' };
const KB = 1000;
/** The home page with all that it loads. */
const HOME_KB = 120;
/** From the request until its scripts have run, in a browser that has nothing of it yet. */
const HOME_READY_MS = 500;
const VISITS = 5;

/** Measures what each page weighs with the styles and scripts that it loads, compressed, and how long it is made. */
export async function measurePages(
  { databases, effort, progress, record }: Context,
  database: Database & { url: string },
): Promise<void> {
  const api = await startApi(database.url, databases.folder);
  try {
    for (const path of PAGES) {
      progress(`reading the page ${path}`);
      const assets = await assetsOf(`${api.url}${path}`);
      let bytes = 0;
      for (const asset of assets) bytes += (await download(api.url, asset, { headers: HEADERS })).bytes;
      const times: number[] = [];
      let ofPage = 0;
      for (let round = 0; round < effort.rounds; round++) {
        const page = await download(api.url, path, { headers: HEADERS });
        times.push(page.ms);
        ofPage = page.bytes;
      }
      const weight = (bytes + ofPage) / KB;
      record({
        what: `page ${path}`,
        measured: `${weight.toFixed(1)} kB with ${assets.length} assets, of it ${(ofPage / KB).toFixed(1)} kB in ${spreadOf(times).median.toFixed(1)} ms`,
        reach: path === '/' ? `< ${HOME_KB} kB` : '',
        ok: path === '/' ? weight < HOME_KB : undefined,
      });
    }
    if (findChromium() === undefined)
      progress('there is no Chromium: the time of a page in a browser is not measured');
    else {
      progress('visiting the home page');
      const time = spreadOf(await visits(api.url, VISITS * effort.rounds));
      record({
        what: 'page /, visited by Chromium',
        measured: `ready after ${showSpread(time, 0)} ms`,
        reach: `< ${HOME_READY_MS} ms`,
        ok: time.median < HOME_READY_MS,
      });
    }
  } finally {
    await api.stop();
  }
}

/** The styles, scripts and pictures that a page loads, without those that only others load or that wait for a click. */
async function assetsOf(url: string): Promise<string[]> {
  const page = await (await fetch(url, { headers: HEADERS })).text();
  return [
    ...new Set(Array.from(page.matchAll(/(?:href|src)="(\/assets\/[\w.-]+)"/g), ([, path = '']) => path)),
  ];
}

/** Milliseconds until a page is ready, each time as a new visitor. */
async function visits(url: string, count: number): Promise<number[]> {
  const browser = await startChromium();
  try {
    const times: number[] = [];
    for (let visit = 0; visit < count; visit++) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(url, { waitUntil: 'networkidle' });
      times.push(
        await page.evaluate<number>('performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd'),
      );
      await context.close();
    }
    return times;
  } finally {
    await browser.close();
  }
}
