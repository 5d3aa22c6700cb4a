import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigurationError, readConfig } from '../../../core/process/config.js';
import { projectFolder } from '../../../core/process/project-files.js';

describe('readConfig', () => {
  test('has a default for everything that needs one', () => {
    expect(readConfig({})).toMatchObject({
      PORT: 8080,
      HOST: '0.0.0.0',
      DATA_DIR: '.almanac',
      BOOTSTRAP: true,
      SCHEDULE: true,
      LOG_LEVEL: 'info',
    });
    expect(readConfig({}).DATABASE_URL).toBeUndefined();
  });

  test('takes an empty variable as not set', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).toEqual(readConfig({}));
  });

  test('names every variable at fault, and no value', () => {
    const read = () =>
      readConfig({ PORT: 'eighty', DATABASE_URL: 'mysql://user:hidden@host/x', BOOTSTRAP: 'no' });
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow(/PORT: .*DATABASE_URL: .*BOOTSTRAP: /);
    expect(read).not.toThrow(/hidden/);
    expect(read).not.toThrow(/\n/);
  });

  test('is shown whole in .env.example, with the defaults', () => {
    const lines = readFileSync(join(projectFolder, '.env.example'), 'utf8').split('\n');
    const shown = lines.flatMap((line) => {
      const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value ?? ''] as const];
    });
    expect(readConfig(Object.fromEntries(shown))).toEqual(readConfig({}));
    const source = readFileSync(join(projectFolder, 'core', 'process', 'config.ts'), 'utf8');
    const read = [...source.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name);
    expect(shown.map(([name]) => name).sort()).toEqual(read.sort());
  });
});
