import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { softwareVersion } from '../../../core/process/project-files.js';
import { CLOSED, entityTag, etagHeader, heldCoding, moving } from '../../../src/http/representation.js';

describe('entity tags', () => {
  const tag = entityTag(7n, 'base=EUR', 'json');

  it('is the same for the same reply and different for any other', () => {
    expect(entityTag(7n, 'base=EUR', 'json')).toBe(tag);
    expect(entityTag(8n, 'base=EUR', 'json')).not.toBe(tag);
    expect(entityTag(7n, 'base=EU', 'Rjson')).not.toBe(tag);
    // Another version of the software may write the same request in other bytes.
    const text = [softwareVersion, 7n, 'base=EUR', 'json'].join('\n');
    expect(tag).toBe(createHash('sha256').update(text).digest('base64url').slice(0, 22));
  });

  it('is strong, and differs by coding', () => {
    expect(etagHeader(tag)).toBe(`"${tag}"`);
    expect(etagHeader(tag, 'br')).toBe(`"${tag}-br"`);
  });

  it.each([
    [undefined, false],
    ['', false],
    ['*', true],
    [' * ', true],
    [`"${tag}"`, true],
    [`W/"${tag}"`, true],
    [`"other", "${tag}-gzip"`, true],
    [`"a,b","${tag}-br"`, true],
    [`"${tag}x"`, false],
    [tag, false],
  ])('If-None-Match %s: %s', (header, held) => {
    expect(heldCoding(header, tag) !== undefined).toBe(held);
  });
});

describe('cache-control', () => {
  it('is long for what is closed', () => {
    expect(CLOSED).toBe('public, max-age=86400, stale-while-revalidate=86400, stale-if-error=86400');
  });

  it.each([
    ['2026-03-18T12:00:00.000Z', 300],
    ['2026-03-18T23:55:00.000Z', 300],
    ['2026-03-18T23:58:20.500Z', 99],
    ['2026-03-18T23:59:59.999Z', 0],
    ['2026-03-19T00:00:00.000Z', 300],
  ])('at %s what moves is fresh for %i s', (instant, seconds) => {
    expect(moving(() => new Date(instant))).toBe(
      `public, max-age=${seconds}, stale-while-revalidate=60, stale-if-error=86400`,
    );
  });
});
