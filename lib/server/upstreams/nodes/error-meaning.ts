export type ErrorMeaning =
  /** The error is the caller's answer: other nodes would give the same error. */
  | 'answer'
  /** The node does not have the block or transaction (yet). */
  | 'missing'
  /** The node no longer has state or history this old. */
  | 'pruned'
  /** The node, or its plan, does not serve the method. */
  | 'no-method'
  /** The node refuses a range of blocks this wide. */
  | 'range-limit'
  | 'no-batches'
  /** The node did not serve this call but may serve others. */
  | 'unable'
  | 'rate-limited'
  /** The credits or the plan of the node's account are used up. */
  | 'quota'
  | 'failing';

interface ErrorConsequence {
  caller: 'answer' | 'ask elsewhere first';
  node: 'nothing' | 'capability' | 'rest' | 'circuit breaker';
  /** Whether asking another node takes a token of the retry budget. */
  retryBudget: 'free' | 'costs';
}

/** Consequences by meaning. Free retries are bounded, because each node is asked once. */
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

export interface ErrorRule {
  /** Codes to which the rule applies. Default: any. */
  codes?: readonly number[];
  /** Messages to which the rule applies. Default: any. Anchored for codes whose message a contract can write. */
  text?: RegExp;
  /**
   * Methods to which the rule applies. `own`: all, because only the node itself writes this code and text.
   * `unless-executed`: methods that run no code of the caller's choice, so no contract can choose the text.
   * `of-ranges`: methods about a range of blocks.
   */
  source?: 'own' | 'unless-executed' | 'of-ranges';
  means: ErrorMeaning;
}
