import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { isHeld } from './conditional.js';
import type { WholeAnswer } from './whole-answer.js';

/** A whole answer that went out once, to be sent again as it is. */
export interface HotAnswer extends WholeAnswer {
  /** The template of its route, for who counts. */
  route: string;
  /** Its body was never made: it is there for those alone who hold it. */
  onlyHeld?: boolean;
}

/**
 * Finished answers by the very text of a request: its target and what it accepts. They hold for one data version
 * and one UTC day, and are forgotten all at once when either is over.
 */
export interface HotAnswers {
  find(request: IncomingMessage, epoch: Epoch): HotAnswer | undefined;
  /** Keeps an answer when its request comes a second time: most come once, and keeping those costs more than it saves. */
  keep(request: IncomingMessage, epoch: Epoch, answer: HotAnswer): void;
}

/** What finished answers hold for. */
export interface Epoch {
  /** See Snapshot.version. */
  version: string;
  /** The UTC day, as a day number. */
  today: number;
}

interface HotOptions {
  capacityBytes?: number;
}

const CAPACITY_BYTES = 32 * 1024 * 1024;
const LARGEST_SHARE = 16;
/** An entry's own weight, beside its body and its key. */
const ENTRY_BYTES = 600;
const PLACES = 16_384;
/** Up to here a text that goes out in one write with its head is faster than bytes that go beside it. */
const LONGEST_TEXT = 8_192;

export function openHotAnswers({ capacityBytes = CAPACITY_BYTES }: HotOptions = {}): HotAnswers {
  const answers = new LRUCache<string, HotAnswer>({
    maxSize: capacityBytes,
    maxEntrySize: capacityBytes / LARGEST_SHARE,
    sizeCalculation: ({ body }, key) => body.length + 2 * key.length + ENTRY_BYTES,
  });
  let current: Epoch = { version: '', today: 0 };
  const isCurrent = ({ version, today }: Epoch) => version === current.version && today === current.today;
  // Hashes of the requests that came lately, each in the one place where it can be.
  const lately = new Uint32Array(PLACES);
  const isRepeated = (key: string): boolean => {
    const hash = hashOf(key);
    const place = hash % PLACES;
    const repeated = lately[place] === hash;
    lately[place] = hash;
    return repeated;
  };
  return {
    find(request, epoch) {
      const found = isCurrent(epoch) ? answers.get(keyOf(request)) : undefined;
      return found?.onlyHeld && !isHeld(request.headers['if-none-match'], found.tag) ? undefined : found;
    },
    keep(request, epoch, answer) {
      const key = keyOf(request);
      if (!isRepeated(key)) return;
      if (!isCurrent(epoch)) answers.clear();
      current = epoch;
      const { body } = answer;
      const isShort = typeof body !== 'string' && body.length <= LONGEST_TEXT;
      answers.set(key, isShort ? { ...answer, body: body.toString('latin1') } : answer);
    },
  };
}

/** FNV-1a, in 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

function keyOf({ url, headers }: IncomingMessage): string {
  return `${url}\n${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}`;
}
