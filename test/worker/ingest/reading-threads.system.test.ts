import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';
import type { OwnSource } from '../../../core/sources/own-sources.js';
import type { Feed } from '../../../worker/feeds/feed.js';
import type { HttpClient } from '../../../worker/feeds/http/client.js';
import { httpAnswer } from '../../../worker/feeds/http/response.js';
import type { openReadingThreads, ReadingThreads } from '../../../worker/feeds/reading-threads.js';
import { lagDuring } from '../../support/processor-time.js';
import { BUILD, buildService } from '../../support/service.js';
import { makePdfBomb, SHEET, tamper, worksheet } from '../feeds/support-files.js';

const SOURCES = {
  DESK: 'format: csv\n  columns: { date: Day, base: Currency, rate: Price }\n  missing: ["-"]',
  LIST: 'format: json\n  columns: { date: date, base: code, rate: rate }\n  empty: "a holiday is an empty list"',
};
const WINDOW = { from: '2026-03-18', to: '2026-03-20' };
const LARGE = 30_000_000;

type Body = string | Uint8Array;

let ownSources: readonly OwnSource[];
let openThreads: typeof openReadingThreads;
const opened: ReadingThreads[] = [];

beforeAll(async () => {
  await buildService();
  const folder = await mkdtemp(join(tmpdir(), 'almanac-sources-'));
  for (const [key, read] of Object.entries(SOURCES)) {
    const text = `key: ${key}\nname: ${key}\nread:\n  url: http://bank.test/{from}/{to}\n  quote: EUR\n  ${read}\n`;
    await writeFile(join(folder, `${key}.yaml`), text);
  }
  const built = (...path: string[]) => import(pathToFileURL(join(BUILD, ...path)).href);
  // Of the built program: other tests have providers of their own in this process.
  ownSources = (await built('core', 'sources', 'own-sources.js')).useSources({ SOURCES_DIR: folder });
  // Threads read on as the program began, whatever becomes of the files.
  await rm(folder, { recursive: true });
  ({ openReadingThreads: openThreads } = await built('worker', 'feeds', 'reading-threads.js'));
}, 240_000);

afterAll(async () => {
  for (const threads of opened) await threads.close();
});

/** Reads a source whose every response has this body. */
function reader(
  limits = {},
): (key: string, body: Body | ((url: string) => Body)) => ReturnType<ReadingThreads['read']> {
  const threads = openThreads({ ownSources, logLevel: 'silent', limits });
  opened.push(threads);
  return (key, body) => {
    const ask = async (url: string) => {
      const given = typeof body === 'function' ? body(url) : body;
      return httpAnswer({
        url,
        status: 200,
        headers: new Map([['content-type', 'text/plain; charset=utf-8']]),
        cookies: [],
        bytes: typeof given === 'string' ? Buffer.from(given) : given,
        receivedAt: new Date('2026-03-20T15:00:00Z'),
      });
    };
    const http: HttpClient = { get: ask, post: ask };
    const context = { http, today: '2026-03-20', credentials: {}, log: pino({ level: 'silent' }) };
    return threads.read({ key } as Feed, WINDOW, context);
  };
}

test('reads a source in a thread, with its evidence', async () => {
  const read = reader();
  const text = 'Day,Currency,Price\n2026-03-19,USD,0.5\n2026-03-20,JPY,-\n';
  expect(await read('DESK', text)).toEqual({
    rows: [{ date: '2026-03-19', base: 'USD', quote: 'EUR', rate: 0.5 }],
    skipped: { 'no rate': expect.anything() },
    noData: {},
    unread: [],
    responses: [
      {
        url: 'http://bank.test/2026-03-18/2026-03-20',
        status: 200,
        bytes: text.length,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        receivedAt: new Date('2026-03-20T15:00:00Z'),
      },
    ],
  });
  expect(await read('LIST', '[]')).toMatchObject({
    rows: [],
    noData: { 'a holiday is an empty list': expect.anything() },
  });
});

test('throws what feeds and the network throw', async () => {
  const read = reader();
  await expect(read('LIST', '<html>')).rejects.toMatchObject({
    name: 'WrongDocument',
    message: expect.stringContaining('responded with an HTML page where JSON was meant'),
  });
  const refuse = () => {
    throw new HttpClientError(
      'status',
      { method: 'GET', url: 'http://bank.test/', headers: {} },
      'responded with status 403',
      {
        status: 403,
        cause: new Error('why'),
      },
    );
  };
  await expect(read('LIST', refuse)).rejects.toMatchObject({
    name: 'HttpClientError',
    reason: 'status',
    status: 403,
    message: 'http://bank.test/: responded with status 403',
    cause: expect.objectContaining({ message: 'why' }),
  });
  await expect(read('NONE', '')).rejects.toThrow('there is no provider NONE');
});

test('ends a thread that takes too much memory, and goes on', async () => {
  const read = reader({ megabytes: 48 });
  const list = `[${'{"date":"2026-03-19","code":"USD","rate":0.5},'.repeat(LARGE / 46)}{}]`;
  await expect(read('LIST', list)).rejects.toMatchObject({
    name: 'FeedError',
    message: 'LIST: reading what it sent takes more than 48 MB of memory',
  });
  expect((await read('LIST', '[{"date":"2026-03-19","code":"USD","rate":0.5}]')).rows).toHaveLength(1);
});

test('ends a thread that takes too much time, and goes on', async () => {
  const read = reader({ seconds: 2 });
  // All of it is one cell, in which each further line makes the parser look again.
  const lines = '2026-03-19,USD,0.5\n'.repeat(LARGE / 19);
  const started = read('DESK', `Day,Currency,Price\n${lines}`);
  await expect(started).rejects.toMatchObject({
    name: 'FeedError',
    message: 'DESK: reading what it sent takes more than 2 s',
  });
  expect((await read('DESK', 'Day,Currency,Price\n2026-03-19,USD,0.5\n')).rows).toHaveLength(1);
});

const MEGABYTES = 48;
/** What a thread may take beside its heap: bodies, what was unpacked, copies of both, and 400 MiB where it decodes a PDF. */
const MEGABYTES_OF_BUFFERS = 450;
const WEEK = '/tetsuzuki/kawase/kouji-rate20260322-20260328.pdf';
const TOO_MUCH = /takes more than 48 MB of memory$/;

const hostile: [what: string, key: string, make: () => Body | Promise<Body>, error: RegExp][] = [
  [
    'a workbook of 900,000 wide rows',
    'NRBT',
    () => tamper(SHEET, worksheet('<row><c r="XFD1"><v>1</v></c></row>'.repeat(900_000))),
    /a workbook that can't be read: xl\/worksheets\/sheet1\.xml has more than 200000 rows/,
  ],
  [
    'a workbook of 400,000 cells',
    'NRBT',
    () => tamper(SHEET, worksheet(`<row>${'<c><v>1</v></c>'.repeat(400_000)}</row>`)),
    TOO_MUCH,
  ],
  [
    'a zip bomb',
    'NRBT',
    () => tamper(SHEET, Buffer.alloc(40 * 1024 * 1024)),
    /unpacks to more than 33554432 bytes/,
  ],
  ['XML of entities', 'LB', () => '<!DOCTYPE l [<!ENTITY a "ha">]><FxRates>&a;</FxRates>', /document type/],
  ['XML of tags', 'LB', () => '<a/>'.repeat(LARGE / 4), /a document of more than 400000 tags/],
  [
    'XML of attributes',
    'LB',
    () => `<FxRates ${Array.from({ length: 400_000 }, (_, at) => `a${at}=""`).join(' ')}/>`,
    TOO_MUCH,
  ],
  [
    'a page of 240 KB with wide cells',
    'RBM',
    () =>
      `<table><tr>${'<td colspan="1000">x</td>'.repeat(600)}</tr>${'<tr><td>x</td></tr>'.repeat(12_000)}</table>`,
    /a table of 12001 rows and 600000 columns/,
  ],
  ['a PDF bomb', 'JPC', makePdfBomb, /a PDF that can't be read: it takes more than \d+ bytes of memory/],
];

test.each(hostile)('%s holds up nothing and fails with its cause', async (_, key, make, error) => {
  const body = Buffer.from(await make());
  const read = reader({ megabytes: MEGABYTES });
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 10);
  const lag = await lagDuring(() =>
    expect(
      read(key, (url) => (key === 'JPC' && !url.endsWith(WEEK) ? `<a href="${WEEK}">` : body)),
    ).rejects.toMatchObject({
      name: expect.stringMatching(/^(FeedError|WrongDocument)$/),
      message: expect.stringMatching(error),
    }),
  );
  clearInterval(timer);
  // Of processor time: reading the document takes seconds.
  expect(lag).toBeLessThan(250);
  expect((most - before) / 2 ** 20).toBeLessThan(MEGABYTES + MEGABYTES_OF_BUFFERS);
});
