import { fromDayNumber } from '../domain/dates.js';
import { groupBy } from '../domain/group-by.js';
import type { Manifest, ManifestFile } from './manifest.js';
import { readManifest } from './open-publication.js';
import { ifMissing, PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';
import { readTableFile } from './read-row-groups.js';
import type { TableName, TableRows } from './tables.js';

/**
 * Each published rate and side of an earlier manifest (by hash) must still exist, or a revision have its old value.
 * Compares nothing if that publication is gone, as after a week, or has a newer data version, as after a
 * restore of the database. Skips sources that are left out. Throws a PublicationError `revision`.
 */
export async function verifyHistory(
  files: PublicationFiles,
  { files: listed, data }: Manifest,
  earlier: string,
): Promise<void> {
  // Files that were deleted a week after they were replaced can't be compared.
  const before = (await readManifest(files, earlier).catch(ifMissing))?.manifest;
  if (!before || before.data.version > data.version) return;
  const only = (of: readonly ManifestFile[], others: readonly ManifestFile[], table: TableName) =>
    of.filter((file) => file.table === table && !others.some(({ path }) => path === file.path));
  const replaced = only(before.files, listed, 'observations');
  if (replaced.length === 0) return;
  const revised = await readRevised(files, only(listed, before.files, 'revisions'));
  const replacing = groupBy(only(listed, before.files, 'observations'), folderOf);
  const left = new Set(listed.map(folderOf));
  for (const [folder, ofProvider] of groupBy(replaced, folderOf)) {
    if (!left.has(folder)) continue;
    const now = await readRates(files, replacing.get(folder) ?? []);
    for (const file of ofProvider) {
      const rates = await readRates(files, [file]).catch(ifMissing);
      for (const [key, was] of rates ?? []) {
        if (now.get(key) === was || revised.has(`${folder} ${key} ${was}`)) continue;
        const found = now.has(key) ? `is now ${now.get(key)}` : 'is gone';
        const { path } = file;
        throw new PublicationError('revision', `${key}, ${was} before, ${found}, and no revision says so`, {
          path,
        });
      }
    }
  }
}

async function readRates(
  files: PublicationFiles,
  listed: readonly ManifestFile[],
): Promise<Map<string, number>> {
  const rates = new Map<string, number>();
  for (const file of listed) {
    const columns = ['date', 'base', 'quote', 'rate', 'buy', 'sell'] as const;
    for await (const { rate, buy, sell, ...pairs } of readTableFile(files, 'observations', file, columns))
      eachFigure(pairs, { rate, buy, sell }, (key, value) => rates.set(key, value));
  }
  return rates;
}

async function readRevised(files: PublicationFiles, listed: readonly ManifestFile[]): Promise<Set<string>> {
  const revised = new Set<string>();
  for (const file of listed) {
    const groups = readTableFile(files, 'revisions', file);
    for await (const { provider, was: rate, buy_was: buy, sell_was: sell, ...pairs } of groups)
      eachFigure(pairs, { rate, buy, sell }, (key, value, index) =>
        revised.add(`observations/${provider[index]} ${key} ${value}`),
      );
  }
  return revised;
}

type Pairs = Pick<TableRows<'observations'>, 'date' | 'base' | 'quote'>;
type Figures = Pick<TableRows<'observations'>, 'rate' | 'buy' | 'sell'>;

/** Takes each rate and side by a key such as `2026-03-17 EUR/USD` or `2026-03-17 EUR/USD buy`. */
function eachFigure(
  { date, base, quote }: Pairs,
  figures: Figures,
  take: (key: string, value: number, index: number) => void,
): void {
  for (const [figure, values] of Object.entries(figures) as [keyof Figures, Figures[keyof Figures]][])
    values?.forEach((value, index) => {
      const key = `${fromDayNumber(date[index] ?? 0)} ${base[index]}/${quote[index]}`;
      if (!Number.isNaN(value)) take(figure === 'rate' ? key : `${key} ${figure}`, value, index);
    });
}

/** Such as `observations/ECB`. */
function folderOf({ path }: ManifestFile): string {
  return path.slice(0, path.lastIndexOf('/'));
}
