import {
  GatewayError,
  LateAnswerError,
  OversizedAnswerError,
  UnreachableError,
  UnsignableTokenError,
} from '@/lib/client/gateway-error';

/** What this package itself can refuse or fail with: a sentence, and what to do about it. */
const ERRORS = {
  URL_INVALID: {
    message: 'The URL of the gateway is not an http or https URL.',
    remedy: 'Pass the origin of the gateway, such as "https://gateway.example" or "http://localhost:3000".',
  },
  URL_ELSEWHERE: {
    message: 'This address is not one of the gateway.',
    remedy:
      'Call addresses of the gateway only: the credential is sent to nobody else. Use the global fetch for other hosts.',
  },
  ACCOUNT_UNKNOWN: {
    message: 'The account is of no known kind.',
    remedy:
      'Pass an API key, a viem account or wallet client, a Solana signer, an EIP-1193 provider or a Wallet Standard wallet.',
  },
  ACCOUNT_EMPTY: {
    message: 'The wallet has no account to call with.',
    remedy: 'Connect the wallet, or choose an account in it, and try again.',
  },
  API_KEY_MALFORMED: {
    message: 'The API key is empty, or has characters that no header can carry.',
    remedy: 'Pass the key as it was shown when it was made, without spaces or line breaks.',
  },
  BUDGET_INVALID: {
    message: 'The budget is not valid.',
    remedy:
      'Give each limit as a number of USD from 0 with at most 9 decimals; topUpUsd has at most 6 and is more than 0.',
  },
  BUDGET_EXCEEDED: {
    message: 'The top-up would go beyond the budget.',
    remedy: 'Nothing was signed. Raise the limit that is named, wait for the day to pass, or top up by hand.',
  },
  TOP_UP_FORBIDDEN: {
    message: 'There is no budget that would allow a top-up.',
    remedy: 'Give createTurnpike a budget, or top up in the console of the gateway.',
  },
  TOP_UP_REFUSED: {
    message: 'The listener for events refused the top-up.',
    remedy: 'Nothing was signed. Approve the event "top-up-begins" by returning from the listener.',
  },
  TERMS_UNEXPECTED: {
    message: 'The gateway asks for other terms than were asked of it.',
    remedy: 'Nothing was signed. Do not pay this gateway until its operator has explained it.',
  },
  TOKEN_UNEXPECTED: {
    message: "The gateway's token is none that this wallet should sign.",
    remedy:
      'Nothing was signed. Ask the gateway under its own origin, with a clock that is right; if it is, its operator has to explain the token.',
  },
  ASSET_UNKNOWN: {
    message: 'The gateway asks to be paid in a token that is not known here.',
    remedy:
      'Nothing was signed. Where you trust this token to be worth a dollar, name it with its chain in allowedAssets.',
  },
  RAIL_MISSING: {
    message: 'The gateway takes no payments on a chain of this wallet.',
    remedy: 'Use a wallet of another family, or an API key.',
  },
  SOLANA_RPC_MISSING: {
    message: 'A payment on Solana needs a node to read a recent blockhash from.',
    remedy: 'Pass solanaRpcUrl to createTurnpike.',
  },
  SOLANA_RPC_FAILED: {
    message: 'The Solana node did not answer with a recent block and the token that is to be paid in.',
    remedy: 'Nothing was signed. Check that solanaRpcUrl is a node of this chain, and try again.',
  },
  PAYMENT_REFUSED: {
    message: 'The payment was refused.',
    remedy:
      'Check that the wallet holds enough USDC on this chain, then call again. A refused payment counts toward the day, since the gateway could still take it: a new one is signed if the budget has room for both.',
  },
  PAYMENT_PENDING: {
    message: 'The payment is still under way.',
    remedy: 'Call again later: the same payment is followed, and none is signed beside it.',
  },
  WALLET_REFUSED: {
    message: 'The wallet was asked to sign, and its owner refused.',
    remedy: 'Call again and approve the request in the wallet.',
  },
  WALLET_FAILED: {
    message: 'The wallet did not sign.',
    remedy: 'Unlock the wallet and try again; where it lacks what is named, use another wallet.',
  },
  WALLET_TIMEOUT: {
    message: 'The wallet did not answer in time.',
    remedy: 'Open the wallet, answer or reject what it asks, and try again.',
  },
  NETWORK_INVALID: {
    message: 'This is not the name of a network.',
    remedy: 'Pass a slug such as "ethereum-mainnet"; GET /api/v1/crypto/rpc/networks lists them.',
  },
  OPTION_INVALID: { message: 'An option is not valid.', remedy: 'Correct the option that is named.' },
  BODY_TOO_LARGE: { message: 'The body is larger than the gateway takes.', remedy: 'Send less at once.' },
  ABORTED: { message: 'The call was cancelled before an answer arrived.', remedy: 'Call again without cancelling it.' },
  TIMEOUT: {
    message: 'The gateway did not begin to answer in time.',
    remedy: 'Try again; for answers that take long raise timeoutMs.',
  },
  UNREACHABLE: { message: 'The gateway does not answer.', remedy: 'Check the URL and the connection, then try again.' },
  ANSWER_BROKEN: {
    message: 'The connection broke before the end of the answer.',
    remedy: 'Try again; what was broken off may have been charged.',
  },
  ANSWER_MALFORMED: {
    message: 'The answer is not one of this service.',
    remedy: 'Check that the URL is that of the gateway, and that nothing in between answers in its place.',
  },
  REFUSED: { message: 'The gateway refused the call.', remedy: 'Change the call as the sentence says.' },
  MODEL_UNKNOWN: { message: 'The gateway has no such model.', remedy: 'GET /api/v1/models lists the models.' },
  NOT_PRIVATE: {
    message: 'This would leave the private channel.',
    remedy: 'Nothing was sent. Use openaiOptions for what need not be private.',
  },
  NOT_SUPPORTED_PRIVATELY: {
    message: 'This cannot be sent encrypted.',
    remedy: 'Nothing was sent. Leave out what is named.',
  },
  VIDEO_TIMEOUT: {
    message: 'The video was not ready in time.',
    remedy: 'Ask for it again by its queue_id: it is being made, and was paid for.',
  },
} as const;

/** The codes of this package. What the gateway refuses with has the gateway's own code. */
export type ClientErrorCode = keyof typeof ERRORS;

interface ErrorParts {
  /** Instead of the sentence of the table. */
  message?: string;
  remedy?: string;
  /** HTTP status, where the gateway answered. */
  status?: number;
  detail?: Readonly<Record<string, unknown>>;
  cause?: unknown;
}

/** Whatever ends a call of this package. `message` says what happened, `remedy` what to do, `code` is stable. */
export class TurnpikeError extends Error {
  override readonly name = 'TurnpikeError';
  readonly remedy: string;
  /** Of the gateway's answer; null where it gave none. */
  readonly status: number | null;
  /** What exactly, by name; for BUDGET_EXCEEDED the limit and by how much it would be exceeded. */
  readonly detail: Readonly<Record<string, unknown>>;

  constructor(
    /** One of ClientErrorCode, or the code that the gateway gave. */
    readonly code: ClientErrorCode | (string & {}),
    { message, remedy, status, detail = {}, cause }: ErrorParts = {},
  ) {
    const known = isClientCode(code) ? ERRORS[code] : ERRORS.REFUSED;
    super(isSaid(message) ? message : known.message, cause === undefined ? undefined : { cause });
    this.remedy = isSaid(remedy) ? remedy : known.remedy;
    this.status = status ?? null;
    this.detail = detail;
  }
}

/** A gateway may send blank sentences, which tell nobody anything. */
function isSaid(sentence: string | undefined): sentence is string {
  return sentence !== undefined && sentence.trim() !== '';
}

/** Any error as one of this package: refusals of the gateway keep their code and hint, what is none of ours its sentence. */
export function turnpikeErrorOf(error: unknown): TurnpikeError {
  if (error instanceof TurnpikeError) return error;
  if (error instanceof GatewayError) return ofRefusal(error);
  if (error instanceof OversizedAnswerError)
    return new TurnpikeError('ANSWER_MALFORMED', { message: error.message, cause: error });
  if (error instanceof LateAnswerError)
    return new TurnpikeError('ANSWER_BROKEN', { message: error.message, cause: error });
  if (error instanceof UnreachableError) return ofSilence(error);
  if (error instanceof UnsignableTokenError)
    return new TurnpikeError('TOKEN_UNEXPECTED', { message: error.message, cause: error });
  if (isAbort(error)) return new TurnpikeError('ABORTED', { cause: error });
  return new TurnpikeError('UNREACHABLE', { cause: error });
}

/** Runs a call, and makes whatever it rejects with an error of this package. */
export async function withTypedErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw turnpikeErrorOf(error);
  }
}

/** Whether an error says that its caller cancelled. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function ofRefusal(error: GatewayError): TurnpikeError {
  const { code, hint, isFromService, requestId, fieldErrors, retryAtMs } = error.detail;
  if (!isFromService)
    return new TurnpikeError('ANSWER_MALFORMED', { message: error.message, status: error.status, cause: error });
  const parts = {
    message: error.message,
    status: error.status,
    detail: { requestId, fieldErrors, retryAtMs },
    cause: error,
  };
  return new TurnpikeError(code ?? 'REFUSED', hint === null ? parts : { ...parts, remedy: hint });
}

function ofSilence(error: UnreachableError): TurnpikeError {
  // What this package's own fetch threw says more than that there was no answer.
  if (error.cause instanceof TurnpikeError) return error.cause;
  if (error.aborted) return new TurnpikeError('ABORTED', { cause: error });
  return error.hasBegun
    ? new TurnpikeError('ANSWER_BROKEN', { cause: error })
    : new TurnpikeError('UNREACHABLE', { message: error.message, cause: error });
}

function isClientCode(code: string): code is ClientErrorCode {
  return Object.hasOwn(ERRORS, code);
}
