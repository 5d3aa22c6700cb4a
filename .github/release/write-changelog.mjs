// Makes a release of what is under "Unreleased" in CHANGELOG.md: `node write-changelog.mjs VERSION DATE` in the project's
// folder. Writes CHANGELOG.md, and the section of the release to release-notes.md.
import { readFileSync, writeFileSync } from 'node:fs';

const [version = '', date = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version) || !/^\d{4}-\d\d-\d\d$/.test(date)) {
  throw new Error('usage: node write-changelog.mjs VERSION DATE');
}
const text = readFileSync('CHANGELOG.md', 'utf8');
const [, before = '', notes = '', after = ''] = /^(.*?^## Unreleased\n)(.*?)(^## \d.*)$/ms.exec(text) ?? [];
if (notes.trim() === '') throw new Error('CHANGELOG.md has nothing under "Unreleased"');
if (text.includes(`\n## ${version}`)) throw new Error(`CHANGELOG.md has ${version} already`);
writeFileSync('CHANGELOG.md', `${before}\n## ${version} - ${date}\n${notes}${after}`);
writeFileSync('release-notes.md', `${notes.trim()}\n`);
