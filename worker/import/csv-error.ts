/** A file of rates can't be imported. The message says why, and names the faulty line, if any. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
}
