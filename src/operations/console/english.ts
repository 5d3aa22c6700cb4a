import { readerOf } from '../../pages/reader.js';

const reader = readerOf('en-GB');

/** The console is in English, as logs and the command line are. Its instants have a year: "20 Mar 2026, 14:00 UTC". */
export const english = {
  ...reader,
  formats: {
    ...reader.formats,
    /** Such as "9.41 MB" or "12 kB". */
    size: (bytes: number) =>
      bytes < 1e6
        ? `${Math.ceil(bytes / 1e3)} kB`
        : `${reader.formats.decimal((bytes / 1e6).toPrecision(3))} MB`,
    /** Such as "1.3 s". */
    seconds: (seconds: number) => `${reader.formats.decimal(seconds.toFixed(1))} s`,
    /** Such as "20 Mar, 14:00 UTC". */
    soon: reader.formats.instant,
    instant(at: Date | string) {
      const iso = new Date(at).toISOString();
      return `${reader.formats.shortDate(iso)}, ${iso.slice(11, 16)}\u00a0UTC`;
    },
  },
};

export const { formats, say } = english;

/** Such as "1 Mar 2026 – 14 Mar 2026". Without an end, up to the newest rates. */
export function daysOf(from: string, to: string | null | undefined): string {
  return `${formats.shortDate(from)} – ${to ? formats.shortDate(to) : 'now'}`;
}
