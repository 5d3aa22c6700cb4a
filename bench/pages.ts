import type { Database } from '../core/database/database.js';
import { startApi } from './support/api.js';
import type { Context } from './support/context.js';
import { download } from './support/download.js';
import { spreadOf } from './support/statistics.js';

const PAGES = ['/', '/status', '/currency/CHF', '/provider/ECB', '/docs', '/docs/plain'];
const HEADERS = { accept: 'text/html', 'accept-encoding': 'br' };
const KB = 1000;
/** The home page with all that it loads. */
const HOME_KB = 120;

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
  } finally {
    await api.stop();
  }
}

/** The styles, scripts and pictures that a page names. */
async function assetsOf(url: string): Promise<string[]> {
  const page = await (await fetch(url, { headers: HEADERS })).text();
  return [...new Set(page.match(/\/assets\/[\w.-]+/g))];
}
