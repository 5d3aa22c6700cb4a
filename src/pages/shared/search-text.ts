/** A text as it is compared with what is looked for: in small letters, without accents. */
export function searchText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
