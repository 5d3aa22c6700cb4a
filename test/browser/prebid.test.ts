import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
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

type Rates = Record<string, number>;

const site = openSite();
let script = '';

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-prebid-'));
  try {
    const run = promisify(execFile);
    const { stdout } = await run('npm', ['pack', PACKAGE, '--silent'], { cwd: folder });
    const packed = join(folder, stdout.trim());
    expect(
      createHash('sha512')
        .update(await readFile(packed))
        .digest('base64'),
    ).toBe(SHA512);
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

/** Does something with Prebid.js in a page of another site, once it has read our file. */
async function withPrebid(query: string, work: (page: Page) => Promise<void>) {
  const { page, close } = await site.open();
  try {
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
    await work(page);
  } finally {
    await close();
  }
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

async function ratesOf(base: string): Promise<Rates> {
  const response = await fetch(`${site.url()}/v2/rates?base=${base}&precision=full`);
  const rows = (await response.json()) as { quote: string; rate: number }[];
  return Object.fromEntries(rows.map(({ quote, rate }) => [quote, rate]));
}

const fourDecimals = (rate: number) => Math.round(rate * 10_000) / 10_000;

describe('Prebid.js', () => {
  test('converts bids by our file, as exactly as it can by three bases', () =>
    withPrebid('?date=$$TODAY$$', async (page) => {
      const dollar = await ratesOf('USD');
      const [yen = 0, franc = 0] = [dollar.JPY, dollar.CHF];
      expect(await converted(page, 'USD', 'JPY')).toBe(yen);
      expect(await converted(page, 'EUR', 'JPY')).toBe((await ratesOf('EUR')).JPY);
      // The reciprocal, and the cross by way of the dollar, are rounded.
      expect(await converted(page, 'JPY', 'USD')).toBe(fourDecimals(1 / yen));
      expect(await converted(page, 'JPY', 'CHF')).toBe(fourDecimals((1 / yen) * franc));
    }));

  test('rounds nothing where the bases are those of the bids', () =>
    withPrebid('?bases=JPY,USD,EUR', async (page) => {
      const yen = await ratesOf('JPY');
      expect(await converted(page, 'JPY', 'EUR')).toBe(yen.EUR);
      expect(await converted(page, 'JPY', 'CHF')).toBe(yen.CHF);
    }));
});
