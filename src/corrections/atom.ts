import { XMLBuilder } from 'fast-xml-parser';

/** An entry of a feed. Its text is plain, not HTML. */
export interface AtomEntry {
  /** A URI that stays the same however often the entry changes. */
  id: string;
  title: string;
  summary: string;
  updated: Date;
  /** Where a reader finds more. */
  href: string;
}

interface AtomFeed extends Pick<AtomEntry, 'id' | 'title'> {
  subtitle: string;
  author: string;
  /** Where the feed itself is, and the page that it belongs to. */
  self: string;
  page: string;
  /** The newest first. */
  entries: readonly AtomEntry[];
}

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';

const builder = new XMLBuilder({ ignoreAttributes: false, format: true });

/** A feed as the XML of the Atom Syndication Format (RFC 4287). */
export function atomXml({ id, title, subtitle, author, self, page, entries }: AtomFeed): string {
  return builder.build({
    '?xml': { '@_version': '1.0', '@_encoding': 'utf-8' },
    feed: {
      '@_xmlns': 'http://www.w3.org/2005/Atom',
      id,
      title,
      subtitle,
      // A feed has to say when it last changed. One without entries has not changed yet.
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
