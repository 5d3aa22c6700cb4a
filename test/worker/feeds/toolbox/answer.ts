import type { HttpAnswer } from '../../../../worker/feeds/http/client.js';
import { httpAnswer } from '../../../../worker/feeds/http/response.js';

/** An answer with this body, as the client would hand it over. */
export function answerOf(body: string | Uint8Array, contentType = 'text/plain; charset=utf-8'): HttpAnswer {
  return httpAnswer({
    url: 'https://bank.example/rates?key=hush',
    status: 200,
    headers: new Map([['content-type', contentType]]),
    cookies: [],
    receivedAt: new Date('2026-03-06T16:00:00Z'),
    bytes: Buffer.from(body),
  });
}
