import type { Attack } from '../attack.js';
import { connections } from './connections.js';
import { descriptors } from './descriptors.js';
import { disk } from './disk.js';
import { fuzzing } from './fuzzing.js';
import { requests } from './requests.js';

/** All attacks, in the order in which they run. */
export const attacks: readonly Attack[] = [...connections, ...requests, ...[fuzzing, descriptors, disk]];
