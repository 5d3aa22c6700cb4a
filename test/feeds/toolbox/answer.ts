import { httpAnswer } from '../../../worker/http/answer.js';
import type { HttpAnswer } from '../../../worker/http/client.js';

/** An answer with this body, as the client would hand it over. */
export function answerOf(body: string | Uint8Array, contentType = 'text/plain; charset=utf-8'): HttpAnswer {
  return httpAnswer({
    url: 'https://bank.example/rates?key=hush',
    status: 200,
    headers: new Map([['content-type', contentType]]),
    cookies: [],
    bytes: Buffer.from(body),
  });
}
