import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectFolder } from '../../core/process/project-files.js';

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8');

// test/core/process/config.test.ts holds .env.example against the schema.
it('the table of docs/configuration.md has the variables of .env.example with their defaults', () => {
  const rows = read('docs/configuration.md').matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \| (?:`(.*?)`)? \|/gm);
  const shown = [...rows].flatMap(([, names = '', value = '']) =>
    names.split(', ').map((name) => [name.replaceAll('`', ''), value]),
  );
  const lines = read('.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm);
  expect(shown.toSorted()).toEqual([...lines].map(([, name, value]) => [name, value]).toSorted());
});
