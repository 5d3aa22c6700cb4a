import type { Attack } from '../attack.js';
import { addresses } from './addresses.js';
import { bodies } from './bodies.js';
import { clock } from './clock.js';
import { connections } from './connections.js';
import { costs } from './costs.js';
import { descriptors } from './descriptors.js';
import { disk } from './disk.js';
import { feeds } from './feeds.js';
import { fuzzing } from './fuzzing.js';
import { kills } from './kills.js';
import { logins } from './logins.js';
import { reading } from './reading.js';
import { relays } from './relays.js';
import { sharedBodies } from './shared-bodies.js';
import { watchdog } from './watchdog.js';

/** All attacks, in the order they run: those that end processes come last. */
export const attacks: readonly Attack[] = [
  ...reading,
  ...connections,
  ...bodies,
  ...costs,
  ...sharedBodies,
  ...logins,
  ...addresses,
  ...relays,
  ...feeds,
  ...fuzzing,
  ...watchdog,
  ...descriptors,
  ...clock,
  ...disk,
  ...kills,
];
