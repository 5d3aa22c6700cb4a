import { excerpt, FeedError } from '../feed-error.js';
import type { HttpAnswer } from '../http/client.js';

/** The text of a response. Throws a FeedError for a web page, such as a firewall sends with status 200. */
export function textOf(answer: HttpAnswer, meant: string, charset?: string): string {
  const text = answer.text(charset);
  if (/^\s*<(!doctype\s+html|html|head|body)\b/i.test(text)) {
    throw new FeedError(
      `${answer.url}: responded with an HTML page where ${meant} was expected: blocked or moved (${excerpt(text)})`,
    );
  }
  return text;
}
