import { BLEND_METHOD } from '../../../core/domain/blend/method.js';
import { softwareVersion } from '../../../core/process/project-files.js';
import type { HeaderList } from '../../http/header-list.js';
import { entityTag } from '../../http/representation.js';

/** Says by which method rates are blended. */
export const METHOD_HEADERS: HeaderList = ['x-blend-method', String(BLEND_METHOD)];

/**
 * The entity tag of an answer that is made of rates, from what else its body depends on: another method, or another
 * version of the software, can make another body of the same rates.
 */
export function ratesTag(...parts: (string | number)[]): string {
  return entityTag(softwareVersion, BLEND_METHOD, ...parts);
}
