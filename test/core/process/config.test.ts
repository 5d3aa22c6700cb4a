import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ConfigurationError, readConfig } from '../../../core/process/config.js';
import { projectFolder } from '../../../core/process/project-files.js';
import { newFolder } from '../support.js';

it('has a default for everything that needs one, also where a variable is empty', () => {
  const defaults = { PORT: 8080, HOST: '0.0.0.0', BOOTSTRAP: true, SCHEDULE: true };
  expect(readConfig({})).toMatchObject({ ...defaults, LOG_LEVEL: 'info' });
  expect(readConfig({}).DATABASE_URL).toBeUndefined();
  expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).toEqual(readConfig({}));
});

it('names every variable at fault in one line, and no value', () => {
  const read = () =>
    readConfig({ PORT: 'eighty', DATABASE_URL: 'mysql://user:hidden@host/x', BOOTSTRAP: 'no' });
  expect(read).toThrow(ConfigurationError);
  expect(read).toThrow(/^(?!.*hidden).*PORT: .*DATABASE_URL: .*BOOTSTRAP: .*$/);
});

const fileWith = async (content: string) => {
  const file = join(await newFolder(), 'secret');
  writeFileSync(file, content);
  return file;
};

it.each([
  ['without the newline at its end', 'a token of an editor\n', 'a token of an editor'],
  ['without that of Windows', 'a token of an editor\r\n', 'a token of an editor'],
  ['with all other lines', 'a token on two\nlines\n\n', 'a token on two\nlines\n'],
])('with a value in a file takes it %s', async (_how, content, value) => {
  expect(readConfig({ ADMIN_TOKEN_FILE: await fileWith(content) }).ADMIN_TOKEN).toEqual([value]);
});

it('with a value in a file takes any variable, in its own type, and an empty path or value beside a path as not set', async () => {
  const files = { PORT_FILE: await fileWith('81\n'), MCP_FILE: await fileWith('off') };
  expect(readConfig(files)).toMatchObject({ PORT: 81, MCP: false });
  expect(readConfig({ ADMIN_TOKEN_FILE: ' ' })).toEqual(readConfig({}));
  const DATABASE_URL_FILE = await fileWith('postgres://user@host/x');
  expect(readConfig({ DATABASE_URL: '', DATABASE_URL_FILE }).DATABASE_URL).toContain('host');
});

it('with a value in a file refuses one that is given twice, is not there or says nothing, and never shows what is in it', async () => {
  const [file, empty] = [await fileWith('short-hidden'), await fileWith('\n')];
  for (const [variables, message] of [
    [
      { ADMIN_TOKEN: 'x'.repeat(16), ADMIN_TOKEN_FILE: file },
      'ADMIN_TOKEN and ADMIN_TOKEN_FILE are both set: only one may be',
    ],
    [{ ADMIN_TOKEN_FILE: `${file}-not` }, `ADMIN_TOKEN_FILE: ${file}-not can't be read`],
    [{ ADMIN_TOKEN_FILE: empty }, `ADMIN_TOKEN_FILE: ${empty} is empty`],
  ] as const)
    expect(() => readConfig(variables)).toThrow(new ConfigurationError(message));
  expect(() => readConfig({ ADMIN_TOKEN_FILE: file })).toThrow(/^(?!.*hidden).*ADMIN_TOKEN: /);
});

it('takes some limits alone, a token with the previous one, and hosts that may use the tools', () => {
  const limits = { currency: 60_000, utility: 0, relay: 60, mcp: 600, login: 10 };
  expect(readConfig({}).RATE_LIMITS).toEqual(limits);
  expect(readConfig({ RATE_LIMITS: 'relay=0, mcp=7' }).RATE_LIMITS).toEqual({ ...limits, relay: 0, mcp: 7 });
  for (const text of ['60', 'other=1', 'relay=-1', 'relay=1.5', 'relay'])
    expect(() => readConfig({ RATE_LIMITS: text })).toThrow(/RATE_LIMITS: must be like currency=60000,/);
  const [next, previous] = ['n'.repeat(16), 'p'.repeat(16)];
  for (const text of [`${next},${previous}`, `${next}, ${previous}`])
    expect(readConfig({ ADMIN_TOKEN: text }).ADMIN_TOKEN).toEqual([next, previous]);
  for (const text of [`${next},short`, `${next},`, `${next},${next},${next}`])
    expect(() => readConfig({ ADMIN_TOKEN: text })).toThrow(/ADMIN_TOKEN: must be a token/);
  const mcp = ['on', 'off', 'Chat.example.com, b'].map((MCP) => readConfig({ MCP }).MCP);
  expect(mcp).toEqual([[], false, ['chat.example.com', 'b']]);
  expect(readConfig({ CONTACT: 'rates@example.org' }).CONTACT).toBe('rates@example.org');
  expect(() => readConfig({ CONTACT: 'me' })).toThrow('CONTACT: must be a URL or an e-mail address');
});

it('is shown whole in .env.example, with the defaults', () => {
  const example = readFileSync(join(projectFolder, '.env.example'), 'utf8');
  const shown = [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]);
  expect(readConfig(Object.fromEntries(shown))).toEqual(readConfig({}));
  const source = readFileSync(join(projectFolder, 'core', 'process', 'config.ts'), 'utf8');
  const read = [...source.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name);
  expect(shown.map(([name]) => name).sort()).toEqual(read.sort());
});
