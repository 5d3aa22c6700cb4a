import { startBaseline } from '../bench/support/api.js';
import type { Sending } from '../bench/support/baseline.js';
import { startProgram } from '../programs/programs.js';
import type { Lap, Watch } from './monitor-process.js';

/** A second client, whose normal requests are measured during an attack. */
export interface Monitor {
  watch(what: Omit<Watch, 'type' | 'bareUrl'>): Promise<void>;
  /** What it has measured since the last lap. */
  lap(): Promise<Lap>;
  stop(): Promise<void>;
}

const BARE_BODY = Buffer.alloc(10_000, ' ');

/** Starts the client and a bare server, to which the API is compared so that other load on the machine does not count. */
export async function startMonitor(): Promise<Monitor> {
  const child = startProgram('monitor', 'tools/attack/monitor-process.js');
  const [bare] = await Promise.all([startBaseline('http'), child.request(undefined, 'started')]);
  const sent = { status: 200, contentType: 'application/json', bodies: [BARE_BODY], streamed: false };
  await bare.request({ type: 'send', ...sent } satisfies Sending, 'sending');
  return {
    async watch(what) {
      await child.request({ type: 'watch', bareUrl: bare.url, ...what } satisfies Watch, 'watching');
    },
    lap: () => child.request<Lap>({ type: 'lap' }, 'lapped'),
    async stop() {
      await Promise.all([child.stop(), bare.stop()]);
    },
  };
}
