import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { providerOf, providers } from '../../../core/domain/providers.js';
import { ConfigurationError, readConfig } from '../../../core/process/config.js';
import { useSources } from '../../../core/sources/custom-sources.js';

const SOURCES_DIR = await mkdtemp(join(tmpdir(), 'sources-'));
for (const key of ['DESK', 'DUSK'])
  await writeFile(join(SOURCES_DIR, `${key}.yaml`), `key: ${key}\nname: Treasury\n`);
afterEach(() => useSources({}));
afterAll(() => rm(SOURCES_DIR, { recursive: true }));

const use = (variables: Record<string, string>) => useSources(readConfig(variables));

it('leaves out sources that ship and own ones by their keys, in any case', () => {
  const all = providers.length;
  expect(use({ SOURCES_DIR, PROVIDERS_EXCEPT: ' bdl,DESK , BM,' }).map(({ key }) => key)).toEqual(['DUSK']);
  expect(['BDL', 'BM', 'DESK', 'DUSK', 'ECB'].filter(providerOf)).toEqual(['DUSK', 'ECB']);
  expect(providers).toHaveLength(all - 1);
  use({});
  expect(providers).toHaveLength(all);
});

it.each([
  ['XYZ', 'XYZ'],
  ['BDL,ecb2', 'ECB2'],
  ['DESK', 'DESK'],
])('refuses to leave out what is no source: %s', (except, unknown) => {
  expect(() => use({ PROVIDERS_EXCEPT: except })).toThrow(
    new ConfigurationError(`PROVIDERS_EXCEPT: there is no provider ${unknown}`),
  );
});

it('names the folder where a custom source has the key of another', async () => {
  await writeFile(join(SOURCES_DIR, 'twice.yaml'), 'key: ECB\nname: Treasury\n');
  expect(() => use({ SOURCES_DIR })).toThrow(
    new ConfigurationError('SOURCES_DIR: there is a provider ECB already'),
  );
  await rm(join(SOURCES_DIR, 'twice.yaml'));
});
