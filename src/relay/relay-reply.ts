import { json, type Reply } from '../http/reply.js';
import type { Relayed } from './relay.js';

export function relayReply(
  { ageSeconds, cacheControl }: Pick<Relayed<unknown>, 'ageSeconds' | 'cacheControl'>,
  body: object,
): Reply {
  return { validity: { cacheControl }, headers: ['age', String(ageSeconds)], content: json(body) };
}
