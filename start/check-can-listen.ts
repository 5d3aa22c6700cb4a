import { once } from 'node:events';
import { createServer } from 'node:net';

/** Throws the error of listening (EADDRINUSE, EACCES, …) where nothing could listen there now. */
export async function checkCanListen(port: number, host: string): Promise<void> {
  const probe = createServer();
  probe.listen(port, host);
  try {
    await once(probe, 'listening');
  } finally {
    probe.close();
  }
}
