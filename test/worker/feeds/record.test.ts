import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { feed as bam } from '../../../worker/banks/bam.js';
import { feed as bcch } from '../../../worker/banks/bcch.js';
import { feed as boc } from '../../../worker/banks/boc.js';
import { feed as bota } from '../../../worker/banks/bota.js';
import { CredentialsRefused, type Feed, mismatch, oneOfMany, ratesFrom } from '../../../worker/feeds/feed.js';
import { openHttpClient } from '../../../worker/feeds/http/live-client.js';
import { type MadeRecording, record } from '../../../worker/feeds/record.js';
import { readRecordings, recordedWindow } from '../../../worker/feeds/recordings.js';
import { replayRecording } from '../../../worker/feeds/replay.js';
import { type Answers, blockedPage, standIn } from './support.js';

const log = pino({ level: 'silent' });
const NOW = '2026-03-20T18:00:00.000Z';
const WINDOW = { from: '2026-03-19', to: '2026-03-20' };
const CREDENTIALS = { BCCH_USER: 'me@example.org', BCCH_PASS: 'h&sh "50%" ü+' };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-record-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function recorded(
  feed: Feed,
  answers: Answers,
  credentials: Record<string, string> = {},
): Promise<MadeRecording> {
  const bank = await standIn(answers);
  const http = openHttpClient({
    route: () => bank.origin,
    limits: { attempts: 1 },
    tls: { roots: rootCertificates, exceptions: new Map() },
    clock: () => new Date(NOW),
  });
  try {
    const context = { http, today: '2026-03-20', credentials, log };
    return await record(feed, WINDOW, context, { folder, clock: () => new Date(NOW) });
  } finally {
    await http.close();
    await bank.close();
  }
}

/** The files of a recording, as Latin-1. */
async function filesOf(key: string): Promise<Record<string, string>> {
  const place = join(folder, key, 'recorded');
  const names = (await readdir(place)).sort();
  const read = async (name: string) => [name, await readFile(join(place, name), 'latin1')] as const;
  return Object.fromEntries(await Promise.all(names.map(read)));
}
const indexOf = async (key: string) => JSON.parse((await filesOf(key))[`${key}.index.json`] ?? '');

const rates = '{"observations":[{"d":"2026-03-20","FXUSDCAD":{"v":"1.37"},"FXEURCAD":{"v":"1.58"}}]}';
const BOC = 'GET /valet/observations/group/FX_RATES_DAILY/json';

test('what a source sends is kept byte for byte, decompressed, and gives the same rates again', async () => {
  const made = await recorded(boc, {
    [BOC]: {
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-encoding': 'gzip',
        etag: '"1"',
        server: 'secret sauce',
        'set-cookie': ['a=1; path=/', 'b=2; expires=Fri, 20 Mar 2026 00:00:00 GMT'],
      },
      body: gzipSync(rates),
    },
  });
  const rows = [
    { date: '2026-03-20', base: 'EUR', quote: 'CAD', rate: 1.58 },
    { date: '2026-03-20', base: 'USD', quote: 'CAD', rate: 1.37 },
  ];
  expect(made).toEqual({
    index: join(folder, 'boc', 'recorded', 'boc.index.json'),
    responses: 1,
    bytes: rates.length,
    live: { rows },
    replayed: { rows },
    odd: undefined,
    standIns: [],
  });
  expect((await filesOf('boc'))['boc-01.json']).toBe(rates);
  expect(await indexOf('boc')).toEqual([
    {
      method: 'GET',
      url: 'https://www.bankofcanada.ca/valet/observations/group/FX_RATES_DAILY/json?start_date=2026-03-19&end_date=2026-03-20',
      requestHeaders: {},
      requestBody: null,
      status: 200,
      responseHeaders: {
        'content-type': 'application/json; charset=utf-8',
        etag: '"1"',
        'set-cookie': 'a=1; path=/, b=2; expires=Fri, 20 Mar 2026 00:00:00 GMT',
      },
      bodyFile: 'boc-01.json',
      bytes: rates.length,
      recordedAt: 'Fri, 20 Mar 2026 18:00:00 GMT',
    },
  ]);
});

test('it is found where FEEDS_FROM looks, and replayed over its own days', async () => {
  await recorded(boc, { [BOC]: rates });
  const [recording] = await readRecordings(folder, 'BOC');
  if (!recording) throw new Error('there is no recording');
  expect(recording.name).toBe('boc');
  const { from: after, to: upto } = recordedWindow(recording, boc);
  expect(await replayRecording(boc, recording, { after, upto }, log)).toHaveLength(2);
});

test('a form with its token and cookies is replayed as it was sent', async () => {
  const place = 'www.bot.go.tz/ExchangeRate/previous_rates';
  const table = `<table id="myTable"><thead><tr><th>S/N</th><th>Currency</th><th>Buy</th><th>Sell</th><th>Mean</th><th>Date</th></tr></thead>
<tbody><tr><td>1</td><td>USD</td><td>1.0</td><td>1.0</td><td>2602.5</td><td>20-Mar-26</td></tr></tbody></table>`;
  const made = await recorded(bota, {
    [`GET ${place}`]: {
      headers: { 'set-cookie': ['session=rkt; path=/'], 'content-type': 'text/html' },
      body: '<form><input name="__RequestVerificationToken" type="hidden" value="x-_y" /></form>',
    },
    [`POST ${place}`]: { headers: { 'content-type': 'text/html' }, body: table },
  });
  expect(made.live).toEqual({ rows: [{ date: '2026-03-20', base: 'USD', quote: 'TZS', rate: 2602.5 }] });
  expect(made).toMatchObject({ responses: 2, replayed: made.live, standIns: [] });
  expect(await indexOf('bota')).toMatchObject([
    { method: 'GET', bodyFile: 'bota-01.html', responseHeaders: { 'set-cookie': 'session=rkt; path=/' } },
    {
      method: 'POST',
      requestHeaders: { 'content-type': 'application/x-www-form-urlencoded' },
      requestBody: '__RequestVerificationToken=x-_y&dateFrom=03%2F19%2F2026&dateTo=03%2F20%2F2026',
    },
  ]);
});

test('keys are in no part of it: not in addresses, headers, bodies or what a source repeats of them', async () => {
  const { BCCH_USER: user, BCCH_PASS: pass } = CREDENTIALS;
  const echoes = [user, pass, encodeURIComponent(pass), 'h&amp;sh "50%" ü+'].join(' ');
  const answer = (seriesId: string | null) => ({
    headers: {
      'content-type': 'application/json',
      'set-cookie': 'session=of-mine',
      'content-disposition': `attachment; filename=${user}.json`,
    },
    body: JSON.stringify({
      Codigo: 0,
      Descripcion: `${echoes} ${Buffer.from(pass).toString('base64')}`,
      Series: {
        seriesId,
        Obs: [{ indexDateString: '20-03-2026', value: '916.36', statusCode: 'OK' }],
      },
    }),
  });
  const made = await recorded(
    bcch,
    {
      'GET /SieteRestWS/SieteRestWS.ashx': ({ query }) => {
        expect([query.get('user'), query.get('pass')]).toEqual([user, pass]);
        return answer(query.get('timeseries'));
      },
    },
    CREDENTIALS,
  );
  expect(made).toMatchObject({ responses: 8, replayed: made.live, standIns: [] });
  expect(made.live).toMatchObject({ rows: { length: 8 } });
  const files = await filesOf('bcch');
  expect(Object.keys(files)).toHaveLength(9);
  for (const text of Object.values(files)) {
    const decoded = text.replace(/%([\da-f]{2})/gi, (_, byte) =>
      String.fromCharCode(Number.parseInt(byte, 16)),
    );
    const seen = `${text} ${decoded} ${Buffer.from(text, 'latin1')}`;
    for (const secret of [user, pass, 'h&sh', 'h&amp;sh', 'h%26sh', 'of-mine', 'example.org'])
      expect(seen).not.toContain(secret);
    expect(seen).not.toContain(Buffer.from(pass).toString('base64'));
  }
  expect((await indexOf('bcch'))[0].url).toMatch(
    /\?user=(<|%3C)BCCH_USER(>|%3E)&pass=(<|%3C)BCCH_PASS(>|%3E)&/,
  );
});

test('a key that is a word of the response shows: the recording gives other rates', async () => {
  const made = await recorded({ ...boc, credentials: ['BOC_KEY'] }, { [BOC]: rates }, { BOC_KEY: '1.58' });
  expect(made.odd).toEqual({ date: '2026-03-20', base: 'EUR', quote: 'CAD', rate: 1.58 });
});

test('a header that carries a key is left out', async () => {
  const made = await recorded(
    bam,
    { 'GET api.centralbankofmorocco.ma/cours/Version1/api/CoursVirement': '[]' },
    { BAM_API_KEY: 'hush-hush' },
  );
  expect(made).toMatchObject({ responses: 2, standIns: [], live: { rows: [] }, replayed: { rows: [] } });
  expect(JSON.stringify(await filesOf('bam'))).not.toMatch(/hush|subscription/);
});

const asking = (read: Feed['read']): Feed => ({ key: 'BOC', read });

test('an error is kept as its status, and is one again', async () => {
  const bulletins = asking(async function* (_, { http }) {
    for (const day of ['2026-03-19', '2026-03-20'])
      yield await oneOfMany({ from: day, to: day }, async () => {
        const response = await http.get(`https://bank.example/${day}.txt`);
        return ratesFrom(response, 'any day', [day], (date) => ({
          date,
          base: 'EUR',
          quote: 'USD',
          rate: Number(response.text()),
        }));
      });
  });
  const made = await recorded(bulletins, { 'GET /2026-03-20.txt': '1.1' });
  expect(made.live).toEqual({ rows: [{ date: '2026-03-20', base: 'EUR', quote: 'USD', rate: 1.1 }] });
  expect(made).toMatchObject({ responses: 2, replayed: made.live, standIns: [] });
  expect(await indexOf('boc')).toMatchObject([
    { status: 404, bodyFile: null, bytes: 0 },
    { status: 200, bodyFile: 'boc-02.bin', bytes: 3 },
  ]);
});

test('what can not be read is kept, and is what the feed is to be corrected by', async () => {
  const made = await recorded(boc, { [BOC]: blockedPage });
  const error = expect.objectContaining({ message: expect.stringContaining('HTML page') });
  expect(made).toMatchObject({ responses: 1, live: { error }, replayed: { error } });
  expect((await filesOf('boc'))['boc-01.html']).toContain('Access denied');
});

test('a key that is refused is not told by the error', async () => {
  const refusing = asking(async function* (_, { http }) {
    yield mismatch(await http.get('https://bank.example/'), 'never');
    throw new CredentialsRefused(`it does not know ${CREDENTIALS.BCCH_USER}`);
  });
  const { live } = await recorded({ ...refusing, read: refusing.read }, { 'GET /': '' }, CREDENTIALS);
  expect(live).toMatchObject({ error: { message: expect.not.stringContaining('example.org') } });
});

test('where nothing comes, nothing is kept', async () => {
  const away = asking(async function* (_, { http }) {
    await http.get('not an address');
    yield mismatch(await http.get('https://bank.example/'), 'never');
  });
  await expect(recorded(away, {})).rejects.toThrow('is no valid URL');
  const weekend = { ...asking(async function* () {}), unasked: 'never' };
  await expect(recorded(weekend, {})).rejects.toThrow('BOC is not asked for anything on these days');
  expect(await readdir(folder)).toEqual([]);
});

test('a recording takes the place of the one before it, and of no other file', async () => {
  const place = join(folder, 'boc', 'recorded');
  await mkdir(place, { recursive: true });
  const others = ['boc_older-01.json', 'boc_older.index.json', 'boc-notes.md', 'boc-01'];
  for (const name of [...others, 'boc-01.csv', 'boc-07.json', 'boc.index.json'])
    await writeFile(join(place, name), '[]');
  await recorded(boc, { [BOC]: { headers: { 'content-type': 'application/json' }, body: rates } });
  expect((await readdir(place)).sort()).toEqual([...others, 'boc-01.json', 'boc.index.json'].sort());
});
