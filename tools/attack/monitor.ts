import type { Sending } from '../bench/support/baseline.js';
import { startChild } from '../bench/support/children.js';
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
  const bare = startChild(new URL('../bench/support/baseline.js', import.meta.url));
  const child = startChild(new URL('./monitor-process.js', import.meta.url));
  const [{ url: bareUrl }] = await Promise.all([
    bare.request<{ url: string }>(undefined, 'listening'),
    child.request(undefined, 'started'),
  ]);
  const sent = { status: 200, contentType: 'application/json', bodies: [BARE_BODY], streamed: false };
  await bare.request({ type: 'send', ...sent } satisfies Sending, 'sending');
  return {
    async watch(what) {
      await child.request({ type: 'watch', bareUrl, ...what } satisfies Watch, 'watching');
    },
    lap: () => child.request<Lap>({ type: 'lap' }, 'lapped'),
    async stop() {
      await Promise.all([child.stop(), bare.stop()]);
    },
  };
}
