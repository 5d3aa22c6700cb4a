import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { providerOf, providers } from '../../core/domain/providers.js';
import { codeFile } from '../../core/process/project-files.js';
import { customSourceOf } from '../../core/sources/custom-sources.js';
import { customFeed } from './custom-feed.js';
import type { Feed } from './feed.js';

/** The banks are in a folder of their own, in files named after the provider's key, compiled or as source like this file. */
const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/** The feeds of all providers by key, in order, except imported custom sources. Throws if a feed is missing. */
export async function loadFeeds(): Promise<ReadonlyMap<string, Feed>> {
  const feeds = new Map<string, Feed>();
  for (const { key } of providers) {
    const own = customSourceOf(key);
    if (!own || own.read) feeds.set(key, await loadFeed(key));
  }
  return feeds;
}

/** The feed of one provider, with the key in any case. Throws if there is none. */
export async function loadFeed(key: string): Promise<Feed> {
  const wanted = key.toUpperCase();
  if (!providerOf(wanted)) throw new Error(`there is no provider ${wanted}`);
  const own = customSourceOf(wanted);
  if (own?.read) return customFeed(own, own.read);
  const path = codeFile(`worker/banks/${key.toLowerCase()}${extension}`);
  if (!existsSync(path)) throw new Error(`there is no feed for ${wanted}`);
  const loaded: { feed?: Feed } = await import(pathToFileURL(path).href);
  if (loaded.feed?.key !== wanted) throw new Error(`${path} does not export the feed ${wanted}`);
  return loaded.feed;
}
