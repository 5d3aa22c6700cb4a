import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Feed, ratesFrom } from '../../worker/feeds/feed.js';
import { openHttpClient } from '../../worker/feeds/http/live-client.js';
import { ingest } from '../../worker/ingest/ingest.js';
import { startApi, type TestApi } from '../support/api.js';
import { answer, type HttpStub, httpStub } from '../support/http-stub.js';
import type { TestDatabase } from '../support/postgres.js';
import { databaseWith } from '../support/rates.js';
import { cli } from '../worker/cli/support.js';
import { curlMissing, read } from './support.js';

const DAY = { date: '2026-03-20', base: 'EUR', quote: 'USD' };
/** The commands of the page, in their order. */
const commands = [...read('docs/audit.md').matchAll(/^```sh\n(.+)\n```$/gm)].map(
  ([, command = '']) => command,
);

describe.skipIf(curlMissing)('docs/audit.md', () => {
  let database: TestDatabase;
  let api: TestApi;
  let bank: HttpStub;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'almanac-audit-'));
    bank = await httpStub({ '/rates.csv': answer('2026-03-20;USD;1.1537') });
    const feed: Feed = {
      key: 'ECB',
      async *read(_window, { http }) {
        const response = await http.get(`${bank.url}/rates.csv?day=2026-03-20`);
        const rate = Number(response.text().split(';')[2]);
        yield ratesFrom(response, 'any day', [rate], () => ({ ...DAY, rate }));
      },
    };
    database = await databaseWith([{ provider: 'FRED', ...DAY, rate: 1.1541 }]);
    const http = openHttpClient();
    const credentials = { status: 'present', values: {} } as const;
    const source = {
      open: async () => ({ http, today: '2026-03-20', credentials }),
      close: () => http.close(),
    };
    const announcements = { publish: async () => {} };
    const log = pino({ level: 'silent' });
    await ingest(feed, { from: '2026-03-20' }, { database, announcements, source, log, reason: 'schedule' });
    await http.close();
    api = await startApi(database);
  });
  afterAll(async () => {
    await api?.close();
    await database?.close();
    await bank?.close();
    await rm(folder, { recursive: true });
  });

  async function shell(command: string): Promise<string> {
    const here = command.replaceAll('http://localhost:8080', api.url);
    return (await promisify(execFile)('sh', ['-c', here], { cwd: folder })).stdout;
  }

  it('leads from the rate of an invoice to what the bank answered', async () => {
    const [ask = '', verify = '', list = '', evidence = '', compare = '', revisions = ''] = commands;
    await shell(ask);
    expect(verify).toBe('npm run --silent cli -- verify receipt.json');
    const stdout = 'EUR/USD 2026-03-20 1.15389996533: the receipt is correct\n';
    expect(await cli(['verify', join(folder, 'receipt.json')])).toEqual({ code: 0, stderr: '', stdout });
    expect((await shell(list)).trim().split('\n')).toEqual([
      expect.stringMatching(/^ECB 2026-03-20 EUR\/USD 1\.1537 1 /),
      expect.stringMatching(/^FRED 2026-03-20 EUR\/USD 1\.1541 1 /),
    ]);
    await shell(evidence);
    expect(await shell(compare)).toBe('-: OK\n');
    expect(await shell(revisions)).toBe('[]');
  });
});
