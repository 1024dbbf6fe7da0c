// What a person looks at, and who is told when it changes.

export interface State {
  layer: string;
  slice: number;
  cell: number; // the cell that is chosen; -1: none
  hover: number; // the cell under the pointer; -1: none
  trial: number; // a row of the trials; -1: none
}

type Key = keyof State;
type Listener = (state: State) => void;

export class Store {
  private readonly listeners: { keys: Key[]; tell: Listener }[] = [];

  constructor(readonly state: State) {}

  set(changes: Partial<State>): void {
    const changed = (Object.keys(changes) as Key[]).filter((k) => changes[k] !== this.state[k]);
    Object.assign(this.state, changes);
    if (changed.length === 0) return;
    for (const { keys, tell } of this.listeners) {
      if (keys.some((key) => changed.includes(key))) tell(this.state);
    }
  }

  /** Calls `tell` now and whenever one of the keys changes. */
  on(keys: Key[], tell: Listener): void {
    this.listeners.push({ keys, tell });
    tell(this.state);
  }
}
