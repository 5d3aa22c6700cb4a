import { expect, test } from 'vitest';
import { loadFeed, loadFeeds } from '../../worker/feeds/registry.js';

test('feeds are found by the keys of their providers, in order', async () => {
  const feeds = await loadFeeds();
  expect([...feeds.keys()]).toEqual([...feeds.keys()].toSorted());
  expect([...feeds].every(([key, feed]) => feed.key === key)).toBe(true);
  expect([...feeds.keys()]).toEqual(expect.arrayContaining(['BRB', 'CBR', 'ECB', 'MNB', 'RBF']));
});

test('one feed, its key in any case', async () => {
  expect((await loadFeed('ecb')).key).toBe('ECB');
  await expect(loadFeed('XXX')).rejects.toThrow('there is no provider XXX');
  await expect(loadFeed('feed')).rejects.toThrow('there is no provider FEED');
});
