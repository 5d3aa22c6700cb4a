import { type Admission, isLong, type Waiter } from '../http/admission.js';
import type { MakeContent } from '../http/dispatcher.js';
import { type Content, isStream, type Task } from '../http/reply.js';
import type { RequestContext } from '../http/route.js';
import type { Snapshot } from '../rates/snapshot/snapshot.js';
import { asUnavailable } from './errors.js';
import { begin, type MakerContext, make } from './makers.js';
import type { RenderThreads } from './render-threads.js';

/** Content made at once is not interrupted: a signal of its own would take longer to create than many contents. */
const AT_ONCE = { signal: new AbortController().signal };

interface RendererOptions {
  admission: Pick<Admission, 'admit'>;
  threads?: RenderThreads | undefined;
  makerContext: Omit<MakerContext, 'snapshot' | 'signal'>;
}

/** Once there is capacity for their cost, makes short contents in place and long ones in a thread, if there is one. */
export function openRenderer({ admission, threads, makerContext }: RendererOptions): MakeContent {
  const makeLong = threads?.make ?? ((task, waiter) => begun(inPlace(task, waiter)));

  function inPlace(task: Task, { signal }: Pick<Waiter, 'signal'>): Content | Promise<Content> {
    return make(task, { snapshot: task.snapshot as Snapshot, signal, ...makerContext });
  }

  async function later(task: Task, context: RequestContext): Promise<Content> {
    await admission.admit(context, task.cost);
    return makeLong(task, context);
  }

  return (task, context) => {
    if (isLong(task.cost)) return later(task, context);
    const waiting = admission.admit(context, task.cost);
    const made = waiting ? waiting.then(() => inPlace(task, AT_ONCE)) : inPlace(task, AT_ONCE);
    return made instanceof Promise || isStream(made.body) ? begun(made) : made;
  };
}

async function begun(making: Content | Promise<Content>): Promise<Content> {
  try {
    return await begin(await making);
  } catch (error) {
    throw asUnavailable(error);
  }
}
