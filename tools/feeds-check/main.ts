import { readConfig } from '../../core/process/config.js';
import { createLogger } from '../../core/process/logger.js';
import { loadFeed } from '../../worker/feeds/registry.js';
import { parseRecordings } from '../recordings/folder.js';
import { madeUpRecordings } from '../recordings/made-up.js';
import { checkFeed, type FeedCheck } from './check.js';

export const usage = `feeds-check [--from FOLDER] [KEY…]

Reads feeds from recordings and prints what is right, a line a feed.
`;

/** Exit code 1 where a feed is wrong. */
export async function run(args: string[]): Promise<number> {
  const { from, keys } = await parseRecordings(args);
  const log = createLogger({ LOG_LEVEL: readConfig(process.env).LOG_LEVEL }, 'feeds-check', { to: 'stderr' });
  process.stdout.write(line('KEY', 'EXPECTED', 'RIGHT', 'WHOLE', 'OK'));
  let wrong = 0;
  for (const key of keys) {
    const check = await checkFeed(await loadFeed(key), from, log);
    if (!check.ok) wrong++;
    process.stdout.write(lineOf(check));
  }
  process.stdout.write(`${keys.length - wrong} of ${keys.length} feeds are right\n`);
  return wrong === 0 ? 0 : 1;
}

function lineOf({ key, expected, right, whole, ok, error }: FeedCheck): string {
  const proof = madeUpRecordings.has(key) ? 'ok, of a recording that was made up' : 'ok';
  return line(
    key,
    expected === undefined ? '-' : String(expected),
    String(right),
    whole === 0 ? '-' : String(whole),
    ok ? proof : `NO  ${error}`,
  );
}

function line(key: string, expected: string, right: string, whole: string, ok: string): string {
  return `${key.padEnd(10)}${[expected, right, whole].map((count) => count.padStart(9)).join('')}  ${ok}\n`;
}
