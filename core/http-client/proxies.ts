import { BlockList, isIP } from 'node:net';

/** As in the configuration: URLs of proxies, with an optional login, and the hosts that are reached without one. */
export interface Proxies {
  HTTP_PROXY?: string | undefined;
  HTTPS_PROXY?: string | undefined;
  NO_PROXY: string;
}

const LOOPBACK = 'localhost,127.0.0.0/8,::1';

/** The proxy for an origin. Undefined if there is none for its scheme, NO_PROXY lists it, or it is this machine. */
export function proxyFor(origin: URL, { HTTP_PROXY, HTTPS_PROXY, NO_PROXY }: Proxies): URL | undefined {
  const proxy = origin.protocol === 'https:' ? HTTPS_PROXY : HTTP_PROXY;
  return proxy === undefined || isListed(origin, `${LOOPBACK},${NO_PROXY}`) ? undefined : new URL(proxy);
}

/** Whether a list has `*`, or the host's address, network or name, or a domain above it, with any or the same port. */
function isListed(origin: URL, list: string): boolean {
  const host = hostOf(origin);
  const hostPort = origin.port || (origin.protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[,\s]+/)
    .some((entry) => {
      if (entry === '*') return true;
      if (isIP(entry.split('/')[0] ?? '')) return isWithin(host, entry);
      const [, name = '', only = hostPort] = /^(?:\*?\.)?\[?(.+?)\]?(?::(\d+))?$/.exec(entry) ?? [];
      return name !== '' && only === hostPort && (host === name || host.endsWith(`.${name}`));
    });
}

/** The name or address, the latter without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Whether a host is an address in a network such as `10.0.0.0/8`, or is that address. */
function isWithin(host: string, entry: string): boolean {
  const [network = '', bits] = entry.split('/');
  const family = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6');
  const networks = new BlockList();
  if (bits === undefined) networks.addAddress(network, family(network));
  else networks.addSubnet(network, Number(bits), family(network));
  return isIP(host) !== 0 && networks.check(host, family(host));
}
