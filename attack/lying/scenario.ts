import type { Lie } from './lies';

/** Request as received by the gateway. */
export interface SeenRequest {
  endpoint: string | null;
  method: string;
  path: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: Buffer;
}

/** Answer before it is sent: JSON, or bytes of another type. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  json?: unknown;
  bytes?: Buffer;
}

/** One call of a client and its lies. Each call has its own path prefix. */
export class Scenario {
  readonly seen: SeenRequest[] = [];
  /** Plain texts of the enclave's answers. */
  readonly truths: string[] = [];
  /** The wallet's prepaid balance, as the honest gateway counts it. */
  balanceUsd = 0;

  /** Falsifies an attestation report where a lie cannot express the change. */
  falsify: (report: Record<string, unknown>) => Record<string, unknown> = (report) => report;
  /** Called after a chat request arrives and before its answer. */
  beforeChat: () => void = () => undefined;

  /** @param lies lies by endpoint id */
  constructor(readonly lies: Readonly<Record<string, readonly Lie[]>>) {}
}
