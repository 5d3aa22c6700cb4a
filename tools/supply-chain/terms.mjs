// terms [--check]
//
// Makes docs/data/terms.md, the terms of the rates' publishers, from data/providers.json. With --check it fails if the
// file is not up to date.
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'docs/data/terms.md';

const providers = JSON.parse(readFileSync('data/providers.json', 'utf8')).sort((one, other) =>
  one.key < other.key ? -1 : 1,
);
const withTerms = providers.filter(({ terms_url }) => terms_url !== null);
const restricted = providers.filter(({ terms_restrict }) => terms_restrict);
const page = `# Terms of the sources

The rates belong to their publishers. If you serve or use them, keep to the publishers' terms, which may require you to
name the source, or restrict commercial use. \`npm run tool -- terms\` makes this page from
[data/providers.json](../../data/providers.json); \`GET /v2/providers\` has the same links.

Of ${providers.length} sources, ${withTerms.length} publish terms at a known address. For the others, look at the source itself, or ask its
publisher.

## Terms with known restrictions

| key | publisher | restricted | terms |
| --- | --- | --- | --- |
${restricted.map(restrictedRow).join('\n')}

It is not known what the other terms restrict. \`terms_restrict\` of \`GET /v2/providers\` has the same information.
\`PROVIDERS_EXCEPT\` leaves sources out altogether: [operations.md](../operations.md#leaving-sources-out).

## All sources

| key | publisher | terms | source |
| --- | --- | --- | --- |
${providers.map(row).join('\n')}
`;

if (!process.argv.includes('--check')) writeFileSync(FILE, page);
else if (readFileSync(FILE, 'utf8') !== page) {
  process.stderr.write(`${FILE} is not up to date: run npm run tool -- terms\n`);
  process.exitCode = 1;
}

function row({ key, name, terms_url, data_url }) {
  return `| ${key} | ${cell(name)} | ${link(terms_url)} | ${link(data_url)} |`;
}

function restrictedRow({ key, name, terms_restrict, terms_url }) {
  return `| ${key} | ${cell(name)} | ${cell(terms_restrict)} | ${link(terms_url)} |`;
}

function cell(text) {
  return text.replaceAll('|', '\\|');
}

function link(url) {
  return url === null ? '' : `<${url}>`;
}
