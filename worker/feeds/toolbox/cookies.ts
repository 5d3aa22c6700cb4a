import type { FeedClients } from '../feed.js';
import type { HttpAnswer, HttpClient, RequestOptions } from '../http/client.js';

/**
 * The feed's clients with one jar: they keep the cookies that a source sets and send them with every later request
 * to the same host, as a browser does within one visit.
 */
export function withCookies({ http, navigation }: FeedClients): FeedClients {
  const jars = new Map<string, Map<string, string>>();

  async function ask(
    client: HttpClient,
    method: 'get' | 'post',
    url: string,
    options: RequestOptions = {},
  ): Promise<HttpAnswer> {
    const host = new URL(url).host;
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = cookie === '' ? options.headers : { ...options.headers, cookie };
    const answer = await client[method](url, headers ? { ...options, headers } : options);
    for (const header of answer.cookies) {
      const [, name, value] = /^\s*([^=;\s]+)=([^;]*)/.exec(header) ?? [];
      if (name !== undefined && value !== undefined) jar.set(name, value.trim());
    }
    return answer;
  }

  const keeping = (client: HttpClient): HttpClient => ({
    get: (url, options) => ask(client, 'get', url, options),
    post: (url, options) => ask(client, 'post', url, options),
  });
  return { http: keeping(http), navigation: keeping(navigation) };
}
