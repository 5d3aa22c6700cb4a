import { CFB } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { unzip } from '../../../../worker/feeds/toolbox/zip.js';

const MIB = 1024 * 1024;

function zipOf(files: Readonly<Record<string, Buffer>>): Buffer {
  const container = CFB.utils.cfb_new();
  for (const [name, content] of Object.entries(files)) CFB.utils.cfb_add(container, name, content);
  return CFB.write(container, { fileType: 'zip', type: 'buffer', compression: true });
}

test('the files of a zip count together', async () => {
  const half = Buffer.alloc(16 * MIB);
  const files = (third: Buffer) => zipOf({ 'a.xml': half, 'b.xml': half, 'c.xml': third });
  await expect(unzip(files(Buffer.from('one byte too many')), /\.xml$/)).rejects.toThrow(
    `c.xml in a zip: unpacks to more than ${32 * MIB} bytes with what stands before it`,
  );
  // What is not wanted is not unpacked.
  expect([...(await unzip(files(half), /[ab]\.xml$/)).keys()]).toEqual(['a.xml', 'b.xml']);
});
