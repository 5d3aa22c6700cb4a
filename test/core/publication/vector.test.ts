import { expect, it } from 'vitest';
import { makeSigningKey, parseSigningKey, parseVerifierKey } from '../../../core/publication/keys.js';
import {
  checkpointOf,
  checkpointText,
  linesText,
  makeRecord,
  openCheckpoint,
  parseRecord,
  readLog,
  recordHash,
  signNote,
} from '../../../core/publication/log.js';
import { memoryFiles } from '../../support/memory-files.js';

/** The key of the first test of RFC 8032, 7.1. */
const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const KEY = makeSigningKey('rates.example.org/almanac', Buffer.from(SEED, 'hex'));
const VERIFIER = 'rates.example.org/almanac+4d905bc1+AddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea';
/** The hash of the manifest `{}`. */
const MANIFEST = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';

const LOG = `\
{"expires":"2026-03-19T16:00:00.000Z","index":0,"instant":"2026-03-17T16:00:00.000Z","manifest":"${MANIFEST}","previous":null,"version":4711}
{"expires":"2026-03-19T16:01:00.000Z","index":1,"instant":"2026-03-17T16:01:00.000Z","manifest":"${MANIFEST}","previous":"869b9bb3f5a914ddeaf44441efa053070c2c9dba1a462564cb4f4df1171a013b","version":4712}
`;

/** The signed checkpoint at size 2. */
const NOTE = `rates.example.org/almanac
2
z7T6wtcxwP50YFJpbNbVBOh+Lk2pPDEKqcrKcBdZoDI=

— rates.example.org/almanac TZBbweCxD5Rju6SoB+f2Sgo6Ig3uShw+Y7qDQxOEjumlm65FYrpYOfSsPKnyJMK6FMQLU5bxd85nHcOS1OMKU76HIAY=
`;

it('writes keys as Go does, and reads that of the checksum database of Go', () => {
  expect(KEY.verifier.text).toBe(VERIFIER);
  expect(parseVerifierKey(VERIFIER)).toMatchObject({ origin: 'rates.example.org/almanac', id: '4d905bc1' });
  expect(KEY.text).toBe(
    'PRIVATE+KEY+rates.example.org/almanac+4d905bc1+AZ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g',
  );
  expect(parseSigningKey(KEY.text).verifier.text).toBe(VERIFIER);
  const text = 'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8';
  expect(parseVerifierKey(text)).toMatchObject({ origin: 'sum.golang.org', id: '033de0ae', text });
});

it('makes the chain and its signed checkpoint to the byte, and reads them', async () => {
  const makeOne = (index: number, previous: string | null) => {
    const now = new Date(`2026-03-17T16:0${index}:00Z`);
    return makeRecord({ index, manifest: MANIFEST, previous, version: 4711 + index, now });
  };
  const first = makeOne(0, null);
  const second = makeOne(1, recordHash(first));
  expect(linesText([{ record: first }, { record: second }])).toBe(LOG);
  const checkpoint = { origin: KEY.origin, size: 2, hash: recordHash(second) };
  expect(signNote(checkpointText(checkpoint), [KEY])).toBe(NOTE);
  const opened = openCheckpoint(NOTE, [parseVerifierKey(VERIFIER)]);
  expect(opened).toMatchObject({ checkpoint, signers: [{ id: '4d905bc1' }] });
  expect(checkpointOf(NOTE)).toEqual(checkpoint);
  const files = memoryFiles(new Map([['log/2026.ndjson', Buffer.from(LOG)]]));
  const { lines, record } = await readLog(files, checkpoint, { from: 0, now: new Date('2026-03-17') });
  expect(lines.map((line) => line.record)).toEqual([first, second]);
  expect(record).toEqual(second);
});

const [, LINE = ''] = LOG.split('\n');
it.each([
  ['another order', (text: string) => text.replace(/^{("expires":"[^"]+"),(.*)}$/, '{$2,$1}')],
  ['a space', (text: string) => text.replace(':', ': ')],
  ['a day that there is not', (text: string) => text.replace('2026-03-19', '2026-02-30')],
  ['an hour that there is not', (text: string) => text.replace('T16', 'T96')],
  ['another offset', (text: string) => text.replace('000Z', '000+00:00')],
  ['one thing more', (text: string) => text.replace('{', '{"a":1,')],
  ['a manifest that is no hash', (text: string) => text.replace('44136', 'x4136')],
  ['no record before it', (text: string) => text.replace(/"previous":"\w+",/, '')],
  ['a negative index', (text: string) => text.replace('"index":1', '"index":-1')],
  ['a cut', (text: string) => text.slice(0, -1)],
])('reads no record with %s', (_, change) => {
  expect(parseRecord(Buffer.from(LINE)).index).toBe(1);
  expect(() => parseRecord(Buffer.from(change(LINE)))).toThrow(/^record: /);
});

it.each(['0\n', '-1\n', '1.5\n', '01\n'])('reads no checkpoint of %j records', (size) => {
  expect(() => checkpointOf(NOTE.replace('2\n', size))).toThrow(/^checkpoint: /);
});
