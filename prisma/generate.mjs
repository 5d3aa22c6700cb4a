// Generates the Prisma client where it is missing or older than the schema or the installed packages: most
// builds are spared the seconds that it takes.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs;

const generated = changedAt('core/database/generated/prisma/client.ts') ?? 0;
const sources = ['prisma/schema.prisma', 'node_modules/.package-lock.json'].map(
  (path) => changedAt(path) ?? 0,
);

if (generated < Math.max(...sources)) {
  const windows = process.platform === 'win32';
  const { status, stdout, stderr } = spawnSync('prisma', ['generate', '--no-hints'], { shell: windows });
  if (status !== 0) {
    process.stderr.write(`${stdout ?? ''}${stderr ?? ''}prisma generate failed\n`);
    process.exitCode = 1;
  }
}
