import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { maskUrl } from '../../../core/http-client/secrets.js';
import type { ReceivedResponse } from '../../../core/http-client/send-request.js';
import type { HttpAnswer } from './client.js';

/** Adds the decoding as text to a response. */
export function httpAnswer(parts: ReceivedResponse & { url: string; receivedAt: Date }): HttpAnswer {
  const url = maskUrl(parts.url);
  const text = (charset?: string) =>
    decoderFor(
      markedCharset(parts.bytes) ?? charset ?? charsetOf(parts.bytes, parts.headers.get('content-type')),
    ).decode(parts.bytes);
  return { ...parts, url, text, oddRecords: [] };
}

/** UTF-16 if the text begins with its byte order mark, whatever else is stated. */
function markedCharset([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** Well-formed UTF-8 beyond ASCII is always UTF-8, and nothing else is. Then the header counts, then the text. */
function charsetOf(bytes: Uint8Array, contentType = ''): string {
  if (isUtf8(bytes) && !isAscii(bytes)) return 'utf-8';
  const start = Buffer.from(bytes.subarray(0, LONGEST_START)).toString('latin1');
  const [inHeader, inText] = [IN_HEADER.exec(contentType)?.[1], IN_TEXT.exec(start)?.[1]];
  const isWrong = /^utf-?8$/i.test(inHeader ?? '') && !isUtf8(bytes);
  return (isWrong ? inText : (inHeader ?? inText)) ?? 'utf-8';
}

const LONGEST_START = 1024;
const IN_HEADER = /charset\s*=\s*"?([\w.:-]+)/i;
const IN_TEXT = /^\s*<[\s\S]*?\b(?:encoding|charset)\s*=\s*["']?([\w.:-]+)/i;

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    // An unknown charset is a mistake of the server; the bytes are nearly always UTF-8.
    return new TextDecoder('utf-8');
  }
}
