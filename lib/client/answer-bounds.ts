/** How much of an answer this client reads, and for how long. */
export interface AnswerBound {
  bytesMax: number;
  /** Spent waiting for the body, after the headers. */
  timeoutMs: number;
}

const MIB = 1_048_576;
const MINUTE_MS = 60_000;

/** The endpoints whose answers are longer, or shorter, than others: how their paths end, MiB, minutes. The sizes are what a gateway sends at most by default. */
const BOUNDS = [
  ['rpc/networks', 1, 1],
  // The result of a node is 64 MiB at most; the gateway writes an id around it.
  ['rpc/[^/]+', 65, 10],
  ['chat/completions', 65, 60],
  ['audio/speech', 256, 30],
  ['video/retrieve', 512, 30],
  // The gateway reads up to 8 MiB of an enclave, and adds collateral and NVIDIA's verdict.
  ['tee/attestation', 16, 1],
  ['tee/signature', 1 / 16, 1],
] as const;
const OTHERS = ['', 8, 2] as const;

/** The bound of answers from an endpoint. @param path of the gateway, with or without a query */
export function answerBoundOf(path: string): AnswerBound {
  const [, mib, minutes] = BOUNDS.find(([ending]) => new RegExp(`/${ending}(\\?|$)`).test(path)) ?? OTHERS;
  return { bytesMax: mib * MIB, timeoutMs: minutes * MINUTE_MS };
}
