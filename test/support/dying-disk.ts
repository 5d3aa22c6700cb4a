import { rename } from 'node:fs/promises';
import { type Disk, disk } from '../../worker/publish/folder.js';

/** A disk that does nothing after a number of steps, as after a kill. The last write may be incomplete. */
export function dyingAfter(steps: number): Disk & { steps(): number } {
  let done = 0;
  const step =
    <T extends unknown[]>(work: (...args: T) => Promise<void>, half?: (...args: T) => Promise<void>) =>
    async (...args: T) => {
      if (done++ < steps) return work(...args);
      if (done === steps + 1) await half?.(...args);
      throw new Error('killed');
    };
  return {
    write: step(disk.write, (path, bytes) => disk.write(path, bytes.subarray(0, bytes.length / 2))),
    rename: step(rename),
    remove: step(disk.remove),
    steps: () => done,
  };
}
