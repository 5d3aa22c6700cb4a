import { once } from 'node:events';
import { createServer } from 'node:net';

/** Throws the system error (EADDRINUSE, EACCES, …) if the port is not available. */
export async function checkCanListen(port: number, host: string): Promise<void> {
  const probe = createServer();
  probe.listen(port, host);
  try {
    await once(probe, 'listening');
  } finally {
    probe.close();
  }
}
