import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { openSite, patiently } from './site.js';

// Prebid.js as it is built for publishers. With all its modules and their dependencies it has 14,000 files, so that only what
// is loaded here is taken out of the package.

const PACKAGE = 'prebid.js@11.36.0';
const SHA512 = 'uFv6NZEoPQ/z5EUbYMVuV0r+3EXHLL+3ZzbC/+g10QCittFuLGWhAkxQas9nUcpbj1aBU2P2mVSq1XJuyNtZaw==';
const CHUNKS = 'package/dist/chunks';

interface Prebid {
  setConfig(config: object): void;
  processQueue(): void;
  convertCurrency(amount: number, from: string, to: string): number;
}

const site = openSite();
let script = '';

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-prebid-'));
  try {
    const run = promisify(execFile);
    const { stdout } = await run('npm', ['pack', PACKAGE, '--silent'], { cwd: folder });
    const packed = join(folder, stdout.trim());
    expect(hash('sha512', await readFile(packed), 'base64')).toBe(SHA512);
    await run('tar', ['--extract', '--file', packed, CHUNKS], { cwd: folder });
    const read = (name: string) => readFile(join(folder, CHUNKS, name), 'utf8');
    const needed = JSON.parse(await read('dependencies.json')) as Record<string, string[]>;
    const modules = ['prebid-core.js', 'currency.js'];
    const chunks = new Set(modules.flatMap((name) => [...(needed[name] ?? []), name]));
    script = (await Promise.all([...chunks].map(read))).join('\n');
  } finally {
    await rm(folder, { recursive: true });
  }
}, 180_000);

/** Loads Prebid.js into a page of another site, and waits until it has read our file. */
async function loadPrebid(page: Page, query: string): Promise<void> {
  await page.addScriptTag({ content: script });
  const conversionRateFile = `${site.url()}/prebid/latest.json${query}`;
  await page.evaluate(
    (currency) => {
      const { pbjs } = globalThis as unknown as { pbjs: Prebid };
      pbjs.processQueue();
      pbjs.setConfig({ currency });
    },
    { adServerCurrency: 'EUR', conversionRateFile },
  );
  await patiently(async () => expect(await converted(page, 'USD', 'EUR')).toBeGreaterThan(0));
}

function converted(page: Page, from: string, to: string): Promise<number | undefined> {
  return page.evaluate(
    ([base, quote]) => {
      try {
        return (globalThis as unknown as { pbjs: Prebid }).pbjs.convertCurrency(1, base, quote);
      } catch {
        return undefined;
      }
    },
    [from, to] as const,
  );
}

async function ratesOf(base: string): Promise<Record<string, number>> {
  const response = await fetch(`${site.url()}/v2/rates?base=${base}&precision=full`);
  const rows = (await response.json()) as { quote: string; rate: number }[];
  return Object.fromEntries(rows.map(({ quote, rate }) => [quote, rate]));
}

const fourDecimals = (rate: number) => Math.round(rate * 10_000) / 10_000;

site.opening('Prebid.js converts bids by our file, as exactly as it can by three bases', async ({ page }) => {
  await loadPrebid(page, '?date=$$TODAY$$');
  const dollar = await ratesOf('USD');
  const [yen = 0, franc = 0] = [dollar.JPY, dollar.CHF];
  expect(await converted(page, 'USD', 'JPY')).toBe(yen);
  expect(await converted(page, 'EUR', 'JPY')).toBe((await ratesOf('EUR')).JPY);
  // The reciprocal, and the cross by way of the dollar, are rounded.
  expect(await converted(page, 'JPY', 'USD')).toBe(fourDecimals(1 / yen));
  expect(await converted(page, 'JPY', 'CHF')).toBe(fourDecimals((1 / yen) * franc));
});

site.opening('Prebid.js rounds nothing where the bases are those of the bids', async ({ page }) => {
  await loadPrebid(page, '?bases=JPY,USD,EUR');
  const yen = await ratesOf('JPY');
  expect(await converted(page, 'JPY', 'EUR')).toBe(yen.EUR);
  expect(await converted(page, 'JPY', 'CHF')).toBe(yen.CHF);
});
