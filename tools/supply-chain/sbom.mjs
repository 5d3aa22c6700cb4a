// sbom
//
// Writes dist/sbom.cdx.json: the packages that the service runs, as a software bill of materials in CycloneDX's form.
// npm makes it from what is installed; here the packages of development are left out, and it is checked.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const FILE = 'dist/sbom.cdx.json';

const { name } = readJson('package.json');
const made = runningOnly(makeWithNpm());
// npm names the project after its folder.
made.metadata.component.name = name;
const faults = faultsOf(made);
if (faults.length === 0) {
  mkdirSync('dist', { recursive: true });
  writeFileSync(FILE, `${JSON.stringify(made, undefined, 2)}\n`);
  process.stdout.write(`${FILE}: ${made.components.length} packages\n`);
} else {
  process.stderr.write(`the bill of materials is not valid:\n${faults.join('\n')}\n`);
  process.exitCode = 1;
}

/** Every component needs a purl and a licence, beyond what CycloneDX requires, and is listed once; so is what it depends on. */
function faultsOf({ bomFormat, specVersion, metadata, components, dependencies }) {
  const refs = [metadata.component, ...components].map((one) => one['bom-ref']);
  const unidentified = components.filter(
    ({ purl, licenses = [] }) => !purl?.startsWith('pkg:npm/') || licenses.length === 0,
  );
  const needed = new Set(dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]));
  return [
    ...(bomFormat === 'CycloneDX' && specVersion === '1.5' ? [] : [`${bomFormat} ${specVersion}`]),
    ...unidentified.map(({ name }) => `${name} has no purl or no licence`),
    ...refs.filter((ref, at) => refs.indexOf(ref) !== at).map((ref) => `${ref} is listed twice`),
    ...[...needed].filter((ref) => !refs.includes(ref)).map((ref) => `${ref} is depended on and not listed`),
  ];
}

/** Everything that is installed. With `--omit dev` npm leaves out what development packages use as well. */
function makeWithNpm() {
  const windows = process.platform === 'win32';
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, shell: windows },
  );
  if (status !== 0) {
    process.stderr.write(`${stderr ?? ''}npm sbom failed\n`);
    process.exit(1);
  }
  return JSON.parse(stdout);
}

/** Without the packages that the lock file marks as those of development. Throws where one that runs is not listed. */
function runningOnly(bill) {
  const running = new Set();
  const required = new Set();
  for (const [path, { version, dev, devOptional, optional, name = nameOf(path) }] of Object.entries(
    readJson('package-lock.json').packages,
  )) {
    if (path === '' || dev || devOptional) continue;
    running.add(`${name}@${version}`);
    if (!optional) required.add(`${name}@${version}`);
  }
  const components = bill.components.filter((one) => running.has(one['bom-ref']));
  const listed = new Set(components.map((one) => one['bom-ref']));
  const missing = [...required].filter((ref) => !listed.has(ref));
  if (missing.length > 0) throw new Error(`not installed, or not listed by npm: ${missing.join(', ')}`);
  const isKept = (ref) => listed.has(ref) || ref === bill.metadata.component['bom-ref'];
  const dependencies = bill.dependencies
    .filter(({ ref }) => isKept(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isKept) }));
  return { ...bill, components, dependencies };
}

/** `@scope/name` of `node_modules/other/node_modules/@scope/name`. */
function nameOf(path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
