import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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

/** Says which of Debian's packages varnish (with varnish-modules) and nginx are missing; undefined where both are there. */
export const cdnServersMissing = MISSING.length > 0 ? `${MISSING.join(' and ')} not installed` : undefined;

/** The shipped file with other texts in place of some of its own, each of which it must have. */
async function configuration(name: string, changes: Readonly<Record<string, string>>): Promise<string> {
  let text = await readFile(join(projectFolder, 'ops', 'cdn', name), 'utf8');
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`${name} has no ${from}`);
    text = text.replace(from, to);
  }
  return text;
}

/** `grace` is for how long an answer may be stale while the origin works. */
export async function startVarnish(origin: string, grace = '60s'): Promise<CdnServer> {
  const { port: originPort } = new URL(origin);
  const vcl = await configuration('varnish.vcl', {
    '.port = "8080"': `.port = "${originPort}"`,
    'set req.grace = 60s': `set req.grace = ${grace}`,
  });
  return start('varnish.vcl', vcl, (folder, port) => ({
    program: 'varnishd',
    // Without a jail, whoever runs it.
    args: ['-F', '-j', 'none', '-n', folder, '-f', join(folder, 'varnish.vcl')].concat([
      '-a',
      `127.0.0.1:${port}`,
      '-T',
      'none',
      '-s',
      'malloc,64m',
    ]),
  }));
}

export async function startNginx(origin: string): Promise<CdnServer> {
  const port = await freePort();
  const conf = await configuration('nginx.conf', {
    'server 127.0.0.1:8080': `server ${new URL(origin).host}`,
    'listen 80': `listen 127.0.0.1:${port}`,
  });
  return start(
    'nginx.conf',
    conf,
    (folder) => ({
      program: 'nginx',
      args: ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr', '-g', 'daemon off;'],
    }),
    port,
  );
}

async function start(
  file: string,
  text: string,
  command: (folder: string, port: number) => { program: string; args: string[] },
  givenPort?: number,
): Promise<CdnServer> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-cdn-'));
  // Where root starts it, it works as another user.
  await chmod(folder, 0o755);
  await writeFile(join(folder, file), text);
  const port = givenPort ?? (await freePort());
  const { program, args } = command(folder, port);
  const server = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  }
  const url = `http://127.0.0.1:${port}`;
  const close = async () => {
    await end(server);
    await rm(folder, { recursive: true, force: true });
  };
  for (let tries = 0; !(await answers(url)); tries++) {
    if (server.exitCode !== null || tries > 600) {
      await close();
      throw new Error(`${program} did not start: ${output}`);
    }
    await sleep(50);
  }
  return { url, close };
}

async function answers(url: string): Promise<boolean> {
  // Which neither asks the origin for.
  return fetch(`${url}/metrics`).then(
    ({ status }) => status === 404,
    () => false,
  );
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
}
