import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../../core/process/make-folder.js';
import type { KeptInteraction } from './recording-client.js';

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
export async function writeRecording(
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
  const index = join(folder, `${name}.index.json`);
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
