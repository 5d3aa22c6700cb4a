import { expect, test } from 'vitest';
import { figuresUnder, headingRow, recordsUnder } from '../../../../worker/feeds/toolbox/headings.js';
import { answerOf } from './answer.js';

const answer = answerOf('');

test('records stand below the row of headings, wherever their columns stand', () => {
  const rows = [['Rates'], [' code ', 5, 'RATE'], ['USD', 'x', 1], [undefined, 'y']];
  expect(headingRow(rows, ['Rate', 'Code'], answer)).toBe(1);
  expect(recordsUnder(rows, ['Rate', 'Code'], answer)).toEqual([
    { Rate: 1, Code: 'USD' },
    { Rate: undefined, Code: undefined },
  ]);
  expect(() => recordsUnder(rows, ['Rate', 'Day'], answer, 'sheet')).toThrow(
    /no row of the sheet has the headings Rate, Day/,
  );
});

test.each([[['Rate', 'rate']], [['Code', 'Rate', 'RATE ']]])(
  '%j leave open which column is meant',
  (headings) => {
    const read = () => recordsUnder([headings, ['1', '2', '3']], ['Rate'], answer, 'CSV');
    expect(read).toThrow(/two columns of the CSV are headed Rate/);
  },
);

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
  const figures = figuresUnder(rows, isHeading).map(
    ({ first, heading, cell }) => `${first} ${heading} ${cell}`,
  );
  const [second, third] = ['2026-03-02', '2026-03-03'];
  expect(figures).toEqual([
    ...[`${second} USD 1`, `${second} EUR 2`, `${second}  3`, `${third} GBP undefined`, `${third}  4`],
  ]);
});

test('without a row of headings the first row with a text is quoted', () => {
  expect(() => figuresUnder([[' '], ['Notice', 7], ['x']], isHeading)).toThrow(
    'none of 3 rows is one of headings: redesigned ("Notice|7")',
  );
  expect(() => figuresUnder([], isHeading)).toThrow('none of 0 rows is one of headings: redesigned ("")');
});
