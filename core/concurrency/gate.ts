/** A promise that others wait for, and what resolves it. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

/** A gate that is closed. */
export function createGate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
