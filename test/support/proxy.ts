import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

interface ProxyOptions {
  /** Ports of this machine that stand in for hosts, by `host:port`. The proxy knows no other host. */
  ports: Readonly<Record<string, number>>;
  /** `user:password`. Without it, the proxy asks for none. */
  login?: string;
  /** Of localhost. Without it, the proxy is reached by plain HTTP. */
  tls?: { key: string; cert: string };
}

export interface TestProxy {
  host: string;
  /** What has passed it or was refused, as `CONNECT bank.example:443 200`. */
  passed(): Promise<string[]>;
  stop(): Promise<void>;
}

/** A real proxy in a process of its own. */
export async function startProxy(options: ProxyOptions): Promise<TestProxy> {
  const program = fileURLToPath(new URL('proxy-program.mjs', import.meta.url));
  const child = fork(program, [JSON.stringify(options)], { execArgv: [] });
  const [port] = (await once(child, 'message')) as [number];
  return {
    host: `${options.tls ? 'localhost' : '127.0.0.1'}:${port}`,
    async passed() {
      const reply = once(child, 'message');
      child.send('passed');
      const [passed] = (await reply) as [string[]];
      return passed;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
