import type { Attack } from '../attack.js';
import { clock } from './clock.js';
import { connections } from './connections.js';
import { descriptors } from './descriptors.js';
import { disk } from './disk.js';
import { fuzzing } from './fuzzing.js';
import { kills } from './kills.js';
import { logins } from './logins.js';
import { requests } from './requests.js';
import { sharedBodies } from './shared-bodies.js';
import { upstreams } from './upstreams.js';

/** All attacks, in the order they run: those that end processes come last. */
export const attacks: readonly Attack[] = [
  ...connections,
  ...requests,
  ...[sharedBodies, logins],
  ...upstreams,
  ...[fuzzing, descriptors, clock, disk],
  ...kills,
];
