import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../core/domain/dates.js';
import { makeFolder } from '../../core/process/replace-file.js';
import type { Feed, RateRow } from './feed.js';
import { INDEX } from './http/recorded-client.js';
import { type KeptInteraction, recordingClient } from './http/recording-client.js';
import { type ReadContext, type ReadRequest, readRates } from './read.js';

/** The rates that would be stored, or the error of reading. */
type Outcome = { rows: RateRow[] } | { error: unknown };

/**
 * Reads a window of a feed, and stores every response under `<folder>/<key>/recorded`, even unreadable ones. Throws the errors
 * of reading if there was no response.
 */
export async function record(
  feed: Feed,
  window: ReadRequest,
  context: ReadContext,
  { folder, clock }: { folder: string; clock: Clock },
) {
  const http = recordingClient(context.http, context.credentials, clock);
  const outcome: Outcome = await readRates(feed, window, { ...context, http }).catch((error: unknown) => ({
    error,
  }));
  const kept = http.kept();
  if (kept.length === 0)
    throw 'error' in outcome
      ? outcome.error
      : new Error(`${feed.key} is not asked for anything on these days`);
  const name = feed.key.toLowerCase();
  const index = await writeRecording(join(folder, name, 'recorded'), name, kept);
  const bytes = kept.reduce((sum, { body }) => sum + (body?.length ?? 0), 0);
  return { index, responses: kept.length, bytes, outcome };
}

/** The file extension of a body by content type. The first match applies. */
const EXTENSIONS: readonly (readonly [type: RegExp, extension: string])[] = [
  [/json/, 'json'],
  [/csv/, 'csv'],
  [/html/, 'html'],
  [/openxmlformats|spreadsheetml/, 'xlsx'],
  [/ms-?excel/, 'xls'],
  [/xml/, 'xml'],
  [/pdf/, 'pdf'],
  [/zip/, 'zip'],
  [/^text\//, 'txt'],
];

/** Writes or replaces `<name>.index.json` and its bodies, `<name>-01.json` and so on. Returns the path of the index. */
async function writeRecording(
  folder: string,
  name: string,
  interactions: readonly KeptInteraction[],
): Promise<string> {
  await makeFolder(folder);
  for (const file of await readdir(folder)) if (isOf(file, name)) await rm(join(folder, file));
  const entries = [];
  for (const [at, { body, ...interaction }] of interactions.entries()) {
    const bodyFile = body && bodyFileOf(name, at, interaction.responseHeaders['content-type'] ?? '');
    if (bodyFile) await writeFile(join(folder, bodyFile), body);
    entries.push({ ...interaction, bodyFile: bodyFile ?? null, bytes: body?.length ?? 0 });
  }
  const index = join(folder, `${name}${INDEX}`);
  await writeFile(index, `${JSON.stringify(entries, null, 2)}\n`);
  return index;
}

function bodyFileOf(name: string, at: number, type: string): string {
  const [, extension = 'bin'] = EXTENSIONS.find(([pattern]) => pattern.test(type.toLowerCase())) ?? [];
  return `${name}-${String(at + 1).padStart(2, '0')}.${extension}`;
}

function isOf(file: string, name: string): boolean {
  return file.startsWith(name) && /^(\.index\.json|-\d+\.[a-z]+)$/.test(file.slice(name.length));
}
