import type { Config } from '../../../core/process/config.js';
import type { Reading } from '../../catalogue/reading.js';
import type { Source } from '../../pages/sources.js';
import type { Operators } from '../admin/operators.js';

export interface ConsoleDependencies extends Operators {
  config: Config;
  /** The states of all sources, as on the public pages. */
  readSources(): Promise<Source[]>;
  /** Whether workers read sources. */
  reading(): Reading;
  isDraining?: (() => boolean) | undefined;
}
