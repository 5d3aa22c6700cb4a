import { fromDayNumber } from '../domain/dates.js';
import type { Manifest, ManifestFile } from './manifest.js';
import { readManifest } from './open-publication.js';
import { ifMissing, PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';
import { readTableFile } from './read-row-groups.js';
import type { TableName } from './tables.js';

/**
 * Each published rate of an earlier manifest (by hash) must still exist, or a revision have its old value.
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
  for (const folder of new Set(replaced.map(folderOf))) {
    const isOfProvider = (file: ManifestFile) => folderOf(file) === folder;
    if (!listed.some(isOfProvider)) continue;
    const now = await readRates(files, only(listed, before.files, 'observations').filter(isOfProvider));
    for (const file of replaced.filter(isOfProvider)) {
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
    const groups = readTableFile(files, 'observations', file, ['date', 'base', 'quote', 'rate']);
    for await (const { date, base, quote, rate } of groups) {
      rate.forEach((value, index) => {
        rates.set(keyOf(date[index], base[index], quote[index]), value);
      });
    }
  }
  return rates;
}

async function readRevised(files: PublicationFiles, listed: readonly ManifestFile[]): Promise<Set<string>> {
  const revised = new Set<string>();
  for (const file of listed) {
    for await (const { provider, date, base, quote, was } of readTableFile(files, 'revisions', file)) {
      was.forEach((value, index) => {
        revised.add(
          `observations/${provider[index]} ${keyOf(date[index], base[index], quote[index])} ${value}`,
        );
      });
    }
  }
  return revised;
}

/** Such as `2026-03-17 EUR/USD`. */
function keyOf(day = 0, base = '', quote = ''): string {
  return `${fromDayNumber(day)} ${base}/${quote}`;
}

/** Such as `observations/ECB`. */
function folderOf({ path }: ManifestFile): string {
  return path.slice(0, path.lastIndexOf('/'));
}
