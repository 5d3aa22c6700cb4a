import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import * as z from 'zod';
import { projectFolder } from '../../core/process/project-files.js';

const field = z.object({
  name: z.string(),
  dbName: z.string().optional(),
  kind: z.enum(['scalar', 'enum', 'object']),
  type: z.string(),
  nativeType: z.tuple([z.string(), z.array(z.string())]).nullable(),
  isRequired: z.boolean(),
  isList: z.boolean(),
  default: z.unknown().optional(),
  relationFromFields: z.array(z.string()).optional(),
  relationToFields: z.array(z.string()).optional(),
  // Not used so far, and so not listed below.
  relationOnDelete: z.undefined().optional(),
  relationOnUpdate: z.undefined().optional(),
});
const model = z.object({ name: z.string(), dbName: z.string().nullable(), fields: z.array(field) });
const index = z.object({
  model: z.string(),
  type: z.enum(['id', 'normal', 'unique']),
  dbName: z.string().optional(),
  fields: z.array(z.object({ name: z.string(), sortOrder: z.enum(['asc', 'desc']).optional() })),
});
const datamodel = z.object({
  enums: z.array(
    model.pick({ name: true, dbName: true }).extend({ values: z.array(z.object({ name: z.string() })) }),
  ),
  models: z.array(model),
  indexes: z.array(index),
});

type Datamodel = z.infer<typeof datamodel>;
type Field = z.infer<typeof field>;

/** What Prisma reads from prisma/schema.prisma, in the words of PostgreSQL's catalogue: one line a thing, sorted. */
export async function schemaLines(): Promise<string[]> {
  const read = await readDatamodel();
  return [
    ...read.enums.map(
      ({ name, dbName, values }) =>
        `enum ${dbName ?? name} (${values.map((value) => value.name).join(', ')})`,
    ),
    ...read.models.flatMap((table) => modelLines(table, read)),
  ].sort();
}

/** The same of a database; Prisma's own table of migrations left out. */
export async function databaseLines(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(`
    with tables as (
      select oid, relname from pg_class
      where relnamespace = current_schema::regnamespace and relkind in ('r', 'p') and relname <> '_prisma_migrations'
    )
    select format('column %s.%s %s%s%s', t.relname, a.attname, format_type(a.atttypid, a.atttypmod),
        case when a.attnotnull then ' not null' else '' end, ' default ' || pg_get_expr(d.adbin, d.adrelid)) as line
      from tables t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
    union all
    select format('constraint %s.%s %s', t.relname, c.conname, pg_get_constraintdef(c.oid))
      from tables t join pg_constraint c on c.conrelid = t.oid and c.contype <> 'n'
    union all
    select replace(pg_get_indexdef(i.indexrelid), current_schema || '.', '')
      from tables t join pg_index i on i.indrelid = t.oid
      where not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.conrelid = t.oid)
    union all
    select format('enum %s (%s)', t.typname, string_agg(e.enumlabel, ', ' order by e.enumsortorder))
      from pg_type t join pg_enum e on e.enumtypid = t.oid group by t.oid, t.typname`);
  return rows.map(({ line }) => line).sort();
}

async function readDatamodel(): Promise<Datamodel> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-schema-'));
  try {
    const output = join(folder, 'datamodel.json');
    const text = await readFile(join(projectFolder, 'prisma', 'schema.prisma'), 'utf8');
    const program = join(projectFolder, 'test', 'support', 'dmmf-generator.mjs');
    const generator = `generator datamodel {
      provider = ${JSON.stringify(`node ${program}`)}
      output = ${JSON.stringify(output)}
    }\n`;
    const schema = join(folder, 'schema.prisma');
    await writeFile(schema, generator + text.replace(/^generator client \{.*?^\}/ms, ''));
    const prisma = join(projectFolder, 'node_modules', 'prisma', 'build', 'index.js');
    await promisify(execFile)(process.execPath, [prisma, 'generate', '--no-hints', '--schema', schema], {
      cwd: projectFolder,
    });
    return datamodel.parse(JSON.parse(await readFile(output, 'utf8')));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function modelLines(table: z.infer<typeof model>, all: Datamodel): string[] {
  const name = table.dbName ?? table.name;
  const column = (wanted: string) => columnNamed(wanted, table);
  const lines = table.fields.flatMap((one) => {
    if (one.kind === 'object') return [];
    return `column ${name}.${columnName(one)} ${columnType(one, all)}${columnDefault(one, name, all)}`;
  });
  for (const { type, fields, dbName } of all.indexes.filter((one) => one.model === table.name)) {
    const columns = fields.map((one) => column(one.name));
    const sorted = fields.map((one) => column(one.name) + (one.sortOrder === 'desc' ? ' DESC' : ''));
    if (type === 'id')
      lines.push(`constraint ${name}.${dbName ?? `${name}_pkey`} PRIMARY KEY (${columns.join(', ')})`);
    else {
      const [kind, ending] = type === 'unique' ? ['UNIQUE INDEX', 'key'] : ['INDEX', 'idx'];
      const indexName = dbName ?? `${name}_${columns.join('_')}_${ending}`;
      lines.push(`CREATE ${kind} ${indexName} ON ${name} USING btree (${sorted.join(', ')})`);
    }
  }
  for (const relation of table.fields.filter((one) => one.relationFromFields?.length)) {
    const from = (relation.relationFromFields ?? []).map(column);
    const target = all.models.find((one) => one.name === relation.type);
    const to = (relation.relationToFields ?? []).map((wanted) => columnNamed(wanted, target));
    lines.push(
      `constraint ${name}.${name}_${from.join('_')}_fkey FOREIGN KEY (${from.join(', ')}) ` +
        `REFERENCES ${target?.dbName ?? relation.type}(${to.join(', ')}) ` +
        `ON UPDATE CASCADE ON DELETE ${relation.isRequired ? 'RESTRICT' : 'SET NULL'}`,
    );
  }
  return lines;
}

const columnName = ({ name, dbName }: Field): string => dbName ?? name;

function columnNamed(wanted: string, table: z.infer<typeof model> | undefined): string {
  const found = table?.fields.find((one) => one.name === wanted);
  if (!found) throw new Error(`no field ${wanted} in the schema`);
  return columnName(found);
}

const TYPES: Readonly<Record<string, string>> = {
  String: 'text',
  Int: 'integer',
  BigInt: 'bigint',
  Float: 'double precision',
  Boolean: 'boolean',
  Json: 'jsonb',
  Bytes: 'bytea',
  VarChar: 'character varying($)',
  Date: 'date',
  Timestamptz: 'timestamp($) with time zone',
};

function columnType(one: Field, all: Datamodel): string {
  const [key, parameters] = one.nativeType ?? [one.type, []];
  const type = one.kind === 'enum' ? enumName(one, all) : TYPES[key];
  if (!type || one.isList) throw new Error(`this test can't tell the column type of ${one.name} yet`);
  return type.replace('$', parameters.join(',')) + (one.isRequired ? ' not null' : '');
}

function columnDefault(one: Field, table: string, all: Datamodel): string {
  const value = one.default;
  if (value === undefined) return '';
  if (typeof value === 'object' && value !== null && 'name' in value) {
    if (value.name === 'now') return ' default CURRENT_TIMESTAMP';
    if (value.name === 'autoincrement')
      return ` default nextval('${table}_${columnName(one)}_seq'::regclass)`;
  }
  if (one.kind === 'enum') return ` default '${String(value)}'::${enumName(one, all)}`;
  if (one.type === 'String') return ` default '${String(value)}'::text`;
  if (one.type === 'Json') return ` default '${String(value)}'::jsonb`;
  if (one.type === 'BigInt') return ` default ${String(value)}`;
  if (typeof value === 'number' || typeof value === 'boolean') return ` default ${value}`;
  throw new Error(`this test can't tell the default of ${one.name} yet`);
}

function enumName(one: Field, all: Datamodel): string {
  return all.enums.find((type) => type.name === one.type)?.dbName ?? one.type;
}
