import type { Request, Response } from 'express';
import { encodeBody, JSON_TYPE, SMALLEST_CODED, sendBody } from '../http/bodies.js';
import { negotiateEncoding } from '../http/negotiation.js';
import type { Relayed } from './relay.js';

/** Sends a JSON body made from a relayed answer, with its `cache-control` and `age`. */
export async function sendRelayed(
  request: Request,
  response: Response,
  answer: Pick<Relayed<unknown>, 'ageSeconds' | 'cacheControl'>,
  body: object,
): Promise<void> {
  const plain = Buffer.from(JSON.stringify(body));
  const wanted = negotiateEncoding(request.headers['accept-encoding']);
  const encoding = plain.length < SMALLEST_CODED ? 'identity' : wanted;
  const bytes = await encodeBody(plain, encoding);
  response.setHeader('cache-control', answer.cacheControl);
  response.setHeader('age', answer.ageSeconds);
  response.setHeader('vary', 'accept-encoding');
  sendBody(request, response, bytes, { contentType: JSON_TYPE, encoding });
}
