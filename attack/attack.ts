import type { Target } from './target';

/** What an attack came to. */
export interface Verdict {
  outcome: 'held' | 'not held' | 'not applicable';
  /** What was measured, in one line. */
  evidence: string;
}

/** What a target must have for an attack to be possible at all. */
export type Need =
  /** Chains whose money is worth nothing, with a faucet. */
  | 'chains'
  /** A chain that this program may reorganise. */
  | 'chain control'
  /** An API key with money. */
  | 'key'
  /** A gateway that this program started: its process, its data folder, and what it asks others. */
  | 'own gateway'
  /** A gateway with the limits of the live profile, behind a proxy that this program plays. */
  | 'live limits'
  /** Settlement with a key in the gateway's own process. */
  | 'settles itself'
  /** Settlement by the facilitator that this program runs. */
  | 'remote facilitator'
  /** A gateway whose nodes and model servers this program plays. */
  | 'lying upstreams'
  /** Nothing of a gateway: the client's own verifier is attacked, in this process. */
  | 'verifier'
  /** Nothing of a gateway: the customer's client is attacked, in processes of this program's own. */
  | 'client';

/** One thing that an attacker tries. */
export interface Attack {
  /** Stable, for `--only`. */
  id: string;
  /** What is tried, in one sentence without a full stop. */
  title: string;
  needs: readonly Need[];
  /** Whether the short form of `npm test` runs it: seconds, and no long waits. */
  isQuick: boolean;
  /** For one that takes longer than attacks do. */
  timeoutMs?: number;
  run(target: Target): Promise<Verdict>;
}

/** The gateway did what it must. @param evidence what shows it */
export function held(evidence: string): Verdict {
  return { outcome: 'held', evidence };
}

/** The attack worked. @param evidence what shows it */
export function notHeld(evidence: string): Verdict {
  return { outcome: 'not held', evidence };
}

/** It cannot be tried on this target. */
export function notApplicable(reason: string): Verdict {
  return { outcome: 'not applicable', evidence: reason };
}

/** Held where `isHeld`, with the same evidence either way. */
export function judge(isHeld: boolean, evidence: string): Verdict {
  return isHeld ? held(evidence) : notHeld(evidence);
}
