import { HttpClientError } from '../../../core/http-client/http-client-error.js';
import { clientOf, type HttpAnswer, type HttpClient } from './client.js';

export interface Traffic {
  requests: number;
  /** Total size of all bodies, decompressed. */
  bytes: number;
  /** Status of the last response, even of an error. */
  status: number | undefined;
  /** The last response that was not an error. */
  last: HttpAnswer | undefined;
}

/** Wraps a client and counts its traffic from now on. */
export function countTraffic(client: HttpClient): { http: HttpClient; traffic: Traffic } {
  const traffic: Traffic = { requests: 0, bytes: 0, status: undefined, last: undefined };
  const http = clientOf(async (method, url, options) => {
    traffic.requests++;
    try {
      const answer = await client[method](url, options);
      traffic.bytes += answer.bytes.length;
      traffic.status = answer.status;
      traffic.last = answer;
      return answer;
    } catch (error) {
      if (error instanceof HttpClientError) traffic.status = error.status;
      throw error;
    }
  });
  return { http, traffic };
}
