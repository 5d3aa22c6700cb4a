/** A proxy that can't be reached, refuses, or is none. The cause is the connection's error, if there is one. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';

  constructor(
    /** With its port, without a login. */
    readonly proxy: string,
    readonly detail: string,
    options: ErrorOptions & { status?: number } = {},
  ) {
    super(`the proxy ${proxy}: ${detail}`, options);
    this.status = options.status;
  }

  /** Of its own response, not of the host's. */
  readonly status: number | undefined;
}
