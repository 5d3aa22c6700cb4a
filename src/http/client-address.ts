import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import express from 'express';
import type { Config } from '../../core/process/config.js';

/** Whether the proxy at an address, that many hops away, is believed what it says in `x-forwarded-for`. */
export type Trust = (address: string, hop: number) => boolean;

/** The rule behind a setting, the very one that Express's own `trust proxy` goes by. */
export function trustOf(setting: Config['TRUST_PROXY']): Trust {
  return express().set('trust proxy', setting).get('trust proxy fn');
}

/**
 * Who counts as one client: the nearest address that is no trusted proxy. Of IPv6 its /64, as that is what one
 * household or machine is given.
 */
export function clientKey(request: Pick<IncomingMessage, 'socket' | 'headers'>, trust: Trust): string {
  const nearest = request.socket.remoteAddress ?? '';
  const forwarded = request.headers['x-forwarded-for'];
  if (forwarded === undefined || !trust(nearest, 0)) return networkOf(nearest);
  const hops = [nearest, ...String(forwarded).split(',').reverse().map(withoutPort)];
  const behind = hops.findIndex((address, hop) => hop === hops.length - 1 || !trust(address, hop));
  // What is no address was made up, or is a proxy's word for not knowing: then its teller is the client.
  const told = hops.slice(0, behind + 1).findLast((address) => isIP(address) !== 0);
  return networkOf(told ?? nearest);
}

/** Some proxies write the port too. */
function withoutPort(text: string): string {
  const address = text.trim();
  return /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1] ?? /^\[(.*)\](:\d+)?$/.exec(address)?.[1] ?? address;
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

function networkOf(address: string): string {
  const embedded = MAPPED.exec(address)?.[1];
  if (embedded !== undefined) return embedded;
  if (isIP(address) !== 6) return address;
  const [left = '', right] = address.replace(/%.*$/, '').toLowerCase().split('::');
  const first = left === '' ? [] : left.split(':');
  const last = right === undefined || right === '' ? [] : right.split(':');
  // A dotted ending stands for two groups.
  const width = [...first, ...last].reduce((sum, group) => sum + (group.includes('.') ? 2 : 1), 0);
  const zeros = right === undefined ? [] : Array.from({ length: 8 - width }, () => '0');
  const groups = [...first, ...zeros, ...last].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${groups.join(':')}::/64`;
}
