import type { Lie } from './lies';

/** A request as the gateway received it. */
export interface SeenRequest {
  endpoint: string | null;
  method: string;
  path: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: Buffer;
}

/** An answer before it is sent: JSON, or bytes of another type. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  json?: unknown;
  bytes?: Buffer;
}

/** One call of a client under a path prefix of its own, with the lies that it is told there. */
export class Scenario {
  readonly seen: SeenRequest[] = [];
  /** What the enclave answered, in the clear. */
  readonly truths: string[] = [];
  /** What the wallet prepaid, by the gateway's honest books. */
  balanceUsd = 0;

  /** Falsifies a report of an attestation, where that takes more than a lie. */
  falsify: (report: Record<string, unknown>) => Record<string, unknown> = (report) => report;
  /** Happens once a chat was asked for, before it is answered. */
  beforeChat: () => void = () => undefined;

  /** @param lies by the id of an endpoint */
  constructor(readonly lies: Readonly<Record<string, readonly Lie[]>>) {}
}
