/** A file of rates that can't be imported as it stands; the message says why, and names the line where one is wrong. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
}
