import { Readable } from 'node:stream';
import { createDeflate, deflateSync } from 'node:zlib';
import { type CellObject, CFB, read, utils, write } from '@e965/xlsx';

/** Cells by row; null is a blank cell. */
type Rows = readonly (readonly (string | number | null)[])[];

/** An XLSX workbook of these sheets, in which rows may be hidden, by their numbers from 1. */
export function makeXlsx(
  sheets: Readonly<Record<string, Rows>>,
  { hidden = [] }: { hidden?: readonly number[] } = {},
): Uint8Array {
  return workbook(sheets, 'xlsx', hidden);
}

/** An XLS workbook (Excel 97 to 2003) of these sheets. */
export function makeXls(sheets: Readonly<Record<string, Rows>>): Uint8Array {
  return workbook(sheets, 'biff8');
}

function workbook(
  sheets: Readonly<Record<string, Rows>>,
  bookType: 'xlsx' | 'biff8',
  hidden: readonly number[] = [],
): Uint8Array {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = utils.aoa_to_sheet(rows.map((row) => [...row]));
    sheet['!rows'] = rows.map((_, at) => ({ hidden: hidden.includes(at + 1) }));
    utils.book_append_sheet(book, sheet, name);
  }
  return write(book, { type: 'buffer', bookType, compression: bookType === 'xlsx' });
}

/** Whether a body is an XLSX or XLS workbook. */
export function isWorkbook(body: unknown): body is Uint8Array {
  return (
    body instanceof Uint8Array && ['504b0304', 'd0cf11e0'].includes(Buffer.from(body).toString('hex', 0, 4))
  );
}

/** The same workbook in the date system of 1904. Its whole numbers from 30,000 to 60,000 are days of 1982 to 2064. */
export function inSystemOf1904(workbook: Uint8Array): Uint8Array {
  const book = read(workbook, { type: 'buffer', cellStyles: true });
  const cells = Object.values(book.Sheets).flatMap((sheet): CellObject[] => Object.values(sheet));
  for (const cell of cells) {
    const { v } = cell;
    if (typeof v === 'number' && Number.isInteger(v) && v >= 30_000 && v < 60_000) cell.v = v - 1462;
  }
  book.Workbook = { ...book.Workbook, WBProps: { date1904: true } };
  const isZip = workbook[0] === 0x50;
  return write(book, { type: 'buffer', bookType: isZip ? 'xlsx' : 'biff8', compression: isZip });
}

/** Where the first worksheet of makeXlsx lies. */
export const SHEET = '/xl/worksheets/sheet1.xml';

/** A workbook with one of its parts replaced. */
export function tamper(part: string, content: string | Buffer): Buffer {
  const container = CFB.read(makeXlsx({ S: [['a', 1]] }), { type: 'buffer' });
  CFB.utils.cfb_del(container, part);
  CFB.utils.cfb_add(container, part, Buffer.from(content));
  return CFB.write(container, { fileType: 'zip', type: 'buffer', compression: true });
}

/** A worksheet of these rows, as XML. */
export const worksheet = (rows: string) =>
  `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`;

interface PdfPiece {
  x: number;
  y: number;
  text: string;
}

/** A PDF of one page per list, each text with its left end at x and y in points from the lower left corner. */
export function makePdf(...pages: readonly (readonly PdfPiece[])[]): Uint8Array {
  const first = 4;
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((texts, index) => {
      const shown = ({ x, y, text }: PdfPiece) =>
        `BT /F1 9 Tf 1 0 0 1 ${x} ${y} Tm (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`;
      const content = texts.map(shown).join('\n');
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + 2 * index + 1} 0 R >>`,
        `<< /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  let file = '%PDF-1.6\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

/** A PDF of some kilobytes whose page unpacks to half a gigabyte. */
export async function makePdfBomb(): Promise<Uint8Array> {
  const content = (await packedBlanks(512 * 1024 * 1024)).toString('latin1');
  const plain = Buffer.from(makePdf([{ x: 1, y: 1, text: 'x' }])).toString('latin1');
  const bomb = plain
    .replace(/<< \/Length \d+ >>/, `<< /Length ${content.length} /Filter [/FlateDecode /FlateDecode] >>`)
    .replace(/BT .* ET/, () => content);
  return Buffer.from(bomb, 'latin1');
}

/** A number of blanks, compressed twice. */
async function packedBlanks(bytes: number): Promise<Buffer> {
  const piece = Buffer.alloc(1024 * 1024, ' ');
  const pieces: Buffer[] = [];
  const blanks = Readable.from(Array.from({ length: bytes / piece.length }, () => piece));
  for await (const packed of blanks.pipe(createDeflate({ level: 1 }))) pieces.push(packed);
  return deflateSync(Buffer.concat(pieces));
}

/** A SOAP 1.1 answer with this XML in its Body. */
export function soapAnswer(body: string): string {
  return `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${body}</s:Body></s:Envelope>`;
}
