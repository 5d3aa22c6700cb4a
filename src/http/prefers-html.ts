import { HTML_TYPE, JSON_TYPE } from './reply.js';
import { negotiateMediaType } from './representation.js';

/** Whether a client would rather have a page than JSON, as browsers do, by its `Accept` header. */
export function prefersHtml(accept: string | undefined): boolean {
  return negotiateMediaType(accept, [JSON_TYPE, HTML_TYPE]) === HTML_TYPE;
}
