import type { Clock } from '../../../core/domain/dates.js';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';
import { isSecretName, replaceValues } from '../../../core/http-client/secrets.js';
import { clientOf, type HttpAnswer, type HttpClient } from './client.js';
import type { Interaction } from './recorded-client.js';
import type { FeedRequest } from './request.js';

/** A recorded exchange without credentials. For an error, only the status is known. */
export interface KeptInteraction extends Omit<Interaction, 'body'> {
  requestHeaders: Readonly<Record<string, string>>;
  body?: Uint8Array;
}

/** The headers of a response that a feed may read. The body is stored decompressed. */
const KEPT_HEADERS = ['content-type', 'content-disposition', 'etag', 'last-modified'];

/**
 * Records each request with its response. Credentials are replaced by their placeholders, which a replay also sends. Cookies
 * of a source with credentials are omitted, as they may be equivalent to them.
 */
export function recordingClient(
  client: HttpClient,
  credentials: Readonly<Record<string, string>>,
  clock: Clock,
) {
  const masked = masking(credentials);
  const wantsKey = Object.keys(credentials).length > 0;
  const kept: KeptInteraction[] = [];

  async function send(request: FeedRequest): Promise<HttpAnswer> {
    const asked = recordedRequest(request);
    try {
      const answer = await client.send(request);
      kept.push({ ...asked, ...responseOf(answer) });
      return answer;
    } catch (error) {
      const status = error instanceof HttpClientError && isAnswered(error) ? error.status : undefined;
      const refusal = { responseHeaders: {}, recordedAt: clock().toUTCString() };
      if (status !== undefined) kept.push({ ...asked, status, ...refusal });
      throw error;
    }
  }

  function recordedRequest({ method, url, headers, body }: FeedRequest) {
    const kept = Object.entries(headers).filter(([name]) => !isSecretName(name));
    return {
      method,
      url: masked(url),
      requestHeaders: Object.fromEntries(kept.map(([name, value]) => [name, masked(value)])),
      requestBody: body === undefined ? null : masked(body),
    };
  }

  function responseOf({ status, headers, cookies, bytes, receivedAt }: HttpAnswer) {
    const named = KEPT_HEADERS.flatMap((name) => {
      const value = headers.get(name);
      return value === undefined ? [] : [[name, masked(value)] as const];
    });
    const isKeepingCookies = cookies.length > 0 && !wantsKey;
    return {
      status,
      responseHeaders: {
        ...Object.fromEntries(named),
        ...(isKeepingCookies && { 'set-cookie': cookies.join(', ') }),
      },
      body: bodyOfAnswer(bytes),
      recordedAt: receivedAt.toUTCString(),
    };
  }

  /** Unchanged, except where it repeats a credential. */
  function bodyOfAnswer(bytes: Uint8Array): Uint8Array {
    const text = Buffer.from(bytes).toString('latin1');
    const replaced = masked(text);
    return replaced === text ? bytes : Buffer.from(replaced, 'latin1');
  }

  /** In the order of the responses. */
  return { ...clientOf(send), kept: (): readonly KeptInteraction[] => kept };
}

function isAnswered({ reason }: HttpClientError): boolean {
  return reason === 'status' || reason === 'redirect';
}

/** Shorter values occur in too many other words, and are not secret. */
const SHORTEST_SECRET = 3;

/** Replaces the values of credentials by placeholders, in every form in which a text may contain them. */
function masking(credentials: Readonly<Record<string, string>>): (text: string) => string {
  const replacements = new Map<string, string>();
  for (const [name, value] of Object.entries(credentials)) {
    const placeholder = `<${name}>`;
    if (value === placeholder || value.length < SHORTEST_SECRET) continue;
    for (const form of formsOf(value)) replacements.set(form, placeholder);
  }
  return replacements.size === 0 ? (text) => text : (text) => replaceValues(text, replacements);
}

/** Forms besides percent-encoding: XML, JSON and base64, and each in UTF-8 decoded as Latin-1, as bodies are here. */
function formsOf(value: string): string[] {
  const inXml = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const inJson = [value, inXml].map((text) => JSON.stringify(text).slice(1, -1));
  const forms = [value, inXml, ...inJson, Buffer.from(value).toString('base64')];
  return forms.flatMap((form) => [form, Buffer.from(form).toString('latin1')]);
}
