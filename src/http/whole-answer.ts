import type { IncomingMessage, ServerResponse } from 'node:http';
import { isHeld } from './conditional.js';
import type { HeaderList } from './header-list.js';

/** An answer that is there as a whole, the same for all who ask the same: it goes out in one call. */
export interface WholeAnswer {
  /** See entityTag. */
  tag: string;
  /** All but those of one request, `cache-control` and those about the body. */
  headers: HeaderList;
  /** Worked out when it is sent, as some answers are the older the shorter they hold. */
  cacheControl(): string;
  /** The headers about the body, which a 304 has none of. */
  content: HeaderList;
  /** A text is sent as Latin-1. */
  body: Buffer | string;
}

/** Sends an answer with the headers of this one request: a 304 where the client holds it already. */
export function sendWhole(
  request: IncomingMessage,
  response: ServerResponse,
  { tag, headers, cacheControl, content, body }: WholeAnswer,
  own: HeaderList,
): void {
  if (isHeld(request.headers['if-none-match'], tag)) {
    response.writeHead(304, [...headers, 'cache-control', cacheControl(), ...own]);
    response.end();
    return;
  }
  response.writeHead(200, [...headers, 'cache-control', cacheControl(), ...content, ...own]);
  if (request.method === 'HEAD') response.end();
  else response.end(body, 'latin1');
}
