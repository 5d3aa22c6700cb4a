import { makeSigningKey } from '../../../core/publication/keys.js';
import { recordBytes } from '../../../core/publication/log-record.js';

/** The key of the first test of RFC 8032, 7.1. */
export const KEY = makeSigningKey(
  'rates.example.org/almanac',
  Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex'),
);

export const VERIFIER = 'rates.example.org/almanac+4d905bc1+AddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea';

const MANIFEST = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';

/** Two records of the manifest `{}`. */
export const RECORDS = [
  recordBytes({
    expires: '2026-03-19T16:00:00.000Z',
    instant: '2026-03-17T16:00:00.000Z',
    manifest: MANIFEST,
    version: 4711,
  }),
  recordBytes({
    expires: '2026-03-19T16:01:00.000Z',
    instant: '2026-03-17T16:01:00.000Z',
    manifest: MANIFEST,
    version: 4712,
  }),
] as const;

export const FIRST_ROOT = 'fBJBFveSzgeEtn98cVYrrpsRGNcrGVrdrhz6hYyXfA0=';

/** The signed checkpoint at size 2. */
export const NOTE = `rates.example.org/almanac
2
ivEwneEAbDu74+k0uFoZXZmi2Ac/Q0MKA9yfQ03Ngv0=

— rates.example.org/almanac TZBbwSUvzWox1KdOEfnGuqEMg8AB+EOzEL7sfh6wjGCaHeZwVdJ72WM6W/fyQ1XwreD3EbITn89lkmH8hQPu3QnXDAE=
`;
