import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { madeInteractions, type NamedRecording, readAll } from '../../worker/feeds/recordings.js';

/** A provider's complete recordings, in `whole`, by name. Missing requests get responses from `recorded`. */
export async function readWholeRecordings(
  folder: string,
  key: string,
  recorded: readonly NamedRecording[],
): Promise<NamedRecording[]> {
  const place = join(folder, key.toLowerCase(), 'whole');
  if (!existsSync(place)) return [];
  const others = recorded.flatMap((one) =>
    one.interactions.map(({ bodyFile, ...rest }) => ({
      ...rest,
      bodyFile: bodyFile && resolve(one.folder, bodyFile),
      isOfAnother: true as const,
    })),
  );
  const made = await madeInteractions(key, 'whole');
  return (await readAll(place)).map((one) => ({
    ...one,
    interactions: [...one.interactions, ...made, ...others],
  }));
}
