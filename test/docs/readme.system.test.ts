import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { shippedRatesFolder } from '../../core/process/project-files.js';
import { loadFeeds } from '../../worker/feeds/registry.js';
import { shippedRates } from '../support/shipped-rates.js';
import { curlMissing, examplesOf, firstStart, read, run } from './support.js';

const examples = ['README.md', 'docs/guide.md', 'docs/dialects.md'].flatMap((file) =>
  examplesOf(file).map((example) => ({ file, ...example })),
);
const readme = read('README.md');

describe.skipIf(curlMissing)('the examples of rates', () => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await firstStart());
  }, 180_000);

  it('are found', () => {
    expect(examples.filter(({ file }) => file === 'README.md')).toHaveLength(1);
    expect(examples.filter(({ file }) => file === 'docs/guide.md').length).toBeGreaterThanOrEqual(13);
  });

  it.each(examples)('$file: $command', async ({ command, response }) => {
    const real = await run(command, url);
    if (response === undefined) expect(JSON.parse(real)).not.toEqual([]);
    else expect(real.trimEnd()).toBe(response.trimEnd());
  });
});

describe('the README', () => {
  it('has 900 words at most', () => {
    expect(readme.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(900);
  });

  it('says which rates ship', async () => {
    const rows = await shippedRates();
    const days = rows.map(({ date }) => date).toSorted();
    const [first, last] = [days.at(0), days.at(-1)].map(inWords);
    const sources = new Set(rows.map(({ provider }) => provider)).size;
    const currencies = new Set(rows.flatMap(({ base, quote }) => [base, quote])).size;
    const bytes = readdirSync(shippedRatesFolder).map(
      (name) => statSync(join(shippedRatesFolder, name)).size,
    );
    const megabytes = (bytes.reduce((sum, one) => sum + one, 0) / 1_000_000).toFixed(1);
    expect(unwrapped(readme)).toContain(
      `**Rates from ${first} to ${last}**: ${rows.length.toLocaleString('en')} rates of ${sources} sources ` +
        `for ${currencies} currencies, past ones included, in ${megabytes} MB.`,
    );
  });

  it('names the sources that need a key', async () => {
    const feeds = [...(await loadFeeds()).values()];
    const keyed = feeds.filter(({ credentials = [] }) => credentials.length > 0);
    expect(feeds.length).toBeGreaterThan(100);
    const [, named = ''] = /\*\*Six sources need a key:\*\*(.*?)\. /s.exec(readme) ?? [];
    const keys = [...named.matchAll(/`(\w+)`/g)].map(([, key]) => key);
    expect(keyed).toHaveLength(6);
    expect(keys).toEqual(keyed.map(({ key }) => key).toSorted());
  });
});

const unwrapped = (text: string) => text.replaceAll(/\s+/g, ' ');

function inWords(day = ''): string {
  const style = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', style).format(new Date(day));
}
