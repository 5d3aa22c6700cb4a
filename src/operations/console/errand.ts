import * as z from 'zod';
import type { Config } from '../../../core/process/config.js';
import type { Reading } from '../../catalogue/reading.js';
import { HttpError } from '../../http/errors.js';
import type { Reply } from '../../http/reply.js';
import { defineRoute, type RequestContext, type Route } from '../../http/route.js';
import { parametersOf } from '../../pages/reader.js';
import { type Html, html } from '../../pages/shared/html.js';
import type { Source } from '../../pages/sources.js';
import type { By, Operators } from '../admin/operators.js';
import type { ConsolePage, Frame } from './frame.js';

export interface ConsoleDependencies extends Operators {
  config: Config;
  /** The states of all sources, as on the public pages. */
  readSources(): Promise<Source[]>;
  /** Whether workers read sources. */
  reading(): Reading;
  isDraining?: (() => boolean) | undefined;
}

/** A request of an operator with a session or the token. */
export interface OperatorRequest {
  params: RequestContext['params'];
  query: URLSearchParams;
  by: By;
}

/** A page that says what an act does, with its consequences. The text of the button is the title, unless it has another. */
export interface Confirmation {
  title: string;
  body: Html;
  button?: string;
  /** A link to the contrary. */
  instead?: Html;
  /** The path to return to. */
  back: string;
  /** What is there, unless it is a section. */
  backTo?: string;
}

/** Makes a page for an operator. May throw an HttpError, as those of an act. */
export type PageMaker = (
  dependencies: ConsoleDependencies,
  request: OperatorRequest,
) => ConsolePage | Promise<ConsolePage>;

/** Something that an operator does. */
export interface Act {
  confirm(dependencies: ConsoleDependencies, request: OperatorRequest): Confirmation | Promise<Confirmation>;
  /** Carries it out, with its record in the audit log. Returns a redirect to the page that shows the result. */
  perform(dependencies: ConsoleDependencies, request: OperatorRequest): Promise<Reply>;
}

export const QUERY = { schema: z.object({}), read: parametersOf };
const FORM_FIELD = 'form_token';

/**
 * The routes of pages and acts, by their paths: of an act, the page that asks for confirmation, and the route that its form
 * sends to.
 */
export function errandRoutes(
  dependencies: ConsoleDependencies,
  frame: Frame,
  { pages, acts }: { pages: Readonly<Record<string, PageMaker>>; acts: Readonly<Record<string, Act>> },
): Route[] {
  const route = (
    method: 'get' | 'post',
    path: string,
    handle: (request: OperatorRequest, formToken: string | undefined) => Promise<Reply>,
  ) =>
    defineRoute<URLSearchParams>({
      method,
      path,
      query: QUERY,
      ...(method === 'post' && { body: 'form' as const }),
      async handle(query, context) {
        const { params, headers, client, body } = context;
        const operator = await dependencies.identify(context, method.toUpperCase());
        if ('reply' in operator) return operator.reply;
        const { session } = operator;
        if (method === 'post' && session && fieldOf(body, FORM_FIELD) !== session.formToken)
          throw new HttpError(403, 'the form is not from this session: open its page again');
        const by = { headers, client, session: session?.id };
        if (String(query).includes('%00')) throw new HttpError(422, 'the address has a NUL character');
        return handle({ params, by, query }, session?.formToken);
      },
    });
  return [
    ...Object.entries(pages).map(([path, make]) =>
      route('get', path, async (request) => frame(await make(dependencies, request), path)),
    ),
    ...Object.entries(acts).flatMap(([path, { confirm, perform }]) => [
      route('get', path, async (request, formToken) => {
        const confirmation = await confirm(dependencies, request);
        return frame(confirmationPage(confirmation, request, formToken), confirmation.back);
      }),
      route('post', path, (request) => perform(dependencies, request)),
    ]),
  ];
}

/** The field of a form; undefined if the body is not a form or has no such field. */
export function fieldOf(body: unknown, name: string): string | undefined {
  const value = body instanceof Object ? (body as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** The form is sent to the address of the page. */
function confirmationPage(
  { title, body, button = title, instead, back, backTo }: Confirmation,
  { query }: OperatorRequest,
  formToken: string | undefined,
): ConsolePage {
  return {
    title,
    ...(backTo !== undefined && { above: html`<a href="${back}">${backTo}</a>` }),
    body: html`<form class="card confirm" method="post" action="?${String(query)}">
${body}
<input type="hidden" name="${FORM_FIELD}" value="${formToken}">
<p class="acts"><button class="primary">${button}</button> <a class="button quiet" href="${back}">Cancel</a>${instead && html` <span class="instead">${instead}</span>`}</p>
</form>`,
  };
}
