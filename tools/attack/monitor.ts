import { startBaseline } from '../bench/support/api.js';
import type { Sending } from '../bench/support/baseline.js';
import { startProgram } from '../programs/programs.js';
import type { Lap, Watch } from './monitor-process.js';

/** The other client, who goes on as usual while the service is attacked. */
export interface Monitor {
  watch(what: Omit<Watch, 'type' | 'bareUrl'>): Promise<void>;
  /** What it saw since the last lap. */
  lap(): Promise<Lap>;
  stop(): Promise<void>;
}

const BARE_BODY = Buffer.alloc(10_000, ' ');

/** Starts it, and a bare server to compare the API with: how busy the machine is by itself must not count. */
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
