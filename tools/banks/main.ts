import { once } from 'node:events';
import { readRecordings } from '../../worker/feeds/recordings.js';
import { parseRecordings } from '../recordings/folder.js';
import { stopSignal } from '../stop-signal.js';
import type { Streams } from '../tool.js';
import { startBanks } from './start-banks.js';

export const usage = `banks [--from FOLDER] [KEY…]

Serves banks from recordings on this machine, under their own names and with certificates of its own, until it is stopped.
Prints the port at which each origin is reached.
`;

export async function run(args: string[], { stdout }: Streams): Promise<number> {
  const { from, keys } = await parseRecordings(args);
  const recordings = await Promise.all(keys.map((key) => readRecordings(from, key)));
  const stopped = stopSignal();
  const banks = await startBanks({ recordings: recordings.flat() });
  for (const [origin, port] of banks.ports) stdout.write(`${port}  ${origin}\n`);
  if (!stopped.aborted) await once(stopped, 'abort');
  await banks.close();
  return 0;
}
