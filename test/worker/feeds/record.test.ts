import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { feed as bam } from '../../../worker/banks/bam.js';
import { feed as bcch } from '../../../worker/banks/bcch.js';
import { feed as boc } from '../../../worker/banks/boc.js';
import { feed as bota } from '../../../worker/banks/bota.js';
import { placeholderCredentials } from '../../../worker/feeds/credentials.js';
import {
  CredentialsRefused,
  type Feed,
  mismatch,
  oneOfMany,
  type RateRow,
  ratesFrom,
} from '../../../worker/feeds/feed.js';
import { readRecording, recordedClient } from '../../../worker/feeds/http/recorded-client.js';
import { readRates } from '../../../worker/feeds/read.js';
import { record } from '../../../worker/feeds/record.js';
import { byDateBaseQuote } from '../../../worker/feeds/replay.js';
import { ownFolder } from '../../core/support.js';
import { clientWith } from './http/servers.js';
import { type Answers, blockedPage, standIn } from './support.js';

const log = pino({ level: 'silent' });
const clock = () => new Date('2026-03-20T18:00:00.000Z');
const DAYS = { from: '2026-03-19', to: '2026-03-20' };

const folder = ownFolder();

async function recorded(feed: Feed, answers: Answers, credentials: Record<string, string> = {}) {
  const bank = await standIn(answers);
  onTestFinished(bank.close);
  const tls = { roots: rootCertificates, exceptions: new Map() };
  const http = clientWith({ address: () => new URL(bank.origin), limits: { attempts: 1 }, tls, clock });
  const context = { http, today: DAYS.to, log };
  const made = await record(feed, DAYS, { ...context, credentials }, { folder: folder(), clock });
  const replaying = recordedClient([await readRecording(made.index)]);
  const recording = { http: replaying, credentials: placeholderCredentials(feed), recorded: true };
  const again = readRates(feed, DAYS, { ...context, ...recording });
  const replayed = await again.catch((error: unknown) => ({ error }));
  return {
    ...made,
    live: ratesOf(made.outcome),
    replayed: ratesOf(replayed),
    standIns: replaying.standIns(),
  };
}

const ratesOf = (outcome: object) =>
  'rows' in outcome ? { rows: (outcome.rows as RateRow[]).sort(byDateBaseQuote) } : outcome;

/** The files of a recording, as Latin-1. */
async function filesOf(key: string): Promise<Record<string, string>> {
  const place = folder(key, 'recorded');
  const names = (await readdir(place)).sort();
  const read = async (name: string) => [name, await readFile(join(place, name), 'latin1')] as const;
  return Object.fromEntries(await Promise.all(names.map(read)));
}
const indexOf = async (key: string) => JSON.parse((await filesOf(key))[`${key}.index.json`] ?? '');

const rates = '{"observations":[{"d":"2026-03-20","FXUSDCAD":{"v":"1.37"},"FXEURCAD":{"v":"1.58"}}]}';
const PATH = '/valet/observations/group/FX_RATES_DAILY/json';
const BOC = `GET ${PATH}`;
const rateOf = (base: string, quote: string, rate: number) => ({ date: DAYS.to, base, quote, rate });

test('what a source sends is kept byte for byte, decompressed, and gives the same rates again', async () => {
  const kept = { 'content-type': 'application/json; charset=utf-8', etag: '"1"' };
  const cookies = ['a=1; path=/', 'b=2; expires=Fri, 20 Mar 2026 00:00:00 GMT'];
  const headers = { ...kept, 'content-encoding': 'gzip', server: 'secret sauce', 'set-cookie': cookies };
  const made = await recorded(boc, { [BOC]: { headers, body: gzipSync(rates) } });
  const rows = [rateOf('EUR', 'CAD', 1.58), rateOf('USD', 'CAD', 1.37)];
  expect(made).toEqual({
    ...{ index: folder('boc', 'recorded', 'boc.index.json'), responses: 1, bytes: rates.length },
    ...{ outcome: expect.anything(), live: { rows }, replayed: { rows }, standIns: [] },
  });
  expect((await filesOf('boc'))['boc-01.json']).toBe(rates);
  expect(await indexOf('boc')).toEqual([
    {
      method: 'GET',
      url: `https://www.bankofcanada.ca${PATH}?start_date=2026-03-19&end_date=2026-03-20`,
      ...{ requestHeaders: {}, requestBody: null, status: 200 },
      responseHeaders: { ...kept, 'set-cookie': cookies.join(', ') },
      ...{ bodyFile: 'boc-01.json', bytes: rates.length, recordedAt: 'Fri, 20 Mar 2026 18:00:00 GMT' },
    },
  ]);
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
  expect(made.live).toEqual({ rows: [rateOf('USD', 'TZS', 2602.5)] });
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

const CREDENTIALS = { BCCH_USER: 'me@example.org', BCCH_PASS: 'h&sh "50%" ü+' };
test('keys are in no part of it: not in addresses, headers, bodies or what a source repeats of them', async () => {
  const { BCCH_USER: user, BCCH_PASS: pass } = CREDENTIALS;
  const base64 = Buffer.from(pass).toString('base64');
  const Descripcion = [user, pass, encodeURIComponent(pass), 'h&amp;sh "50%" ü+', base64].join(' ');
  const Obs = [{ indexDateString: '20-03-2026', value: '916.36', statusCode: 'OK' }];
  const kept = { 'content-type': 'application/json', 'set-cookie': 'session=of-mine' };
  const headers = { ...kept, 'content-disposition': `attachment; filename=${user}.json` };
  const answers: Answers = {
    'GET /SieteRestWS/SieteRestWS.ashx': ({ query }) => {
      expect([query.get('user'), query.get('pass')]).toEqual([user, pass]);
      const Series = { seriesId: query.get('timeseries'), Obs };
      return { headers, body: JSON.stringify({ Codigo: 0, Descripcion, Series }) };
    },
  };
  const made = await recorded(bcch, answers, CREDENTIALS);
  expect(made).toMatchObject({ responses: 8, replayed: made.live, standIns: [] });
  expect(made.live).toMatchObject({ rows: { length: 8 } });
  const files = await filesOf('bcch');
  expect(Object.keys(files)).toHaveLength(9);
  const byte = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 16));
  const secrets = [user, pass, 'h&sh', 'h&amp;sh', 'h%26sh', 'of-mine', 'example.org', base64];
  for (const text of Object.values(files)) {
    const seen = `${text} ${text.replace(/%([\da-f]{2})/gi, byte)} ${Buffer.from(text, 'latin1')}`;
    for (const secret of secrets) expect(seen).not.toContain(secret);
  }
  const masked = /\?user=(<|%3C)BCCH_USER(>|%3E)&pass=(<|%3C)BCCH_PASS(>|%3E)&/;
  expect((await indexOf('bcch'))[0].url).toMatch(masked);
});

test('a header that carries a key is left out', async () => {
  const answers = { 'GET api.centralbankofmorocco.ma/cours/Version1/api/CoursVirement': '[]' };
  const made = await recorded(bam, answers, { BAM_API_KEY: 'hush-hush' });
  expect(made).toMatchObject({ responses: 2, standIns: [], live: { rows: [] }, replayed: { rows: [] } });
  expect(JSON.stringify(await filesOf('bam'))).not.toMatch(/hush|subscription/);
});

const asking = (read: Feed['read']): Feed => ({ key: 'BOC', read });

test('an error is kept as its status, and is one again', async () => {
  const bulletins = asking(async function* (_, { http }) {
    for (const date of ['2026-03-19', '2026-03-20'])
      yield await oneOfMany({ from: date, to: date }, async () => {
        const response = await http.get(`https://bank.example/${date}.txt`);
        const rows = [{ date, base: 'EUR', quote: 'USD', rate: Number(response.text()) }];
        return ratesFrom(response, 'any day', rows, (row) => row);
      });
  });
  const made = await recorded(bulletins, { 'GET /2026-03-20.txt': '1.1' });
  expect(made.live).toEqual({ rows: [rateOf('EUR', 'USD', 1.1)] });
  expect(made).toMatchObject({ responses: 2, replayed: made.live, standIns: [] });
  const missing = { status: 404, bodyFile: null, bytes: 0 };
  expect(await indexOf('boc')).toMatchObject([missing, { status: 200, bodyFile: 'boc-02.bin', bytes: 3 }]);
});

test('what can not be read is kept, and is what the feed is to be corrected by', async () => {
  const made = await recorded(boc, { [BOC]: blockedPage });
  const error = expect.objectContaining({ message: expect.stringContaining('HTML page') });
  expect(made).toMatchObject({ responses: 1, live: { error }, replayed: { error } });
  expect((await filesOf('boc'))['boc-01.html']).toContain('Access denied');
});

test('a key that is refused is not in the error', async () => {
  const refusing = asking(async function* (_, { http }) {
    yield mismatch(await http.get('https://bank.example/'), 'never');
    throw new CredentialsRefused(`it does not know ${CREDENTIALS.BCCH_USER}`);
  });
  const { live } = await recorded(refusing, { 'GET /': '' }, CREDENTIALS);
  expect(live).toMatchObject({ error: { message: expect.not.stringContaining('example.org') } });
});

test('where nothing comes, nothing is kept', async () => {
  const away = asking(async function* (_, { http }) {
    yield mismatch(await http.get('not an address'), 'never');
  });
  await expect(recorded(away, {})).rejects.toThrow('is not a valid URL');
  const weekend = { ...asking(async function* () {}), unasked: 'never' };
  await expect(recorded(weekend, {})).rejects.toThrow('BOC is not asked for anything on these days');
  expect(await readdir(folder())).toEqual([]);
});

test('a recording takes the place of the one before it, and of no other file', async () => {
  const place = folder('boc', 'recorded');
  await mkdir(place, { recursive: true });
  const others = ['boc_older-01.json', 'boc_older.index.json', 'boc-notes.md', 'boc-01'];
  for (const name of [...others, 'boc-01.csv', 'boc-07.json', 'boc.index.json'])
    await writeFile(join(place, name), '[]');
  await recorded(boc, { [BOC]: { headers: { 'content-type': 'application/json' }, body: rates } });
  expect((await readdir(place)).sort()).toEqual([...others, 'boc-01.json', 'boc.index.json'].sort());
});
