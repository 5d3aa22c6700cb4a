import { CFB } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { dateIn, readWorkbook } from '../../../../worker/feeds/toolbox/workbook.js';
import { inSystemOf1904, makeXls, makeXlsx, SHEET, tamper, worksheet } from '../support-files.js';
import { answerOf } from './answer.js';

const read = (bytes: Uint8Array, options = {}) => readWorkbook(answerOf(bytes), options);
/** The rows of a sheet of this XML. */
const rowsOf = async (xml: string) => (await read(tamper(SHEET, worksheet(xml))))[0]?.rows ?? [];

const sheets = {
  ' Rates ': [['Date', 'USD'], [46160, 0.33750000000000002], [], [null, 'n.a.']],
  More: [[1]],
};
test.each([
  ['XLSX', makeXlsx(sheets)],
  ['XLS', makeXls(sheets)],
])('an %s as rows of texts and numbers', async (_, bytes) => {
  const rates = [['Date', 'USD'], [46160, 0.3375], [], [undefined, 'n.a.']];
  const more = { name: 'More', rows: [[1]], dateSystem: 1900 };
  expect(await read(bytes)).toEqual([{ name: ' Rates ', rows: rates, dateSystem: 1900 }, more]);
  const [sheet] = await read(inSystemOf1904(bytes));
  expect(sheet?.rows[1]).toEqual([44698, 0.3375]);
  expect(dateIn(sheet?.rows[1]?.[0], sheet?.dateSystem ?? 1900)).toBe('2026-05-18');
});

test('hidden rows are blank where they are not wanted', async () => {
  const hiding = makeXlsx({ S: [[1], [2], [3]] }, { hidden: [2] });
  expect((await read(hiding))[0]?.rows).toEqual([[1], [2], [3]]);
  expect((await read(hiding, { withoutHidden: true }))[0]?.rows).toEqual([[1], [], [3]]);
});

test('errors and truth values are no cells', async () => {
  const cells = '<c r="A1" t="e"><v>#N/A</v></c><c r="B1" t="b"><v>1</v></c><c r="C1"><v>5</v></c>';
  expect(await rowsOf(`<row r="1">${cells}</row>`)).toEqual([[undefined, undefined, 5]]);
});

const zip = CFB.write(CFB.utils.cfb_new(), { fileType: 'zip', type: 'buffer' });
const widestRow = (row: number) => `<row r="${row}"><c r="XFD${row}"><v>1</v></c></row>`;
const widest = Array.from({ length: 300 }, (_, at) => widestRow(at + 1));
const [half, halfXls] = [makeXlsx(sheets).subarray(0, 2000), makeXls(sheets).subarray(0, 700)];
const endless = Buffer.concat([makeXls(sheets).subarray(0, 512), Buffer.alloc(9 * 1024 * 1024)]);
test.each([
  ['a page', Buffer.from('<!DOCTYPE html><html>blocked'), /no workbook: blocked or moved.*blocked/],
  ['nothing', Buffer.alloc(0), /no workbook/],
  ['half a zip', half, /can't be read: .*truncated/],
  ['half an XLS', halfXls, /can't be read/],
  ['a zip of something else', zip, /no xl\/workbook\.xml/],
  ['a zip bomb', tamper(SHEET, Buffer.alloc(40 * 1024 * 1024, ' ')), /unpacks to more than/],
  ['entities', tamper(SHEET, `<!DOCTYPE l [<!ENTITY a "ha">]>${worksheet('')}`), /document type/],
  ['rows of the widest cells', tamper(SHEET, worksheet(widest.join(''))), /3000000 cells/],
  ['an XLS without end', endless, /an XLS of/],
])('%s is refused', async (_, bytes, message) => {
  await expect(read(bytes)).rejects.toThrow(message);
});

test('a zip that lies about its sizes is refused', async () => {
  const bomb = tamper(SHEET, Buffer.alloc(2 * 1024 * 1024, ' '));
  // In the central directory the size stands 20 bytes before the name's length field's end: set every one to 9.
  for (let at = bomb.indexOf('PK\x01\x02'); at >= 0; at = bomb.indexOf('PK\x01\x02', at + 4))
    bomb.writeUInt32LE(9, at + 24);
  await expect(read(bomb)).rejects.toThrow(/can't be read: .*(too many bytes|more bytes)/);
});

test('names in a workbook that would reach a prototype stay plain', async () => {
  const hostile = makeXlsx({ __proto__x: [['__proto__', 'constructor']], constructor: [[1]] });
  expect((await read(hostile)).map((sheet) => sheet.name)).toEqual(['__proto__x', 'constructor']);
  expect({}).not.toHaveProperty('x');
});

test('a cell at the far end of a sheet costs no more than the rows allowed', async () => {
  const cell = (row: number) => `<row r="${row}"><c r="A${row}"><v>1</v></c></row>`;
  const rows = await rowsOf(cell(1) + cell(1_048_576));
  expect(rows[0]).toEqual([1]);
  expect(rows.length).toBeLessThanOrEqual(200_000);
});
