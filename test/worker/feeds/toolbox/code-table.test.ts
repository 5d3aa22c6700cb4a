import { expect, test } from 'vitest';
import { codeTable } from '../../../../worker/feeds/toolbox/code-table.js';

test('codes by name, in their order, whatever the white space', () => {
  const table = codeTable(`
    USD US Dollar, EUR Euro,
    JPY 2225`);
  expect([...table].join('; ')).toBe('US Dollar,USD; Euro,EUR; 2225,JPY');
});

test.each(['USD', 'USD US Dollar,', 'us dollar'])('%j is no table', (text) => {
  expect(() => codeTable(text)).toThrow(/no code and name/);
});
