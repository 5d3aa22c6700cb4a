import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { projectFolder } from '../../core/process/project-files.js';
import { freePort } from '../../tools/rehearse/free-port.js';

/** A server in front of an origin, as ops/cdn configures it. */
export interface CdnServer {
  /** Without a slash at the end. */
  url: string;
  close(): Promise<void>;
}

/** Debian has servers where only root looks for programs. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

const MISSING = ['varnishd', 'nginx'].filter((program) => spawnSync(program, ['-V'], { env }).error);

/** Says which of Debian's packages varnish and nginx are missing; undefined where both are there. */
export const cdnServersMissing = MISSING.length > 0 ? `${MISSING.join(' and ')} not installed` : undefined;

/** `grace` is for how long an answer may be stale while the origin works. */
export function startVarnish(origin: string, grace = '60s'): Promise<CdnServer> {
  return start('varnishd', 'varnish.vcl', (address, folder, file) => ({
    changes: [
      ['.port = "8080"', `.port = "${new URL(origin).port}"`],
      ['set req.grace = 60s', `set req.grace = ${grace}`],
    ],
    // Without a jail, it runs as the current user.
    args: '-F -j none -T none -s malloc,64m'.split(' ').concat('-n', folder, '-f', file, '-a', address),
  }));
}

export function startNginx(origin: string): Promise<CdnServer> {
  return start('nginx', 'nginx.conf', (address, folder, file) => ({
    changes: [
      ['server 127.0.0.1:8080', `server ${new URL(origin).host}`],
      ['listen 80', `listen ${address}`],
    ],
    args: ['-p', folder, '-c', file, '-e', 'stderr', '-g', 'daemon off;'],
  }));
}

/** Starts a program on its shipped file, in which each text to be replaced must be, in a folder of its own. */
async function start(
  program: string,
  name: string,
  settings: (
    address: string,
    folder: string,
    file: string,
  ) => { changes: [string, string][]; args: string[] },
): Promise<CdnServer> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-cdn-'));
  const address = `127.0.0.1:${await freePort()}`;
  // Where root starts it, it works as another user.
  await chmod(folder, 0o755);
  const file = join(folder, name);
  const { changes, args } = settings(address, folder, file);
  let text = await readFile(join(projectFolder, 'ops', 'cdn', name), 'utf8');
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`${name} has no ${from}`);
    text = text.replace(from, to);
  }
  await writeFile(file, text);
  const server = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(server, 'exit');
  let output = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  }
  const close = async () => {
    server.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const url = `http://${address}`;
  const answers = async () => {
    // Neither asks the origin for it.
    if ((await fetch(`${url}/metrics`)).status !== 404) throw new Error(`${program} answers otherwise`);
  };
  await vi.waitFor(answers, { interval: 50 }).catch(async (cause: unknown) => {
    await close();
    throw new Error(`${program} did not start: ${output}`, { cause });
  });
  return { url, close };
}
