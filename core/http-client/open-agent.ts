import type { IncomingHttpHeaders } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher, Pool } from 'undici';
import { hostOf, type Proxies, proxyFor } from './proxies.js';

interface AgentOptions extends Pick<Pool.Options, 'connections' | 'headersTimeout' | 'bodyTimeout'> {
  /** Opens connections to hosts. A proxy's certificate is verified in the standard way. */
  connect: buildConnector.BuildOptions | buildConnector.connector;
  /** Default: none. */
  proxies?: Proxies | undefined;
}

type Proxy = ReturnType<typeof toProxy>;

/** A proxy that refuses with a status of its own, or can't be reached or is none: the cause is the connection's error. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  /** With its port, without a login. */
  readonly proxy: string;
  readonly status: number | undefined;

  constructor({ host }: Proxy, { status, ...options }: ErrorOptions & { status?: number }) {
    super(`the proxy ${host} refuses or can't be reached`, options);
    this.proxy = host;
    this.status = status;
  }
}

const CONNECT_MS = 10_000;

/**
 * Opens undici's Agent, with its limits per host also through a proxy. Not undici's EnvHttpProxyAgent: its errors don't say
 * that the proxy is the cause, it has no limits for plain HTTP, and tunnels that if the proxy is reached by TLS.
 */
export function openAgent({ connect, proxies, ...limits }: AgentOptions): Agent {
  const connectHost = typeof connect === 'function' ? connect : buildConnector(connect);
  return new Agent({
    factory(given) {
      const origin = new URL(given);
      const url = proxies && proxyFor(origin, proxies);
      if (!url) return new Pool(origin, { ...limits, connect: connectHost });
      const proxy = toProxy(url);
      return origin.protocol === 'https:'
        ? new Pool(origin, { ...limits, connect: throughTunnel(proxy, connectHost) })
        : new Pool(proxy.origin, { ...limits, connect: proxy.connect }).compose(throughProxy(origin, proxy));
    },
  });
}

/** A proxy as this module uses it. Its host has the port, and no login. */
function toProxy(url: URL) {
  const { host, hostname, origin, username, password } = url;
  const login = [username, password].map(decodeURIComponent).join(':');
  const connector = buildConnector({ timeout: CONNECT_MS });
  // undici would verify the certificate against the name in the header `host`, which is that of the target.
  const servername = isIP(hostOf(url)) ? '' : hostname;
  const connect: buildConnector.connector = (options, callback) =>
    connector({ ...options, servername }, callback);
  const authorization = `Basic ${Buffer.from(login).toString('base64')}`;
  return { host, origin, connect, headers: username === '' ? {} : { 'proxy-authorization': authorization } };
}

/** Connects by CONNECT (RFC 9110, 9.3.6). The host's TLS, with its limits and exceptions, is inside. */
function throughTunnel(proxy: Proxy, connectHost: buildConnector.connector): buildConnector.connector {
  const tunnels = new Pool(proxy.origin, { connect: proxy.connect, headersTimeout: CONNECT_MS });
  return (options, callback) => {
    const { hostname, port } = options;
    const target = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port || 443}`;
    openTunnel(target, proxy, tunnels).then(
      (httpSocket) => connectHost({ ...options, httpSocket }, callback),
      (error: Error) => callback(error, null),
    );
  };
}

async function openTunnel(target: string, proxy: Proxy, tunnels: Pool): Promise<Socket> {
  const { statusCode, socket } = await tunnels
    .connect({ path: target, headers: { host: target, ...proxy.headers } })
    .catch((cause: unknown) => {
      throw new ProxyError(proxy, { cause });
    });
  if (statusCode === 200) return socket as Socket;
  socket.on('error', () => {}).destroy(); // Its error would say less than the status.
  throw new ProxyError(proxy, { status: statusCode });
}

/** Sends requests for an origin to a proxy, with the whole URL (RFC 9112, 3.2.2). */
function throughProxy(origin: URL, proxy: Proxy): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const headers = { host: origin.host, ...(options.headers as IncomingHttpHeaders), ...proxy.headers };
    const path = `${origin.origin}${options.path}`;
    return dispatch({ ...options, path, headers }, namingProxy(proxy, handler));
  };
}

/** Throws a ProxyError if the proxy refuses, or the connection to it fails. */
function namingProxy(proxy: Proxy, handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...given) => handler.onRequestStart?.(...given),
    onResponseStart(controller, status, ...given) {
      if (status === 407) controller.abort(new ProxyError(proxy, { status }));
      else handler.onResponseStart?.(controller, status, ...given);
    },
    onResponseData: (...given) => handler.onResponseData?.(...given),
    onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
    onResponseError(controller, error) {
      const named = error instanceof ProxyError ? error : new ProxyError(proxy, { cause: error });
      handler.onResponseError?.(controller, named);
    },
  };
}
