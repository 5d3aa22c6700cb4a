import { startChild } from '../bench/support/children.js';
import type { Lap, Watch } from './monitor-process.js';

/** The other client, who goes on as usual while the service is attacked. */
export interface Monitor {
  watch(what: Omit<Watch, 'type'>): Promise<void>;
  /** What it saw since the last lap. */
  lap(): Promise<Lap>;
  stop(): Promise<void>;
}

export async function startMonitor(): Promise<Monitor> {
  const child = startChild(new URL('./monitor-process.js', import.meta.url));
  await child.request(undefined, 'started');
  return {
    async watch(what) {
      await child.request({ type: 'watch', ...what }, 'watching');
    },
    lap: () => child.request<Lap>({ type: 'lap' }, 'lapped'),
    stop: () => child.stop(),
  };
}
