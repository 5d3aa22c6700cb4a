export type FailureReason =
  | 'status'
  | 'redirect'
  | 'connection'
  | 'certificate'
  | 'timeout'
  | 'too-large'
  | 'stopped'
  | 'not-recorded';

/** No usable answer came. The message names the address, without secrets, and what to look at. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly url: string;

  constructor(
    readonly reason: FailureReason,
    url: string,
    what: string,
    /** The answer's status, where there was an answer. */
    readonly status?: number,
    /** Milliseconds after which the server says that it may be asked again. */
    readonly retryAfter?: number,
    options?: ErrorOptions,
  ) {
    const shown = withoutSecrets(url);
    super(`${shown}: ${what}`, options);
    this.url = shown;
  }
}

const SECRET_NAME = /key|token|user|pass|secret|auth/i;

/** The address with the values of query parameters that carry credentials masked. */
export function withoutSecrets(address: string): string {
  const at = address.indexOf('?');
  if (at < 0) return withoutLogin(address);
  const pairs = address
    .slice(at + 1)
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      return equals > 0 && SECRET_NAME.test(pair.slice(0, equals)) ? `${pair.slice(0, equals)}=***` : pair;
    });
  return `${withoutLogin(address.slice(0, at))}?${pairs.join('&')}`;
}

function withoutLogin(address: string): string {
  return address.replace(/^(\w+:\/\/)[^/@]*@/, '$1');
}
