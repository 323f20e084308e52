export type ErrorMeaning =
  /** The error is the answer for the caller, because other nodes would give the same error. */
  | 'answer'
  /** The node does not have the block or transaction, or does not have it yet. */
  | 'missing'
  | 'pruned'
  /** The node does not serve the method, or the operator's plan does not include the method. */
  | 'no-method'
  /** The node refuses a block range of this width. */
  | 'range-limit'
  | 'no-batches'
  /** The node did not serve this call, but may serve other calls. */
  | 'unable'
  | 'rate-limited'
  | 'quota'
  | 'failing';

interface ErrorConsequence {
  caller: 'answer' | 'ask elsewhere first';
  node: 'nothing' | 'capability' | 'rest' | 'circuit breaker';
  /** Whether asking another node takes a token from the retry budget. */
  retryBudget: 'free' | 'costs';
}

/** Consequences of each meaning. The number of free retries is limited, because each node is asked only once. */
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
  /** Codes to which the rule applies. Default: all codes. */
  codes?: readonly number[];
  /**
   * Messages to which the rule applies. Default: all messages. The pattern must be anchored if a contract can write
   * messages with these codes.
   */
  text?: RegExp;
  /**
   * Methods to which the rule applies. `own`: all methods, because only the node itself writes this code and text.
   * `unless-executed`: methods that do not run code chosen by the caller, so that no contract can choose the text.
   * `of-ranges`: methods about a range of blocks.
   */
  source?: 'own' | 'unless-executed' | 'of-ranges';
  means: ErrorMeaning;
}
