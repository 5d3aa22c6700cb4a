// times [PATH…]
//
// Runs the tests, or those whose paths are given, as they may have to run anywhere: in another order each time, in five
// time zones, on the last day of February in a leap year, and over midnight into another year. The two times are made by
// libfaketime (Debian's package of that name); the servers keep the real one. Prints what ran, and ends with 1 if any failed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { arch } from 'node:os';
import process from 'node:process';

const ZONES = ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/St_Johns', 'Asia/Kathmandu'];
const TIMES = ['2028-02-29T12:00:00Z', '2026-12-31T23:59:40Z'];

const machine = arch() === 'arm64' ? 'aarch64' : 'x86_64';
const library = `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`;

function run(name, variables) {
  const seed = Math.floor(Math.random() * 1e6);
  const given = ['vitest', 'run', '--sequence.shuffle', `--sequence.seed=${seed}`, ...process.argv.slice(2)];
  const { status } = spawnSync('npx', given, { stdio: 'inherit', env: { ...process.env, ...variables } });
  return `${status === 0 ? 'passed' : 'FAILED'}  ${name}, seed ${seed}`;
}

const results = ZONES.map((zone) => run(zone, { TZ: zone }));
if (existsSync(library)) {
  for (const time of TIMES) {
    results.push(
      run(time, {
        LD_PRELOAD: library,
        FAKETIME: `${Math.round((Date.parse(time) - Date.now()) / 1000)}s`.replace(/^(?!-)/, '+'),
        // Keeps timers real.
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      }),
    );
  }
} else {
  results.push(...TIMES.map((time) => `skipped ${time}: libfaketime is not installed`));
}
process.stdout.write(`\n${results.join('\n')}\n`);
process.exitCode = results.some((line) => line.startsWith('FAILED')) ? 1 : 0;
