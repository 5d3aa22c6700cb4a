import { XMLBuilder } from 'fast-xml-parser';

/** The text of an entry is plain, not HTML. */
export interface AtomEntry {
  /** A URI that stays the same across changes of the entry. */
  id: string;
  title: string;
  summary: string;
  updated: Date;
  href: string;
}

interface AtomFeed extends Pick<AtomEntry, 'id' | 'title'> {
  subtitle: string;
  author: string;
  self: string;
  page: string;
  /** The newest first. */
  entries: readonly AtomEntry[];
}

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';

const builder = new XMLBuilder({ ignoreAttributes: false, format: true });

/** Encodes a feed as XML of the Atom Syndication Format (RFC 4287). */
export function atomXml({ id, title, subtitle, author, self, page, entries }: AtomFeed): string {
  return builder.build({
    '?xml': { '@_version': '1.0', '@_encoding': 'utf-8' },
    feed: {
      '@_xmlns': 'http://www.w3.org/2005/Atom',
      id,
      title,
      subtitle,
      // A feed must say when it last changed. One without entries has never changed.
      updated: (entries[0]?.updated ?? new Date(0)).toISOString(),
      author: { name: author },
      link: [
        { '@_rel': 'self', '@_href': self },
        { '@_rel': 'alternate', '@_href': page },
      ],
      entry: entries.map(({ id, title, summary, updated, href }) => ({
        id,
        title,
        updated: updated.toISOString(),
        link: { '@_href': href },
        summary,
      })),
    },
  });
}
