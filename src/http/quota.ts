/** Bounds how many of something there are at a time, in all and for each client. */
export interface Quota {
  /** Counts one more of a client, until the returned function is called; undefined where there are too many. */
  enter(client: string): (() => void) | undefined;
}

export function createQuota(inAll: number, perClient: number): Quota {
  const byClient = new Map<string, number>();
  let count = 0;

  function leave(client: string): void {
    count--;
    const left = (byClient.get(client) ?? 0) - 1;
    if (left > 0) byClient.set(client, left);
    else byClient.delete(client);
  }

  return {
    enter(client) {
      const own = byClient.get(client) ?? 0;
      if (count >= inAll || own >= perClient) return undefined;
      count++;
      byClient.set(client, own + 1);
      return () => leave(client);
    },
  };
}
