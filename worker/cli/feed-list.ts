import type { Command } from 'commander';
import { providers } from '../../core/domain/providers.js';
import { credentialsFor } from '../feeds/credentials.js';
import type { Feed } from '../feeds/feed.js';
import { loadFeeds } from '../feeds/registry.js';
import { printTable } from './output.js';
import type { Run, Session } from './session.js';

export function addFeedList(feed: Command, run: Run): void {
  feed
    .command('list')
    .description('print every provider: key, name, schedule (cron, UTC), credentials')
    .action(() => run(listFeeds));
}

async function listFeeds(session: Session): Promise<void> {
  const feeds = await loadFeeds();
  const rows = providers.map(({ key, name, publish_schedule }) => {
    const feed = feeds.get(key);
    return [key, name, publish_schedule ?? 'archive', feed ? credentialsOf(feed, session) : 'imported only'];
  });
  await printTable(session.stdout, ['KEY', 'NAME', 'SCHEDULE', 'CREDENTIALS'], rows);
}

function credentialsOf(feed: Feed, { config }: Session): string {
  if (!feed.credentials) return 'none needed';
  const credentials = credentialsFor(feed, config);
  return credentials.status === 'present' ? 'present' : `missing: ${credentials.names.join(', ')}`;
}
