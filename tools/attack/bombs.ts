import { crc32, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

// Documents that take little on the way, and as much as they can to be read.

const MEBIBYTE = 1024 * 1024;

/** Thirty times as much as it takes on the way, and more than any limit. */
export const GZIP_BOMB = gzipSync(Buffer.alloc(64 * MEBIBYTE, ' '), { level: 9 });

/** A page whose only operators are a hundred million blanks, in 100 KB (ISO 32000-1, 7.5). */
function pdfBomb(): Buffer {
  const content = deflateSync(Buffer.alloc(100 * MEBIBYTE, ' '), { level: 9 });
  const objects = [
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from('<</Type/Pages/Kids[3 0 R]/Count 1>>'),
    Buffer.from('<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>'),
    Buffer.concat([
      Buffer.from(`<</Filter/FlateDecode/Length ${content.length}>>stream\n`),
      content,
      Buffer.from('\nendstream'),
    ]),
  ];
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets = objects.map((object, index) => {
    const offset = Buffer.concat(parts).length;
    parts.push(Buffer.from(`${index + 1} 0 obj`), object, Buffer.from('endobj\n'));
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = Buffer.concat(parts).length;
  const table = `xref\n0 5\n0000000000 65535 f \n${offsets.join('')}`;
  parts.push(Buffer.from(`${table}trailer<</Size 5/Root 1 0 R>>\nstartxref\n${start}\n%%EOF`));
  return Buffer.concat(parts);
}

export const PDF_BOMB = pdfBomb();

export const WIDE_PAGE = Buffer.from(
  `<html><body><table>${`<tr>${'<td colspan="1000" rowspan="1000">1</td>'.repeat(3)}</tr>`.repeat(2_000)}</table></body></html>`,
);

/** A file in a zip, and the size that the zip says it has, its own where absent. */
interface ZippedFile {
  name: string;
  content: Buffer;
  size?: number;
}

/** A zip as APPNOTE.TXT has it: its files, a directory of them, and where that is. */
function zipOf(files: readonly ZippedFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, size = content.length } of files) {
    const packed = deflateRawSync(content, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20); // The version that is needed.
    common.writeUInt16LE(8, 4); // Deflated.
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0'), common, rest, Buffer.from(name));
    parts.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, entries, Buffer.from('PK\x05\x06'), end]);
}

/** A workbook of one sheet. */
function workbookOf(sheet: Omit<ZippedFile, 'name'>): Buffer {
  const types = 'http://schemas.openxmlformats.org';
  const file = (name: string, text: string) => ({ name, content: Buffer.from(text) });
  const relation = (what: string, target: string) =>
    `<Relationships xmlns="${types}/package/2006/relationships"><Relationship Id="r1" Type="${types}/officeDocument/2006/relationships/${what}" Target="${target}"/></Relationships>`;
  return zipOf([
    file(
      '[Content_Types].xml',
      `<Types xmlns="${types}/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    ),
    file('_rels/.rels', relation('officeDocument', 'xl/workbook.xml')),
    file(
      'xl/workbook.xml',
      `<workbook xmlns="${types}/spreadsheetml/2006/main" xmlns:r="${types}/officeDocument/2006/relationships"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>`,
    ),
    file('xl/_rels/workbook.xml.rels', relation('worksheet', 'worksheets/sheet1.xml')),
    { name: 'xl/worksheets/sheet1.xml', ...sheet },
  ]);
}

/** A workbook whose sheet is a kilobyte, as it says, and unpacks to 256 MB. */
export const ZIP_BOMB = workbookOf({ content: Buffer.alloc(256 * MEBIBYTE, ' '), size: 1_024 });

const CELLS = Array.from({ length: 200_000 }, (_, row) => `<row><c r="XFD${row + 1}"><v>1</v></c></row>`);

/** A workbook of as many rows as one may have, each with a cell in the last column that there is. */
export const WIDE_WORKBOOK = workbookOf({
  content: Buffer.from(`<worksheet><sheetData>${CELLS.join('')}</sheetData></worksheet>`),
});

/** An entity of ten others, ten deep: ten billion characters (the "billion laughs"). */
export const XML_BOMB = Buffer.from(
  `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e0 "0123456789">${Array.from(
    { length: 9 },
    (_, depth) => `<!ENTITY e${depth + 1} "${`&e${depth};`.repeat(10)}">`,
  ).join('')}]><ValCurs>&e9;</ValCurs>`,
);

const ELEMENT = '<Valute a="1" b="2" c="3" d="4" e="5" f="6"><Rate/></Valute>';

/** As many elements as a document may have, in XML that is well-formed; compressed. */
export const WIDE_XML = gzipSync(`<ValCurs>${ELEMENT.repeat(130_000)}</ValCurs>`);
