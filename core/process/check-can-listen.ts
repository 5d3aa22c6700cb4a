import { once } from 'node:events';
import { createServer } from 'node:net';

/** Throws the system error if a port is not available. Returns it: for 0, one that the system chooses. */
export async function checkCanListen(port: number, host: string): Promise<number> {
  const probe = createServer();
  probe.listen(port, host);
  try {
    await once(probe, 'listening');
    const address = probe.address();
    return typeof address === 'object' ? (address?.port ?? port) : port;
  } finally {
    probe.close();
  }
}
