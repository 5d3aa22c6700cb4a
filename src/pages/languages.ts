import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { codeFile } from '../../core/process/project-files.js';
import type { MessageKey, Messages } from './shared/messages.js';

const FOLDER = codeFile('src/pages/messages');

/** By ISO 639 code: the files in `messages/`. */
export const languages: ReadonlyMap<string, Messages> = new Map(
  readdirSync(FOLDER).map((name) => [
    basename(name, '.json'),
    JSON.parse(readFileSync(join(FOLDER, name), 'utf8')),
  ]),
);

export function isMessageKey(key: string): key is MessageKey {
  return Object.hasOwn(languages.get('en') ?? {}, key);
}

/** The language of a tag such as `de-AT`; undefined if unsupported. */
export function languageOf(tag: string): string | undefined {
  const [primary = ''] = tag.toLowerCase().split('-');
  return languages.has(primary) ? primary : undefined;
}
