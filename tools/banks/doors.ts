import {
  createServer as createPlainServer,
  type Server as HttpServer,
  type RequestListener,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tlsExceptions } from '../../worker/feeds/http/connections.js';
import type { Authority } from './authority.js';
import type { Behaviour } from './behaviour.js';

/** A port of this machine to which clients connect. */
export interface Door {
  port: number;
  /** Breaks all connections. */
  close(): Promise<void>;
}

/** The protocol of the hosts behind a door. `legacy` is TLS 1.0 only. */
export type DoorKind = 'plain' | 'secure' | 'legacy';

const LEGACY = { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;

/** The kind of door for an origin, such as `https://bank.example`. */
export function doorKindOf({ protocol, hostname }: URL): DoorKind {
  if (protocol === 'http:') return 'plain';
  return tlsExceptions.get(hostname)?.legacy ? 'legacy' : 'secure';
}

interface DoorOptions {
  listener: RequestListener;
  authority: Authority;
  behaviour: Behaviour;
}

export async function openDoor(kind: DoorKind, options: DoorOptions): Promise<Door> {
  const server = kind === 'plain' ? createPlainServer(options.listener) : secureServer(kind, options);
  const connections = new Set<Socket>();
  let count = 0;
  const door = createServer((socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
    if (options.behaviour.resets?.(++count)) socket.once('data', () => socket.resetAndDestroy());
    else server.emit('connection', socket);
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  return {
    port: (door.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        door.close(() => resolve());
        for (const socket of connections) socket.destroy();
      }),
  };
}

function secureServer(kind: DoorKind, { listener, authority, behaviour: { tls } }: DoorOptions): HttpServer {
  const contextOf = (host: string) =>
    authority.contextOf(
      host,
      tls?.leavesOutIntermediate ?? tlsExceptions.get(host)?.intermediate !== undefined,
    );
  return createSecureServer(
    {
      SNICallback: (host, done) => void contextOf(host).then((context) => done(null, context), done),
      ...(tls?.newest && { maxVersion: tls.newest }),
      ...(kind === 'legacy' && LEGACY),
    },
    listener,
  );
}
