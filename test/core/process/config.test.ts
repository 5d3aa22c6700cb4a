import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
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

  describe('with a value in a file', () => {
    const fileWith = (content: string) => {
      const folder = mkdtempSync(join(tmpdir(), 'almanac-config-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const file = join(folder, 'secret');
      writeFileSync(file, content);
      return file;
    };

    test.each([
      ['as it is', ' a token with  spaces ', ' a token with  spaces '],
      ['without the newline at its end', 'a token of an editor\n', 'a token of an editor'],
      ['without that of Windows', 'a token of an editor\r\n', 'a token of an editor'],
      ['with all other lines', 'a token on two\nlines\n\n', 'a token on two\nlines\n'],
    ])('takes it %s', (_how, content, value) => {
      expect(readConfig({ ADMIN_TOKEN_FILE: fileWith(content) }).ADMIN_TOKEN).toBe(value);
    });

    test('takes any variable, in its own type', () => {
      expect(readConfig({ PORT_FILE: fileWith('81\n'), MCP_FILE: fileWith('off') })).toMatchObject({
        PORT: 81,
        MCP: false,
      });
    });

    test('takes an empty path as not set, and an empty value beside a path too', () => {
      expect(readConfig({ ADMIN_TOKEN_FILE: ' ' })).toEqual(readConfig({}));
      const file = fileWith('postgres://user@host/x');
      expect(readConfig({ DATABASE_URL: '', DATABASE_URL_FILE: file }).DATABASE_URL).toContain('host');
    });

    test('refuses one that is given twice, is not there or says nothing, and never tells what is in it', () => {
      const read = (variables: Record<string, string>) => () => readConfig(variables);
      const file = fileWith('short-hidden');
      expect(read({ ADMIN_TOKEN: 'x'.repeat(16), ADMIN_TOKEN_FILE: file })).toThrow(
        new ConfigurationError('ADMIN_TOKEN and ADMIN_TOKEN_FILE are both set: only one may be'),
      );
      expect(read({ ADMIN_TOKEN_FILE: `${file}-not` })).toThrow(
        new ConfigurationError(`ADMIN_TOKEN_FILE: ${file}-not can't be read`),
      );
      const empty = fileWith('\n');
      expect(read({ ADMIN_TOKEN_FILE: empty })).toThrow(
        new ConfigurationError(`ADMIN_TOKEN_FILE: ${empty} is empty`),
      );
      expect(read({ ADMIN_TOKEN_FILE: file })).toThrow(/^(?!.*hidden).*ADMIN_TOKEN: /);
    });
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
