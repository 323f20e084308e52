/** How much of an answer this client reads, and for how long. */
export interface AnswerBound {
  bytesMax: number;
  /** Spent waiting for the body, after the headers. */
  timeoutMs: number;
}

const MIB = 1_024 * 1_024;
const MINUTE_MS = 60_000;

/** The endpoints whose answers are longer, or shorter, than others. The sizes are what a gateway sends at most by default. */
const BOUNDS: readonly (readonly [path: RegExp, AnswerBound])[] = [
  [/\/crypto\/rpc\/networks$/, { bytesMax: MIB, timeoutMs: MINUTE_MS }],
  // The result of a node is 64 MiB at most; the gateway writes an id around it.
  [/\/(crypto|sandbox)\/rpc\/[^/]+$/, { bytesMax: 65 * MIB, timeoutMs: 10 * MINUTE_MS }],
  [/\/chat\/completions$/, { bytesMax: 65 * MIB, timeoutMs: 60 * MINUTE_MS }],
  [/\/audio\/speech$/, { bytesMax: 256 * MIB, timeoutMs: 30 * MINUTE_MS }],
  [/\/video\/retrieve$/, { bytesMax: 512 * MIB, timeoutMs: 30 * MINUTE_MS }],
  // The gateway reads up to 8 MiB of an enclave, and adds collateral and NVIDIA's verdict.
  [/\/tee\/attestation$/, { bytesMax: 16 * MIB, timeoutMs: MINUTE_MS }],
  [/\/tee\/signature$/, { bytesMax: 65_536, timeoutMs: MINUTE_MS }],
];

const OTHERS: AnswerBound = { bytesMax: 8 * MIB, timeoutMs: 2 * MINUTE_MS };

/** The bound of answers from an endpoint. @param path of the gateway, with or without a query */
export function answerBoundOf(path: string): AnswerBound {
  const [endpoint = ''] = path.split('?', 1);
  return BOUNDS.find(([pattern]) => pattern.test(endpoint))?.[1] ?? OTHERS;
}
