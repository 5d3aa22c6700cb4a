import { clientOf, type HttpClient } from './client.js';

/** Adds a cookie jar to a client: it sends the cookies of a host with every later request to it, like a browser. */
export function withCookies(client: HttpClient): HttpClient {
  const jars = new Map<string, Map<string, string>>();
  return clientOf(async (request) => {
    const host = URL.canParse(request.url) ? new URL(request.url).host : '';
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = cookie === '' ? request.headers : { ...request.headers, cookie };
    const answer = await client.send({ ...request, headers });
    for (const header of answer.cookies) {
      const [, name, value] = /^\s*([^=;\s]+)=([^;]*)/.exec(header) ?? [];
      if (name !== undefined && value !== undefined) jar.set(name, value.trim());
    }
    return answer;
  });
}

/** Splits several `set-cookie` headers that were joined into one. Dates contain commas too. */
export function splitCookies(joined: string | undefined): string[] {
  return joined ? joined.split(/,\s*(?=[^;,=\s]+=)/) : [];
}
