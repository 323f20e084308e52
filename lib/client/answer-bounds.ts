/** Size and time limits for reading an answer. */
export interface AnswerBound {
  bytesMax: number;
  /** Longest wait for the body after the headers. */
  timeoutMs: number;
}

const MIB = 1_048_576;
const MINUTE_MS = 60_000;

/** Bounds by endpoint: end of the path, MiB (the gateway's default maximum), and minutes. */
const BOUNDS = [
  ['rpc/networks', 1, 1],
  // A node's result has at most 64 MiB; the gateway adds an id.
  ['rpc/[^/]+', 65, 10],
  ['chat/completions', 65, 60],
  ['audio/speech', 256, 30],
  ['audio/transcriptions', 65, 30],
  ['embeddings', 65, 10],
  ['images?/generat(?:ions|e)', 65, 10],
  ['video/retrieve', 512, 30],
  // The gateway reads up to 8 MiB from an enclave, and adds collateral and NVIDIA's verdict.
  ['tee/attestation', 16, 1],
  ['tee/signature', 1 / 16, 1],
  ['tee/measurements', 1, 1],
  ['receipts/[^/]+', 1 / 8, 1],
  ['jwks\\.json', 1 / 16, 1],
] as const;
const OTHERS = ['', 8, 2] as const;

/**
 * Returns the bound of an endpoint's answers.
 *
 * @param path with or without query
 */
export function answerBoundOf(path: string): AnswerBound {
  const [, mib, minutes] = BOUNDS.find(([ending]) => new RegExp(`/${ending}(\\?|$)`).test(path)) ?? OTHERS;
  return { bytesMax: mib * MIB, timeoutMs: minutes * MINUTE_MS };
}
