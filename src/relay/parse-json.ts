import { UpstreamError } from './upstream-error.js';

/** Upstreams nest their values at most seven deep. */
const DEEPEST = 32;
/** A hundred places, each with several hundred postcodes. */
const MOST_VALUES = 100_000;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Throws an `invalid` UpstreamError, also for a body so deep or long that checking it would block other requests. */
export function parseJson(bytes: Uint8Array): unknown {
  checkBounds(bytes);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    // The parser's message quotes the body, so it is dropped.
    throw new UpstreamError('invalid', `the response of ${bytes.length} bytes is not JSON`);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

function checkBounds(bytes: Uint8Array): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA) values++;
    else if (byte === 0x5b || byte === 0x7b) depth++;
    else if (byte === 0x5d || byte === 0x7d) depth--;
    if (depth > DEEPEST) throw new UpstreamError('invalid', `the response is nested over ${DEEPEST} deep`);
    if (values > MOST_VALUES) {
      throw new UpstreamError('invalid', `the response holds over ${MOST_VALUES} values`);
    }
  }
}

function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  return bytes.length;
}
