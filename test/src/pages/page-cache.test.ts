import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Reply } from '../../../src/http/reply.js';
import { openPageCache } from '../../../src/pages/pages.js';

const reply = (body: string): Reply => ({
  validity: { cacheControl: 'public, no-cache' },
  content: { type: 'text/html', body: Buffer.from(body) },
});

it('gives what would be made now, whatever changes between requests, and makes nothing twice', () => {
  const request = fc.record({
    key: fc.constantFrom('/', '/status', '/status?q=x'),
    rates: fc.nat({ max: 2 }),
    minute: fc.nat({ max: 2 }),
  });
  fc.assert(
    fc.property(fc.array(request, { maxLength: 30 }), (requests) => {
      const cache = openPageCache();
      let last: string | undefined;
      for (const { key, rates, minute } of requests) {
        const madeFrom = [rates, minute];
        const made = JSON.stringify([key, madeFrom]);
        const found = cache(madeFrom).get(key);
        expect(found?.content?.body.toString() ?? made).toBe(made);
        if (made === last) expect(found).toBeDefined();
        if (!found) cache(madeFrom).set(key, reply(made));
        last = made;
      }
    }),
  );
});

it('keeps no more bytes than it may', () => {
  const pages = openPageCache()([1]);
  const megabyte = reply('x'.repeat(1024 * 1024));
  for (let number = 0; number < 10; number++) pages.set(`/${number}`, megabyte);
  expect(pages.get('/9')).toBe(megabyte);
  expect(pages.get('/0')).toBeUndefined();
});
