import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import express from 'express';
import type { Config } from '../../core/process/config.js';

export type Trust = (address: string, hop: number) => boolean;

export function trustOf(setting: Config['TRUST_PROXY']): Trust {
  return express().set('trust proxy', setting).get('trust proxy fn');
}

/** The nearest address that is not a trusted proxy; of an IPv6 address its /64, the network of one household. */
export function clientKey(request: Pick<IncomingMessage, 'socket' | 'headers'>, trust: Trust): string {
  const nearest = request.socket.remoteAddress ?? '';
  const forwarded = request.headers['x-forwarded-for'];
  if (forwarded === undefined || !trust(nearest, 0)) return networkOf(nearest);
  const hops = [nearest, ...String(forwarded).split(',').reverse().map(withoutPort)];
  const behind = hops.findIndex((address, hop) => hop === hops.length - 1 || !trust(address, hop));
  // An entry that is not an address is forged or means unknown. The host that sent it then counts as the client.
  const client = hops.slice(0, behind + 1).findLast((address) => isIP(address) !== 0);
  return networkOf(client ?? nearest);
}

/** Whether the client's request came over TLS: to this server, or to a trusted proxy that reports it. */
export function isSecure(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trust: Trust,
): boolean {
  if (socket instanceof TLSSocket) return true;
  const forwarded = headers['x-forwarded-proto'];
  if (forwarded === undefined || !trust(socket.remoteAddress ?? '', 0)) return false;
  // Each proxy appends its own value, so the first is that of the client's connection.
  return String(forwarded).split(',')[0]?.trim() === 'https';
}

/** Returns the `clientKey` of a connection; undefined for a trusted proxy, which serves many clients. */
export function connectionKey({ remoteAddress = '' }: Socket, trust: Trust): string | undefined {
  return trust(remoteAddress, 0) ? undefined : networkOf(remoteAddress);
}

function withoutPort(text: string): string {
  const address = text.trim();
  return /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1] ?? /^\[(.*)\](:\d+)?$/.exec(address)?.[1] ?? address;
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

function networkOf(address: string): string {
  const embedded = MAPPED.exec(address)?.[1];
  if (embedded !== undefined) return embedded;
  if (isIP(address) !== 6) return address;
  // A URL has the canonical form (RFC 5952): in lower case, without leading zeros and IPv4 parts.
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`);
  const sides = hostname.slice(1, -1).split('::');
  const [first = [], last = []] = sides.map((side) => side.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`;
}
