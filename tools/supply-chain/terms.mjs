// terms [--check]
//
// Makes docs/terms.md, the terms of the rates' publishers, from data/providers.json. With --check it fails where the
// file is not up to date.
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'docs/terms.md';

const providers = JSON.parse(readFileSync('data/providers.json', 'utf8')).sort((one, other) =>
  one.key < other.key ? -1 : 1,
);
const withTerms = providers.filter(({ terms_url }) => terms_url !== null);
const restricted = providers.filter(({ terms_restrict }) => terms_restrict);
const page = `# Terms of the sources

The rates belong to their publishers. Whoever serves or uses them has to keep to the publishers' terms, which may ask
that the source is named, or restrict commercial use. This page is made from
[data/providers.json](../data/providers.json) by \`npm run tool -- terms\`; \`GET /v2/providers\` has the same links.

Of ${providers.length} sources, ${withTerms.length} publish terms at an address that is known. Where there is none, look at the source itself, or
ask its publisher.

## Terms that are known to restrict

| key | publisher | restricted | terms |
| --- | --- | --- | --- |
${restricted.map(restrictedRow).join('\n')}

Of the others it is not known here what their terms restrict. \`terms_restrict\` of \`GET /v2/providers\` has the same.
\`PROVIDERS_EXCEPT\` leaves sources out altogether: [operations.md](operations.md#leaving-sources-out).

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
