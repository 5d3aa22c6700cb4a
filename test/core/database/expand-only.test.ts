import { expect, it } from 'vitest';
import { readMigrations } from '../../../core/database/migrations.js';

/** Programs from before it end at any migration that they don't know. */
const COMPATIBILITY = '20261123060000_compatibility';

const migrations = await readMigrations();
const LATER = migrations.filter(({ name }) => name > COMPATIBILITY);

const TYPE = String.raw`(?:(?!\bnot null\b|\bdefault\b|\bunique\b|\bprimary\b|\breferences\b|\bcheck\b)[^,])+?`;
const COLUMN = String.raw`add column "\w+" ${TYPE}(?: not null)?(?: default (?:'[^']*'|[\w.]+))?`;

/** What older programs don't notice: something more that they need not fill, on tables that they know. */
const EXPANDING = [
  /^create table "\w+" \(.*\)$/,
  /^create type "\w+" as enum \(.*\)$/,
  /^create index "\w+" on "\w+" ?(?:using \w+ )?\(.*\)$/,
  new RegExp(`^alter table "\\w+" ${COLUMN}(?:, ${COLUMN})*$`),
];
/** On tables that the same migration makes, anything. */
const OF_A_TABLE = /^(?:insert into|update|create unique index "\w+" on|alter table) "(\w+)"/;
const DECLARES = /^update "schema_compatibility" set "oldest_(?:reader|writer)" = '\w+'/;
const DECLARED = /"oldest_(?:reader|writer)" = '(\w+)'/g;
const MUST_HAVE_DEFAULT = /add column [^,]*not null(?! default)/;

function statementsOf(text: string): string[] {
  return text
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter((statement) => statement !== '');
}

/** The statements that take something away from older programs; none where the migration says how old they may be. */
function undeclared(text: string): string[] {
  const statements = statementsOf(text);
  if (statements.some((statement) => DECLARES.test(statement))) return [];
  const made = new Set(statements.map((statement) => /^create table "(\w+)"/.exec(statement)?.[1]));
  return statements.filter((statement) => {
    const table = OF_A_TABLE.exec(statement)?.[1];
    if (table !== undefined && made.has(table)) return false;
    return MUST_HAVE_DEFAULT.test(statement) || !EXPANDING.some((form) => form.test(statement));
  });
}

it.each(LATER)('$name takes nothing from older programs, or says how old they may be', ({ name, sql }) => {
  expect(undeclared(sql)).toEqual([]);
  const declarations = statementsOf(sql).filter((statement) => DECLARES.test(statement));
  for (const [, oldest] of declarations.join().matchAll(DECLARED)) {
    expect(migrations.filter((other) => other.name <= name).map((other) => other.name)).toContain(oldest);
  }
});
