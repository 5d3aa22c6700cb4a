import { expect, it, test } from 'vitest';
import { addDays } from '../../../core/domain/dates.js';
import { providers } from '../../../core/domain/providers.js';
import { loadFeed, loadFeeds } from '../../../worker/feeds/registry.js';
import { nextBackfill } from '../../../worker/ingest/windows.js';

const feeds = await loadFeeds();

test('every provider has its feed, and every feed its provider', () => {
  expect([...feeds.keys()]).toEqual(providers.map(({ key }) => key));
  expect([...feeds].filter(([key, feed]) => feed.key !== key)).toEqual([]);
});

test('one feed, its key in any case', async () => {
  expect((await loadFeed('ecb')).key).toBe('ECB');
  await expect(loadFeed('XXX')).rejects.toThrow('there is no provider XXX');
  await expect(loadFeed('feed')).rejects.toThrow('there is no provider FEED');
});

it.each([...feeds])('a backfill of %s asks for every day, and for none twice', (key, { backfillDays }) => {
  const start = providers.find((provider) => provider.key === key)?.coverage_start ?? null;
  let asked = '2026-05-22';
  for (let window = nextBackfill(asked, start, backfillDays); window; ) {
    expect(window.to).toBe(addDays(asked, -1));
    asked = window.from;
    window = nextBackfill(asked, start, backfillDays);
  }
  if (start !== null) expect(asked).toBe(start);
});
