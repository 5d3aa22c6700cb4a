import { type ExecFileOptions, execFile } from 'node:child_process';
import * as z from 'zod';
import { waitUntil } from './wait-until.js';

/** The containers of a Compose project. */
export interface Stack {
  /** Runs `docker compose` and returns what it printed on standard output. */
  compose(...args: string[]): Promise<string>;
  /** Runs shell commands as an operator would in the project's folder, with the given working folder. */
  shell(commands: string, folder: string): Promise<string>;
  containers(): Promise<Container[]>;
  /** Ends the container with SIGKILL, starts it again, and waits until it is healthy. Returns the milliseconds. */
  killAndStart(container: Container): Promise<number>;
  /** The JSON that one of the APIs responds with, asked past the proxy. APIs are numbered from 1. */
  ask(api: number, path: string): Promise<unknown>;
}

interface Container {
  id: string;
  name: string;
  service: string;
  /** Empty where it has no health check. */
  health: string;
}

const psLine = z
  .object({ ID: z.string(), Name: z.string(), Service: z.string(), Health: z.string() })
  .transform(({ ID, Name, Service, Health }) => ({ id: ID, name: Name, service: Service, health: Health }));

const MINUTE_MS = 60_000;
const HEALTHY_MS = 2 * MINUTE_MS;
const MOST_OUTPUT = 256 * 1024 * 1024;

/** `variables` are Compose's own and what the Compose files refer to. Nothing is started. */
export function openStack(variables: Record<string, string>, signal: AbortSignal): Stack {
  const env = { ...process.env, ...variables, COMPOSE_PROGRESS: 'plain' };
  const runOptions = { env, signal, maxBuffer: MOST_OUTPUT };

  const compose: Stack['compose'] = (...args) => run('docker', ['compose', ...args], runOptions);

  async function healthOf(id: string): Promise<string> {
    const format = '{{if .State.Health}}{{.State.Health.Status}}{{else}}{{.State.Status}}{{end}}';
    return (await run('docker', ['inspect', '--format', format, id], runOptions)).trim();
  }

  return {
    compose,
    shell: (commands, cwd) => run('bash', ['-euo', 'pipefail', '-c', commands], { ...runOptions, cwd }),
    async containers() {
      const lines = (await compose('ps', '--format', 'json')).trim().split('\n');
      return lines.map((line) => psLine.parse(JSON.parse(line)));
    },
    async killAndStart({ id, name }) {
      await run('docker', ['kill', id], runOptions);
      await run('docker', ['start', id], runOptions);
      const isHealthy = async () => ['healthy', 'running'].includes(await healthOf(id));
      const waiting = { limitMs: HEALTHY_MS, everyMs: 500, signal };
      const { ms } = await waitUntil(`${name} to be healthy again`, isHealthy, waiting);
      return ms;
    },
    async ask(api, path) {
      const program = `fetch('http://127.0.0.1:8080' + process.argv[1]).then((response) => response.text()).then((text) => console.log(text))`;
      // Compose's own numbers go up with every container that is replaced.
      const apis = (await this.containers()).filter(({ service }) => service === 'api');
      const id = apis[api - 1]?.id;
      if (id === undefined) throw new Error(`there are ${apis.length} APIs`);
      return JSON.parse(await run('docker', ['exec', id, 'node', '-e', program, path], runOptions));
    },
  };
}

/** Standard output of a program. Throws with the end of what it printed where its exit code is not 0. */
function run(program: string, args: readonly string[], options: ExecFileOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { ...options, encoding: 'utf8' }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const command = [program, ...args].join(' ').slice(0, 200);
      reject(new Error(`${command}: ${error.message.split('\n')[0]}\n${`${stdout}${stderr}`.slice(-3_000)}`));
    });
  });
}
