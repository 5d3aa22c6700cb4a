import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useSources } from '../../../core/sources/custom-sources.js';
import { answer, type HttpStub, httpStub } from '../../support/http-stub.js';
import { cli, ownFolder } from './support.js';

const CSV = 'day,currency,rate\n2026-03-19,USD,0.87\n2026-03-20,USD,0.86\n2026-03-20,JPY,0.0058\n';

const folder = await ownFolder();
let bank: HttpStub;
let sources: string;
beforeEach(async () => {
  bank = await httpStub({ '/fine': answer(CSV) });
  sources = await mkdtemp(join(folder, 'sources-'));
  await describeSource('FINEDESK', '/fine');
});
afterEach(async () => {
  useSources({});
  await bank.close();
});

/** A source that the bank has at a path. */
async function describeSource(key: string, path: string): Promise<void> {
  const columns = '{ date: day, base: currency, rate: rate }';
  const read = `{ url: "${bank.url}${path}", format: csv, columns: ${columns}, quote: EUR }`;
  const text = `key: ${key}\nname: ${key}\nschedule: "30 6 * * 1-5"\nread: ${read}\n`;
  await writeFile(join(sources, `${key}.yaml`), text);
}

const doctor = (words: string[], variables: Record<string, string> = {}, isTerminal = false) =>
  cli(['doctor', ...words], {
    ...{ now: '2026-03-20T18:00:00Z', isTerminal },
    variables: { SOURCES_DIR: sources, DATA_DIR: join(folder, 'none'), ...variables },
  });

it('prints a table, and is content where all is well or a key is not set', async () => {
  expect(await doctor(['finedesk', 'TCMB'])).toEqual({
    ...{ code: 0, stderr: '' },
    stdout: `SOURCE    STATUS     NEWEST      RATES  REASON
FINEDESK  fresh      2026-03-20      3
TCMB      needs key                     needs_key: TCMB_API_KEY
`,
  });
});

it('prints why a source fails or that it is late, in the order given, and exits with 1', async () => {
  await describeSource('GONEDESK', '/gone');
  await describeSource('LATEDESK', '/late');
  bank.route('/late', answer('day,currency,rate\n2026-03-10,USD,0.87\n'));
  const { code, stdout, stderr } = await doctor(['LATEDESK', 'FINEDESK', 'GONEDESK']);
  expect(code).toBe(1);
  expect(stderr).toBe('almanac: need attention: LATEDESK, GONEDESK\n');
  const [, late, fine, gone] = stdout.split('\n');
  expect([late, fine]).toEqual([
    'LATEDESK  late     2026-03-10      1',
    'FINEDESK  fresh    2026-03-20      3',
  ]);
  expect(gone).toMatch(/^GONEDESK {2}failing {2}.*\/gone: responded with status 404 \(Not Found\)$/);
});

it('says once that no source can be reached', async () => {
  await describeSource('OTHERDESK', '/fine');
  await bank.close();
  const offline = await doctor(['FINEDESK', 'OTHERDESK', 'TCMB']);
  bank = await httpStub();
  const stderr = 'almanac: no internet access: 2 sources could not be reached\n';
  expect(offline).toEqual({ code: 1, stdout: '', stderr });
});

it('shows progress on a terminal', async () => {
  const { code, stderr } = await doctor(['FINEDESK'], {}, true);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/asking .* 1 of 1/) });
});
