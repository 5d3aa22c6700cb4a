import { CFB } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { unzip } from '../../../../worker/feeds/toolbox/workbook.js';

const MIB = 1024 * 1024;

function zipOf(files: Readonly<Record<string, Buffer>>): Buffer {
  const container = CFB.utils.cfb_new();
  for (const [name, content] of Object.entries(files)) CFB.utils.cfb_add(container, name, content);
  return CFB.write(container, { fileType: 'zip', type: 'buffer', compression: true });
}

test('the files of a zip count together', async () => {
  const half = Buffer.alloc(16 * MIB);
  const files = (third: Buffer) => zipOf({ 'a.xml': half, 'b.xml': half, 'c.xml': third });
  const message = `the zip unpacks to more than ${32 * MIB} bytes`;
  await expect(unzip(files(Buffer.from('one byte too many')), /\.xml$/)).rejects.toThrow(message);
  // What is not wanted is not unpacked.
  expect([...(await unzip(files(half), /[ab]\.xml$/)).keys()]).toEqual(['a.xml', 'b.xml']);
});

test.each([
  [1_000, /^unexpected EOF$/],
  [1_001, /^a zip of 1001 entries$/],
])('a zip that says it has %i entries', async (count, message) => {
  const zip = zipOf({ 'a.xml': Buffer.from('rates') });
  zip.writeUInt16LE(count, zip.lastIndexOf('PK\x05\x06') + 10);
  await expect(unzip(zip, /\.xml$/)).rejects.toThrow(message);
});

const unlisted = (zip: Buffer) => zip.fill(0, zip.indexOf('PK\x01\x02'), zip.indexOf('PK\x01\x02') + 4);
test.each([
  ['its end', (zip: Buffer) => zip.subarray(0, -30), /not a zip file, or file is truncated/],
  ['its list of entries', unlisted, /^invalid central directory/],
  ['an entry', (zip: Buffer) => zip.fill(255, 40, 60), /^not enough bytes in the stream/],
])('a zip damaged at %s is refused', async (_, damage, message) => {
  const zip = zipOf({ 'a.xml': Buffer.from('rates '.repeat(100)) });
  await expect(unzip(damage(zip), /\.xml$/)).rejects.toThrow(message);
});
