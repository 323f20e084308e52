/** How many answers are falsified, and from which seed they are drawn. */
export interface Generation {
  answers: number;
  seed: number;
}

/** What came of one call: what it must not have done, and how it ended, for the evidence. */
export interface CallOutcome {
  faults: readonly string[];
  /** Whether it did what it was asked for. */
  isDone: boolean;
  ending: string;
}
