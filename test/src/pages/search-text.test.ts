import { expect, test } from 'vitest';
import { searchText } from '../../../src/pages/shared/search-text.js';

test.each([
  [' Türkiye ', 'turkiye'],
  ['CÔTE D’IVOIRE', 'cote d’ivoire'],
  ['مُحدَّث', 'محدث'],
  ['瑞士', '瑞士'],
])('%s is looked for as %s', (text, expected) => {
  expect(searchText(text)).toBe(expected);
});
