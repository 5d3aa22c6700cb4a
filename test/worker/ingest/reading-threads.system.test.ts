import { afterAll, beforeAll, expect, test } from 'vitest';
import { lagDuring } from '../../support/processor-time.js';
import { makePdfBomb, SHEET, tamper, worksheet } from '../feeds/support-files.js';
import { openReader } from './threads-support.js';

const MEGABYTES = 48;
/** What a thread may take beside its heap: bodies, what was unpacked, copies of both, and 400 MiB where it decodes a PDF. */
const MEGABYTES_OF_BUFFERS = 450;
const WEEK = '/tetsuzuki/kawase/kouji-rate20260322-20260328.pdf';
const TOO_MUCH = /takes more than 48 MB of memory$/;

const WIDE_ROW = '<row><c r="XFD1"><v>1</v></c></row>';
const CELL = '<c><v>1</v></c>';
const WIDE_CELL = '<td colspan="1000">x</td>';
const ATTRIBUTES = Array.from({ length: 400_000 }, (_, at) => `a${at}=""`).join(' ');
const sheetOf = (content: string) => tamper(SHEET, worksheet(content));

let threads: Awaited<ReturnType<typeof openReader>>;
beforeAll(async () => {
  threads = await openReader({ megabytes: MEGABYTES });
}, 240_000);
afterAll(() => threads.close());

test.each<[what: string, key: string, make: () => string | Uint8Array | Promise<Uint8Array>, error: RegExp]>([
  ['a workbook of wide rows', 'NRBT', () => sheetOf(WIDE_ROW.repeat(900_000)), /more than 200000 rows/],
  ['a workbook of 400,000 cells', 'NRBT', () => sheetOf(`<row>${CELL.repeat(400_000)}</row>`), TOO_MUCH],
  ['a zip bomb', 'NRBT', () => tamper(SHEET, Buffer.alloc(40 << 20)), /unpacks to more than 33554432 bytes/],
  ['XML of entities', 'LB', () => '<!DOCTYPE l [<!ENTITY a "ha">]><FxRates>&a;</FxRates>', /document type/],
  ['XML of tags', 'LB', () => '<a/>'.repeat(7_500_000), /a document of more than 400000 tags/],
  ['XML of attributes', 'LB', () => `<FxRates ${ATTRIBUTES}/>`, TOO_MUCH],
  [
    'a page of 240 KB with wide cells',
    'RBM',
    () => `<table><tr>${WIDE_CELL.repeat(600)}</tr>${'<tr><td>x</td></tr>'.repeat(12_000)}</table>`,
    /a table of 12001 rows and 600000 columns/,
  ],
  ['a PDF bomb', 'JPC', makePdfBomb, /a PDF that can't be read: it takes more than \d+ bytes of memory/],
])('%s holds up nothing and fails with its cause', async (_, key, make, error) => {
  const body = Buffer.from(await make());
  const bodyOf = (url: string) => (key === 'JPC' && !url.endsWith(WEEK) ? `<a href="${WEEK}">` : body);
  const read = () =>
    expect(threads.read(key, bodyOf)).rejects.toMatchObject({
      name: 'FeedError',
      message: expect.stringMatching(error),
    });
  // Of processor time: reading the document takes seconds, and the thread gets a copy of it. Another machine on the same
  // processor may delay one attempt, but not all.
  const limit = 50 + 10 * (await lagDuring(async () => Buffer.from(body)));
  let used = await whatIsUsed(read);
  for (let more = 2; more > 0 && used.lag >= limit; more--) used = await whatIsUsed(read);
  expect(used.lag).toBeLessThan(limit);
  expect(used.megabytes).toBeLessThan(MEGABYTES + MEGABYTES_OF_BUFFERS);
});

/** The lag of this thread meanwhile, in milliseconds, and by how much the process grew at most. */
async function whatIsUsed(work: () => Promise<unknown>): Promise<{ lag: number; megabytes: number }> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 10);
  const lag = await lagDuring(work).finally(() => clearInterval(timer));
  return { lag, megabytes: (most - before) / 2 ** 20 };
}
