import { describe, expect, it } from 'vitest';
import { BLEND_METHOD } from '../../../../core/domain/blend/method.js';
import { softwareVersion } from '../../../../core/process/project-files.js';
import { entityTag } from '../../../../src/http/representation.js';
import { METHOD_HEADERS, ratesTag } from '../../../../src/rates/routes/method.js';

describe('the method', () => {
  it('is named by its number', () => {
    expect(METHOD_HEADERS).toEqual(['x-blend-method', String(BLEND_METHOD)]);
  });

  it('is a part of the entity tag, beside the version of the software', () => {
    expect(ratesTag('a', 1)).toBe(entityTag(softwareVersion, BLEND_METHOD, 'a', 1));
    expect(ratesTag('a', 1)).not.toBe(entityTag(softwareVersion, BLEND_METHOD + 1, 'a', 1));
  });
});
