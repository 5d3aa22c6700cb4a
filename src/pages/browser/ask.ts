/** The service is unreachable, overloaded or refuses further requests. The request may succeed later. */
export class Unanswered extends Error {
  constructor(
    readonly status?: number,
    options?: ErrorOptions,
  ) {
    super('the service has no answer now', options);
  }
}

/** A response that another attempt would not change. Otherwise throws an Unanswered. */
async function ask(
  target: string,
  accept: string,
  signal: AbortSignal,
): Promise<{ isOk: boolean; text: string }> {
  let status: number | undefined;
  try {
    const response = await fetch(target, { headers: { accept }, signal });
    ({ status } = response);
    const text = await response.text();
    if (status < 500 && status !== 429) return { isOk: response.ok, text };
  } catch (error) {
    signal.throwIfAborted();
    throw new Unanswered(undefined, { cause: error });
  }
  throw new Unanswered(status);
}

/** Reads the page of the address, also one that says what is wrong with it. Throws an Unanswered. */
export async function askPage(signal: AbortSignal): Promise<Document> {
  const { text } = await ask(location.href, 'text/html', signal);
  return new DOMParser().parseFromString(text, 'text/html');
}

/** Throws if the service has no answer. */
export async function readJson<T>(target: string, signal: AbortSignal): Promise<T> {
  const { isOk, text } = await ask(target, 'application/json', signal);
  if (!isOk) throw new Unanswered(undefined, { cause: text });
  return JSON.parse(text);
}
