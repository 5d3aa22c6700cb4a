import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns the port: for 0, one that the system chooses. Throws the system error if it is not available. */
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
