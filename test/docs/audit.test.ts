import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFolder } from '../../core/process/project-files.js';
import { type Feed, ratesFrom } from '../../worker/feeds/feed.js';
import { openHttpClient } from '../../worker/feeds/http/live-client.js';
import { ingest } from '../../worker/ingest/ingest.js';
import { startApi, type TestApi } from '../support/api.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { storeRows } from '../support/rates.js';
import { cli } from '../worker/cli/support.js';
import { curlMissing } from './examples.js';

const DAY = { date: '2026-03-20', base: 'EUR', quote: 'USD' };

/** The commands of the page, in their order. */
async function commands(): Promise<string[]> {
  const page = await readFile(join(projectFolder, 'docs', 'audit.md'), 'utf8');
  return [...page.matchAll(/^```sh\n(.+)\n```$/gm)].map(([, command = '']) => command);
}

describe.skipIf(curlMissing)('docs/audit.md', () => {
  let database: TestDatabase;
  let api: TestApi;
  let bank: Server;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'almanac-audit-'));
    bank = createServer((_, response) => response.end('2026-03-20;USD;1.1537'));
    await new Promise<void>((resolve) => bank.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(bank.address() as AddressInfo).port}/rates.csv?day=2026-03-20`;
    const feed: Feed = {
      key: 'ECB',
      async *read(_window, { http }) {
        const response = await http.get(url);
        const rate = Number(response.text().split(';')[2]);
        yield ratesFrom(response, 'any day', [rate], () => ({ ...DAY, rate }));
      },
    };
    database = await testDatabase();
    await storeRows(database, [{ provider: 'FRED', ...DAY, rate: 1.1541 }]);
    const http = openHttpClient();
    await ingest(
      feed,
      { from: '2026-03-20' },
      {
        database,
        announcements: { publish: async () => {} },
        source: {
          open: async () => ({ http, today: '2026-03-20', credentials: { status: 'present', values: {} } }),
          close: () => http.close(),
        },
        log: pino({ level: 'silent' }),
        reason: 'schedule',
      },
    );
    await http.close();
    api = await startApi(database);
  });
  afterAll(async () => {
    await api?.close();
    await database?.close();
    bank?.close();
    await rm(folder, { recursive: true });
  });

  async function shell(command: string): Promise<string> {
    const here = command.replaceAll('http://localhost:8080', api.url);
    return (await promisify(execFile)('sh', ['-c', here], { cwd: folder })).stdout;
  }

  it('leads from the rate of an invoice to what the bank answered', async () => {
    const [ask = '', verify = '', list = '', evidence = '', compare = '', revisions = ''] = await commands();
    await shell(ask);
    expect(verify).toBe('npm run --silent cli -- verify receipt.json');
    const verified = await cli(['verify', join(folder, 'receipt.json')]);
    expect(verified).toEqual({
      code: 0,
      stderr: '',
      stdout: 'EUR/USD 2026-03-20 1.15389996533: the receipt is correct\n',
    });
    const lines = (await shell(list)).trim().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^ECB 2026-03-20 EUR\/USD 1\.1537 1 /),
      expect.stringMatching(/^FRED 2026-03-20 EUR\/USD 1\.1541 1 /),
    ]);
    await shell(evidence);
    expect(await shell(compare)).toBe('-: OK\n');
    expect(await shell(revisions)).toBe('[]');
  });
});
