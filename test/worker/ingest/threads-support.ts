import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { useSources } from '../../../core/sources/custom-sources.js';
import type { Feed } from '../../../worker/feeds/feed.js';
import { clientOf } from '../../../worker/feeds/http/client.js';
import { httpAnswer } from '../../../worker/feeds/http/response.js';
import type * as Built from '../../../worker/feeds/reading-threads.js';
import { builtModule } from '../../support/service.js';

const SOURCES = {
  DESK: 'format: csv\n  columns: { date: Day, base: Currency, rate: Price }\n  missing: ["-"]',
  LIST: 'format: json\n  columns: { date: date, base: code, rate: rate }\n  empty: "a holiday is an empty list"',
};

type Body = string | Uint8Array;

/** Threads that read two sources of the operator's own, whose files are gone by then, and the banks. */
export async function openReader(limits = {}) {
  const { openReadingThreads: open } = await builtModule<typeof Built>('worker/feeds/reading-threads.js');
  const folder = mkdtempSync(join(tmpdir(), 'almanac-sources-'));
  for (const [key, read] of Object.entries(SOURCES)) {
    const text = `key: ${key}\nname: ${key}\nread:\n  url: http://bank.test/{from}/{to}\n  quote: EUR\n  ${read}\n`;
    writeFileSync(join(folder, `${key}.yaml`), text);
  }
  const customSources = useSources({ SOURCES_DIR: folder });
  useSources({});
  rmSync(folder, { recursive: true });
  const threads = open({ customSources, logLevel: 'silent', limits });
  /** Reads a source whose every response has this body. */
  const read = (
    key: string,
    body: Body | ((url: string) => Body),
  ): ReturnType<Built.ReadingThreads['read']> => {
    const http = clientOf(async ({ url }) => {
      const given = typeof body === 'function' ? body(url) : body;
      const headers = new Map([['content-type', 'text/plain; charset=utf-8']]);
      const bytes = typeof given === 'string' ? Buffer.from(given) : given;
      const receivedAt = new Date('2026-03-20T15:00:00Z');
      return httpAnswer({ url, status: 200, headers, cookies: [], bytes, receivedAt });
    });
    const context = { http, today: '2026-03-20', credentials: {}, log: pino({ level: 'silent' }) };
    return threads.read({ key } as Feed, { from: '2026-03-18', to: '2026-03-20' }, context);
  };
  return { read, close: () => threads.close() };
}
