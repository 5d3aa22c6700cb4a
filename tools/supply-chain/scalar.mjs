// scalar VERSION
//
// Replaces the browser bundle of @scalar/api-reference in data/ by another version of it. Only this one file of the package
// is used, so that its 270 packages need not be installed.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const [version] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version ?? '')) throw new Error('expected a VERSION, such as 1.2.3');
const facts = JSON.parse(readFileSync('data/scalar-api-reference.json', 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'almanac-scalar-'));
try {
  // npm checks the package against the registry's integrity hash.
  const packed = execFileSync('npm', ['pack', '--silent', `${facts.name}@${version}`], {
    cwd: folder,
    encoding: 'utf8',
  });
  execFileSync('tar', ['-xzf', packed.trim()], { cwd: folder });
  const bundle = readFileSync(join(folder, 'package', facts.file));
  const sha256 = createHash('sha256').update(bundle).digest('hex');
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bundle.length,
  };
  writeFileSync('data/scalar-api-reference.js.br', brotliCompressSync(bundle, { params }));
  writeFileSync(
    'data/scalar-api-reference.json',
    `${JSON.stringify({ ...facts, version, sha256 }, undefined, 2)}\n`,
  );
  process.stdout.write(`${facts.name} ${version}: ${bundle.length} bytes\n`);
} finally {
  rmSync(folder, { recursive: true });
}
