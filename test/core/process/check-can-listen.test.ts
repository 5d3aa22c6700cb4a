import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { checkCanListen } from '../../../core/process/check-can-listen.js';

it('refuses a port in use and an address of another machine, and keeps no port itself', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  try {
    await expect(checkCanListen(port, '127.0.0.1')).rejects.toThrow('EADDRINUSE');
    await expect(checkCanListen(0, '192.0.2.1')).rejects.toThrow('EADDRNOTAVAIL');
  } finally {
    other.close();
  }
  await once(other, 'close');
  // Twice, as the first would be in the way of the second.
  for (let again = 0; again < 2; again++) await checkCanListen(port, '127.0.0.1');
});
