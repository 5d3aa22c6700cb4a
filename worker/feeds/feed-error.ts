/** A source answered something other than its documented form. The message tells an operator what to look at. */
export class FeedError extends Error {
  override readonly name: string = 'FeedError';
}

/** A date whose day may stand for its month: several of them say that the source's other dates are misread too. */
export class ExchangedDate extends FeedError {
  override readonly name = 'ExchangedDate';
}

/** A source refused the key it was given, which is not the same as having no rates. */
export class CredentialsRefused extends FeedError {
  override readonly name = 'CredentialsRefused';
}

/** Something else came than what was asked for, with status 200: most often a firewall's page. */
export class WrongDocument extends FeedError {
  override readonly name = 'WrongDocument';
}

/** A response in its source's form that holds nothing of what was asked for: rates of other days, or none. */
export class OtherThanAsked extends FeedError {
  override readonly name = 'OtherThanAsked';
}

/** A response ends before its form does. */
export class CutShort extends FeedError {
  override readonly name = 'CutShort';
}

/** The start of a body on one line, for messages to an operator. */
export function excerpt(text: string, length = 80): string {
  const line = text
    .slice(0, length * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return JSON.stringify(line.length > length ? `${line.slice(0, length)}…` : line);
}
