/** Number of falsified answers, and the seed that generates them. */
export interface Generation {
  answers: number;
  seed: number;
}

/** Result of one call. `faults` lists forbidden actions; `ending` says how the call ended. */
export interface CallOutcome {
  faults: readonly string[];
  isDone: boolean;
  ending: string;
}
