import { join } from 'node:path';
import { projectFolder } from '../../core/process/project-files.js';

/** The option of tools that names a folder of recorded responses of feeds. */
export const RECORDINGS_OPTION = {
  type: 'string',
  default: join(projectFolder, '..', 'shared', 'feeds'),
} as const;
