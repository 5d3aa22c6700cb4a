import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../core/process/project-files.js';

/** The fenced blocks of a language under a heading of docs/deployment.md, in their order. Throws where there is none. */
export function documented(heading: string, language: 'sh' | 'sql'): [string, ...string[]] {
  const text = readFileSync(join(projectFolder, 'docs', 'deployment.md'), 'utf8');
  const section = text.split(/^#{2,3} /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, named]) => named === language)
    .map(([, , block = '']) => block);
  const [first, ...others] = blocks;
  if (first === undefined) throw new Error(`docs/deployment.md has no ${language} under "${heading}"`);
  return [first, ...others];
}
