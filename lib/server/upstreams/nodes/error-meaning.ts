/** What a JSON-RPC error means for those who asked. */
export type ErrorMeaning =
  /** The caller's answer: another node would say the same. */
  | 'answer'
  /** The node does not have the block or transaction (yet). */
  | 'missing'
  /** The node no longer has state or history this old. */
  | 'pruned'
  /** The node, or the plan it is rented under, does not serve the method. */
  | 'no-method'
  /** The node serves no range of blocks this wide. */
  | 'range-limit'
  /** The node serves no batches, or none this long. */
  | 'no-batches'
  /** The node did not serve this call, for a reason that says nothing of other calls. */
  | 'unable'
  | 'rate-limited'
  /** The credits or the plan of the node's account are used up. */
  | 'quota'
  /** What is behind the node's address is down. */
  | 'failing';

/** What follows from an error. */
export interface ErrorConsequence {
  /** The caller gets the error at once, or only if no other node has a better answer. */
  caller: 'answer' | 'ask elsewhere first';
  node: 'nothing' | 'capability' | 'rest' | 'circuit breaker';
  /** Whether asking another node takes a token of the retry budget. */
  retryBudget: 'free' | 'costs';
}

/** One row for each meaning. What is free is bounded by the number of nodes: none is asked twice. */
export const ERROR_CONSEQUENCES: Readonly<Record<ErrorMeaning, ErrorConsequence>> = {
  answer: { caller: 'answer', node: 'nothing', retryBudget: 'free' },
  missing: { caller: 'ask elsewhere first', node: 'nothing', retryBudget: 'free' },
  pruned: { caller: 'ask elsewhere first', node: 'capability', retryBudget: 'free' },
  'no-method': { caller: 'ask elsewhere first', node: 'capability', retryBudget: 'free' },
  'range-limit': { caller: 'ask elsewhere first', node: 'capability', retryBudget: 'free' },
  'no-batches': { caller: 'ask elsewhere first', node: 'capability', retryBudget: 'free' },
  unable: { caller: 'ask elsewhere first', node: 'nothing', retryBudget: 'free' },
  'rate-limited': { caller: 'ask elsewhere first', node: 'rest', retryBudget: 'costs' },
  quota: { caller: 'ask elsewhere first', node: 'rest', retryBudget: 'costs' },
  failing: { caller: 'ask elsewhere first', node: 'circuit breaker', retryBudget: 'costs' },
};

/** A rule of a family's table: the first that matches decides. */
export interface ErrorRule {
  /** Any code where absent. */
  codes?: readonly number[];
  /** Any text where absent. Anchored wherever the code can come with words of a contract. */
  text?: RegExp;
  /**
   * `own`: the code and the words are the node's own, whatever was called. `unless-executed`: not for methods that run
   * code of the caller's choice, on whose errors a contract may have put the words. `of-ranges`: for methods alone that ask
   * about a range of blocks.
   */
  source?: 'own' | 'unless-executed' | 'of-ranges';
  means: ErrorMeaning;
}
