import { expect, test } from 'vitest';
import { providers } from '../../../core/domain/providers.js';
import { loadFeed, loadFeeds } from '../../../worker/feeds/registry.js';

test('every provider has its feed, and every feed its provider', async () => {
  const feeds = await loadFeeds();
  expect([...feeds.keys()]).toEqual(providers.map(({ key }) => key));
  expect([...feeds].filter(([key, feed]) => feed.key !== key)).toEqual([]);
});

test('one feed, its key in any case', async () => {
  expect((await loadFeed('ecb')).key).toBe('ECB');
  await expect(loadFeed('XXX')).rejects.toThrow('there is no provider XXX');
  await expect(loadFeed('feed')).rejects.toThrow('there is no provider FEED');
});
