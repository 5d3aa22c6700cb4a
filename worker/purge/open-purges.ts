import { Agent } from 'undici';
import type { Config } from '../../core/process/config.js';
import { keepPurging, type PurgeDeps } from './keep-purging.js';
import { createSendPurge } from './send-purge.js';

/** Tells the CDN that is configured, if any, what changes, until it is closed. */
export function openPurges({
  config: { CDN_PURGE_URL: url, CDN_PURGE_HEADER: header },
  ...deps
}: Omit<PurgeDeps, 'send'> & { config: Config }): { close(): Promise<void> } {
  if (url === undefined) return { close: async () => undefined };
  const agent = new Agent();
  const purging = keepPurging({ ...deps, send: createSendPurge(url, header, agent) });
  return {
    async close() {
      await purging.close();
      await agent.close();
    },
  };
}
