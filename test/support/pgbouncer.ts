import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { serverUser } from '../../core/database/embedded-postgres/binaries.js';
import { freePort } from '../../tools/rehearse/free-port.js';

const PROGRAM = '/usr/sbin/pgbouncer';

/** Why there is no PgBouncer; undefined where Debian's package is installed. */
export const pgBouncerMissing = existsSync(PROGRAM) ? undefined : 'pgbouncer is not installed';

/** Starts PgBouncer in front of the server of a URL, with the settings of docs/deployment.md. */
export async function startPgBouncer(serverUrl: string, poolMode: 'session' | 'transaction') {
  const { hostname, port, username, password } = new URL(serverUrl);
  const own = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'almanac-pgbouncer-'));
  await chmod(folder, 0o755); // It refuses to run as root.
  const file = join(folder, 'pgbouncer.ini');
  const settings = `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
default_pool_size = 40
max_client_conn = 400
`;
  await writeFile(file, settings, { mode: 0o644 });
  const user = await serverUser();
  const bouncer = spawn(PROGRAM, ['-q', file], { ...user, stdio: ['ignore', 'ignore', 'inherit'] });
  await once(bouncer, 'spawn');
  await vi.waitFor(async () => {
    const socket = connect(own, '127.0.0.1');
    await once(socket, 'connect').finally(() => socket.destroy());
  });
  return {
    /** The URL of a database of the server, through PgBouncer. */
    urlOf(databaseUrl: string): string {
      const url = new URL(databaseUrl);
      url.host = `127.0.0.1:${own}`;
      return url.toString();
    },
    async close(): Promise<void> {
      const ended = once(bouncer, 'exit');
      bouncer.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
