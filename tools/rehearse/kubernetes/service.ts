import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pod } from './pod.js';

/** One address for the pods that are ready, as a Service is: each connection goes to one of them. */
export interface PodService {
  url: string;
  close(): void;
}

/** How long a node goes on sending connections to a pod that is ending, as nodes learn of it one after the other. */
const LAG_MS = 1_000;

/** `pods` gives those that there are now, each time it is called. */
export async function openPodService(pods: () => readonly Pod[]): Promise<PodService> {
  let ready: readonly Pod[] = [];
  let isOpen = true;
  void (async () => {
    while (isOpen) {
      const all = pods();
      const answers = await Promise.all(all.map((pod) => pod.isReady()));
      ready = all.filter((_, index) => answers[index]);
      await delay(LAG_MS);
    }
  })();
  let turn = 0;
  const server = createServer((client) => {
    const target = ready[turn++ % ready.length];
    if (!target) {
      client.destroy();
      return;
    }
    const pod = connect(target.address());
    client.pipe(pod).pipe(client);
    client.on('error', () => pod.destroy());
    pod.on('error', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      isOpen = false;
      server.close();
    },
  };
}
