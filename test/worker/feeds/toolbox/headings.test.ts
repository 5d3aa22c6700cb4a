import { expect, test } from 'vitest';
import { figuresUnder, headingRow, recordsUnder } from '../../../../worker/feeds/toolbox/headings.js';
import { answerOf } from './answer.js';

const answer = answerOf('');

test('records stand below the row of headings, wherever their columns stand', () => {
  const rows = [['Rates'], [' code ', 5, 'RATE'], ['USD', 'x', 1], [undefined, 'y']];
  expect(headingRow(rows, ['Rate', 'Code'], answer)).toBe(1);
  const blank = { Rate: undefined, Code: undefined };
  expect(recordsUnder(rows, ['Rate', 'Code'], answer)).toEqual([{ Rate: 1, Code: 'USD' }, blank]);
  const absent = () => recordsUnder(rows, ['Rate', 'Day'], answer, 'sheet');
  expect(absent).toThrow(/no row of the sheet has the headings Rate, Day/);
});

test.each(['Rate rate', 'Code Rate RATE_'])('%s leave open which column is meant', (headings) => {
  const rows = [headings.split(' ').map((heading) => heading.replace('_', ' ')), ['1', '2', '3']];
  const message = /two columns of the CSV are headed Rate/;
  expect(() => recordsUnder(rows, ['Rate'], answer, 'CSV')).toThrow(message);
});

const isHeading = ([first]: readonly unknown[]) => first === 'Day';

test('figures stand below the heading of their column', () => {
  const rows = [
    ['above', 'x'],
    ['Day', ' USD ', '', 'EUR'],
    ['2026-03-02', 1, '', 2, 3],
    ['a note', undefined, ' '],
    ['Day', 'GBP'],
    ['2026-03-03', undefined, 4],
  ];
  const figures = figuresUnder(rows, isHeading);
  expect(figures.map(({ first, heading, cell }) => `${first} ${heading} ${cell}`)).toEqual([
    ...['2026-03-02 USD 1', '2026-03-02 EUR 2', '2026-03-02  3'],
    ...['2026-03-03 GBP undefined', '2026-03-03  4'],
  ]);
});

test('without a row of headings the first row with a text is quoted', () => {
  const message = 'none of 3 rows is one of headings: redesigned ("Notice|7")';
  expect(() => figuresUnder([[' '], ['Notice', 7], ['x']], isHeading)).toThrow(message);
  expect(() => figuresUnder([], isHeading)).toThrow('none of 0 rows is one of headings: redesigned ("")');
});
