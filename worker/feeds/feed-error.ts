/** A source sent something else than its documented format. The message tells an operator what to look at. */
export class FeedError extends Error {
  override readonly name: string = this.constructor.name;
}

/** A date whose day and month may be exchanged. Several of them mean that the source's other dates are misread too. */
export class ExchangedDate extends FeedError {}

/** A source refused its key, which differs from having no rates. */
export class CredentialsRefused extends FeedError {}

/** A response with status 200 that is not the requested document: most often a firewall's page. */
export class WrongDocument extends FeedError {}

/** A response in the source's format without the requested content: rates of other days, or none. */
export class OtherThanAsked extends FeedError {}

/** A response that is truncated. */
export class CutShort extends FeedError {}

/** The start of a body on one line, for messages to an operator. */
export function excerpt(text: string, length = 80): string {
  const line = text
    .slice(0, length * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return JSON.stringify(line.length > length ? `${line.slice(0, length)}…` : line);
}
