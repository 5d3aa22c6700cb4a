import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Recording } from '../../worker/feeds/http/recorded-client.js';
import { readRecordings } from '../../worker/feeds/recordings.js';

/** A provider's complete recordings, in `whole`, by name. Missing requests get responses from `recorded`. */
export async function readWholeRecordings(
  folder: string,
  key: string,
  recorded: readonly Recording[],
): Promise<Recording[]> {
  if (!existsSync(join(folder, key.toLowerCase(), 'whole'))) return [];
  const rest = recorded.flatMap(({ interactions, others = [] }) => [...interactions, ...others]);
  const whole = await readRecordings(folder, key, 'whole');
  return whole.map((one) => ({ ...one, others: [...(one.others ?? []), ...rest] }));
}
