import { expect, test } from 'vitest';
import { htmlPage, tableCells } from '../../../../worker/feeds/toolbox/html.js';
import { answerOf } from './answer.js';

const cellsOf = (rows: string) => {
  const answer = answerOf(`<table>${rows}</table>`);
  return tableCells(htmlPage(answer), 'table', answer);
};

test('cells that span rows stand beside each other, and the next row goes on behind them', () => {
  const rows = '<tr><td rowspan="3">USD<td rowspan="2">US dollar<td>1<tr><td>2<tr><td>Dollar<td>3';
  expect(cellsOf(rows)).toEqual([
    ['USD', 'US dollar', '1'],
    ['USD', 'US dollar', '2'],
    ['USD', 'Dollar', '3'],
  ]);
});

test('a cell that spans rows in the middle or at the end leaves the others their columns', () => {
  const rows = '<tr><td>a<td rowspan="2" colspan="2">b<td rowspan="2">c<td>d<tr><td>e<td>f';
  expect(cellsOf(rows)).toEqual([
    ['a', 'b', 'b', 'c', 'd'],
    ['e', 'b', 'b', 'c', 'f'],
  ]);
});
