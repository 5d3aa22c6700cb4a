import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { didYouMean, editDistance, eitherOf, nearest } from '../../../src/http/nearest.js';

describe('the distance of two words', () => {
  it.each([
    ['', '', 0],
    ['quotes', 'quotes', 0],
    ['qoutes', 'quotes', 1],
    ['quote', 'quotes', 1],
    ['quotess', 'quotes', 1],
    ['quites', 'quotes', 1],
    ['kitten', 'sitting', 3],
    ['ab', 'ba', 1],
    ['abc', 'cab', 2],
    ['', 'abc', 3],
  ])('of %j and %j is %i', (one, other, distance) => {
    expect(editDistance(one, other, 9)).toBe(distance);
    expect(editDistance(other, one, 9)).toBe(distance);
  });

  it('is not computed where the lengths tell that it is too far', () => {
    expect(editDistance('a', 'a'.repeat(9), 3)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is never more than the longer length, nor less than the difference', () => {
    const word = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(word, word, (one, other) => {
        const distance = editDistance(one, other, 12);
        expect(distance).toBeLessThanOrEqual(Math.max(one.length, other.length));
        expect(distance).toBeGreaterThanOrEqual(Math.abs(one.length - other.length));
        expect(distance === 0).toBe(one === other);
      }),
    );
  });
});

describe('the nearest words', () => {
  const groups = ['week', 'month', 'quarter', 'year', 'range'];
  it.each([
    ['monthly', groups, ['month']],
    ['Weekly', groups, ['week']],
    ['quater', groups, ['quarter']],
    ['decade', groups, []],
    ['EU', ['EUR', 'USD', 'SEK'], ['EUR']],
    ['UDS', ['UZS', 'USD', 'USN'], ['USD']],
    ['USB', ['UZB', 'USD', 'USN'], ['USD', 'USN']],
    ['ZZZ', ['EUR', 'USD'], []],
    ['x', ['xy'], []],
    ['quote', ['base', 'quotes'], ['quotes']],
    ['aaa1', ['aaa2', 'aaa3', 'aaa4', 'aaa5'], ['aaa2', 'aaa3', 'aaa4']],
  ])('of %s among %j are %j', (given, words, found) => {
    expect(nearest(given, words)).toEqual(found);
  });

  it('are not looked for where a word is long', () => {
    expect(nearest('a'.repeat(25), ['a'.repeat(25)])).toEqual([]);
  });

  it('are asked about', () => {
    expect(didYouMean([])).toBe('');
    expect(didYouMean(['EUR'])).toBe(' (did you mean EUR?)');
    expect(eitherOf(['a', 'b', 'c'])).toBe('a, b or c');
  });
});
